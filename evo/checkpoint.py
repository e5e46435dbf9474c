"""Checkpoints: a generation as one npz file, whole or not at all.

Arrays for the population, the hall of fame and the strategy's state, and a JSON text for the
rest. No pickle is read or written.
"""

from __future__ import annotations

import io
import json
import logging
import math
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evo.archive import Entry
from evo.checks import must, whole
from evo.files import write_atomic
from evo.genome import GENOME_SIZE, from_hex
from evo.individual import Individual
from evo.loop import Generation

__all__ = ["Checkpoint", "CheckpointError", "load", "load_newest", "save"]

FORMAT = 1
KEEP = 2
"""Checkpoints that are kept: a damaged newest one leaves the one before."""

_log = logging.getLogger(__name__)


class CheckpointError(ValueError):
    """A checkpoint that cannot be read, or none that can."""


@dataclass(frozen=True)
class Checkpoint:
    """A generation, and what its driver wants to know when it goes on.

    Parameters
    ----------
    generation : Generation
        Its `newborn` is empty: they are in the population or in the past.
    extra : mapping
        Of JSON values.
    """

    generation: Generation
    extra: Mapping[str, Any]


def save(folder: Path, generation: Generation, extra: Mapping[str, Any] | None = None) -> Path:
    """Write a generation into a folder, remove all but the newest two, and return its path."""
    path = folder / f"{generation.number:06d}.npz"
    write_atomic(path, _encode(generation, extra or {}))
    for old in _found(folder)[KEEP:]:
        old.unlink(missing_ok=True)
    return path


def load_newest(folder: Path) -> Checkpoint:
    """Return the newest checkpoint of a folder that can be read.

    A damaged one is said in one log line and passed over.

    Raises
    ------
    CheckpointError
        When none is left.
    """
    for path in _found(folder):
        try:
            return load(path)
        except CheckpointError as error:
            _log.warning("%s; going on from the one before", error)
    raise CheckpointError(str(must("checkpoint", "have one file that can be read", str(folder))))


def load(path: Path) -> Checkpoint:
    """Return the checkpoint in a file.

    Raises
    ------
    CheckpointError
        When it is missing, cut short, changed, or of another format.
    """
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            return _decode({name: arrays[name] for name in arrays.files})
    except (
        ArithmeticError, AttributeError, EOFError, LookupError, MemoryError, OSError,
        TypeError, ValueError, zipfile.BadZipFile, NotImplementedError,
    ) as error:  # fmt: skip  # whatever a damaged archive makes the readers say
        raise CheckpointError(f"checkpoint {path.name} is damaged: {error}") from error


def _found(folder: Path) -> list[Path]:
    return sorted(folder.glob("[0-9]*.npz"), key=lambda path: path.stem, reverse=True)


def _encode(generation: Generation, extra: Mapping[str, Any]) -> bytes:
    people, entries = generation.population, generation.hall_of_fame
    text = {
        "format": FORMAT,
        "number": generation.number,
        "improved": generation.improved,
        "statistics": {k: _out(v) for k, v in generation.statistics.items()},
        "born": [p.born for p in people],
        "parents": [[g.hex() for g in p.parents] for p in people],
        "operators": [p.operators for p in people],
        "hall_born": [e.generation for e in entries],
        "hall_parents": [[g.hex() for g in e.parents] for e in entries],
        "extra": extra,
    }
    arrays: dict[str, Any] = {
        "text": np.frombuffer(json.dumps(text).encode(), np.uint8),
        "genomes": _genomes([bytes(p) for p in people]),
        "values": np.array([p.fitness.values for p in people], np.float64),
        "scores": _scores([p.scores for p in people]),
        "hall_genomes": _genomes([e.genome for e in entries]),
        "hall_values": np.array([e.values for e in entries], np.float64),
        "hall_scores": _scores([e.scores for e in entries]),
        **{f"state/{name}": value for name, value in generation.state.items()},
    }
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _decode(arrays: Mapping[str, NDArray[Any]]) -> Checkpoint:
    text = json.loads(arrays["text"].tobytes().decode())
    if text["format"] != FORMAT:
        raise must("format", f"be {FORMAT}", text["format"])
    population = []
    for i, genome in enumerate(_rows(arrays["genomes"])):
        individual = Individual(genome)
        individual.record(arrays["values"][i].tolist(), arrays["scores"][i], text["born"][i])
        individual.parents = tuple(map(from_hex, text["parents"][i]))
        individual.operators = text["operators"][i]
        population.append(individual)
    entries = [
        Entry(
            genome,
            tuple(arrays["hall_values"][i].tolist()),
            arrays["hall_scores"][i],
            text["hall_born"][i],
            tuple(map(from_hex, text["hall_parents"][i])),
        )
        for i, genome in enumerate(_rows(arrays["hall_genomes"]))
    ]
    state = {n.removeprefix("state/"): a for n, a in arrays.items() if n.startswith("state/")}
    for array in arrays.values():
        array.flags.writeable = False
    statistics = {k: math.nan if v is None else v for k, v in text["statistics"].items()}
    generation = Generation(
        whole("number", text["number"], 0),
        tuple(population),
        (),
        tuple(entries),
        statistics,
        state,
        whole("improved", text["improved"], 0),
    )
    return Checkpoint(generation, text["extra"])


def _genomes(genomes: Sequence[bytes]) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(genomes), np.uint8).reshape(-1, GENOME_SIZE)


def _rows(genomes: NDArray[np.uint8]) -> list[bytes]:
    if genomes.dtype != np.uint8 or genomes.shape[1:] != (GENOME_SIZE,):
        raise must("genomes", f"be a uint8 array of shape (n, {GENOME_SIZE})", genomes)
    return [row.tobytes() for row in genomes]


def _scores(scores: Sequence[NDArray[np.float64] | None]) -> NDArray[np.float64]:
    return np.array([[] if s is None else s for s in scores], np.float64)


def _out(value: float) -> float | None:
    return value if math.isfinite(value) else None
