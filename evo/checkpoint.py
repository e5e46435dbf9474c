"""Checkpoints: a generation as one npz file, whole or not at all.

Arrays for the population, the hall of fame and the strategy's state, and a JSON text for the
rest. No pickle is written or read, and nothing is unpacked: a file holds what it is long.
"""

from __future__ import annotations

import io
import json
import logging
import math
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evo.archive import Entry
from evo.checks import must, number, whole
from evo.files import write_atomic
from evo.genome import GENOME_SIZE, from_hex
from evo.individual import Individual
from evo.loop import Generation

__all__ = ["Checkpoint", "CheckpointError", "load", "load_newest", "remove_newer", "save"]

FORMAT = 2
"""Format 1 had the parents as hex digits in the text; it is still read."""

KEEP = 2
"""Checkpoints that are kept: a damaged newest one leaves the one before."""

_MOST = 2**53
"""Bound of the whole numbers in a checkpoint: a float holds all of them."""

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
    """Write a generation into a folder, and return the path.

    Of the other checkpoints the newest one of an earlier generation stays: those of later ones
    are of a past that was gone back from.
    """
    path = folder / f"{generation.number:06d}.npz"
    write_atomic(path, _encode(generation, extra or {}))
    for old in remove_newer(folder, generation.number)[KEEP:]:
        old.unlink(missing_ok=True)
    return path


def load_newest(folder: Path, check: Callable[[Checkpoint], None] | None = None) -> Checkpoint:
    """Return the newest checkpoint of a folder that can be read.

    A damaged one is said in one log line and passed over.

    Parameters
    ----------
    folder : path
    check : callable, optional
        Raises ValueError for a checkpoint that its driver could not use.

    Raises
    ------
    CheckpointError
        When none is left.
    """
    for path in _found(folder):
        try:
            return _checked(path, load(path), check)
        except CheckpointError as error:
            _log.warning("%s; going on from the one before", error)
    raise CheckpointError(str(must("checkpoint", "have one file that can be read", str(folder))))


def _checked(
    path: Path, checkpoint: Checkpoint, check: Callable[[Checkpoint], None] | None
) -> Checkpoint:
    try:
        if checkpoint.generation.number != int(path.stem):
            raise must("number", "be that of the file's name", checkpoint.generation.number)
        if check is not None:
            check(checkpoint)
    except ValueError as error:
        raise CheckpointError(f"checkpoint {path.name} is damaged: {error}") from error
    return checkpoint


def remove_newer(folder: Path, number: int) -> list[Path]:
    """Remove the checkpoints of a folder beyond a generation, and files left half written.

    What goes on from a generation calls it first, so that a damaged checkpoint that was passed
    over never takes the place of a good one.

    Returns
    -------
    list of paths, the checkpoints that stay, newest first.
    """
    stay = []
    for path in _found(folder):
        if int(path.stem) > number:
            path.unlink(missing_ok=True)
        else:
            stay.append(path)
    for part in folder.glob(".*.part"):
        part.unlink(missing_ok=True)
    return stay


def load(path: Path) -> Checkpoint:
    """Return the checkpoint in a file.

    Raises
    ------
    CheckpointError
        When it is missing, cut short, changed, or of another format.
    """
    try:
        return _decode(_arrays(path.read_bytes()))
    except OSError as error:
        raise CheckpointError(f"checkpoint {path.name} cannot be read: {error}") from error
    except MemoryError:
        raise  # which says nothing of the file
    except Exception as error:  # whatever a damaged archive makes the readers say
        raise CheckpointError(f"checkpoint {path.name} is damaged: {error}") from error


def _found(folder: Path) -> list[Path]:
    files = [path for path in folder.glob("*.npz") if re.fullmatch("[0-9]+", path.stem)]
    return sorted(files, key=lambda path: int(path.stem), reverse=True)


def _encode(generation: Generation, extra: Mapping[str, Any]) -> bytes:
    people, entries = generation.population, generation.hall_of_fame
    text = {
        "format": FORMAT,
        "number": generation.number,
        "improved": generation.improved,
        "statistics": {k: _out(v) for k, v in generation.statistics.items()},
        "born": [p.born for p in people],
        "operators": [p.operators for p in people],
        "hall_born": [e.generation for e in entries],
        "extra": extra,
    }
    arrays: dict[str, Any] = {
        "text": np.frombuffer(json.dumps(text).encode(), np.uint8),
        "genomes": _genomes([bytes(p) for p in people]),
        "values": np.array([p.fitness.values for p in people], np.float64),
        "scores": _scores([p.scores for p in people]),
        **_bred("", people),
        "hall_genomes": _genomes([e.genome for e in entries]),
        "hall_values": np.array([e.values for e in entries], np.float64),
        "hall_scores": _scores([e.scores for e in entries]),
        **_bred("hall_", entries),
        **{f"state/{name}": value for name, value in generation.state.items()},
    }
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _arrays(data: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays of an npz file by name, read-only, none longer than the file itself."""
    arrays = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist():
            if member.compress_type != zipfile.ZIP_STORED:
                raise must(member.filename, "be stored as it is", "a compressed array")
            stream = io.BytesIO(archive.read(member))  # reads to the end and checks the CRC
            version = np.lib.format.read_magic(stream)
            if version != (1, 0):
                raise must(member.filename, "be an npy file of version 1.0", version)
            shape, by_column, dtype = np.lib.format.read_array_header_1_0(stream)
            if dtype.kind not in "biufSU":
                raise must(member.filename, "hold numbers or text", str(dtype))
            array = np.frombuffer(stream.read(), dtype)
            array = array.reshape(shape, order="F" if by_column else "C")
            arrays[member.filename.removesuffix(".npy")] = array
    return arrays


def _decode(arrays: Mapping[str, NDArray[Any]]) -> Checkpoint:
    text = json.loads(arrays["text"].tobytes().decode())
    if text["format"] not in (1, FORMAT):
        raise must("format", f"be 1 or {FORMAT}", text["format"])
    statistics = {name: _in(name, value) for name, value in text["statistics"].items()}
    if "best_so_far" not in statistics:
        raise must("statistics", "have best_so_far", sorted(statistics))
    generation = Generation(
        whole("number", text["number"], 0, _MOST),
        _population(_entries(arrays, "", text), text["operators"]),
        (),
        _entries(arrays, "hall_", text),
        statistics,
        {n.removeprefix("state/"): a for n, a in arrays.items() if n.startswith("state/")},
        whole("improved", text["improved"], 0, _MOST),
    )
    return Checkpoint(generation, dict(text["extra"]))


def _population(entries: Sequence[Entry], operators: Sequence[object]) -> tuple[Individual, ...]:
    if not entries:
        raise must("population", "hold at least one individual", 0)
    population = []
    for entry, made_by in zip(entries, operators, strict=True):
        if not isinstance(made_by, str):
            raise must("operators", "be texts", made_by)
        individual = Individual(entry.genome)
        individual.record(entry.values, entry.scores, entry.generation)
        individual.parents, individual.operators = entry.parents, made_by
        population.append(individual)
    return tuple(population)


def _entries(
    arrays: Mapping[str, NDArray[Any]], prefix: str, text: Mapping[str, Any]
) -> tuple[Entry, ...]:
    genomes, values, scores = (arrays[prefix + n] for n in ("genomes", "values", "scores"))
    _check_genomes("genomes", genomes)
    if values.dtype != np.float64 or scores.dtype != np.float64:
        raise must("values and scores", "be float64", f"{values.dtype} and {scores.dtype}")
    if len(genomes) and (values.ndim != 2 or not values.shape[1]):
        raise must("values", "be an array of shape (n, objectives)", values)
    return tuple(
        Entry(
            genome.tobytes(),
            tuple(value.tolist()),
            None if score.shape == (0,) else score,
            whole("born", generation, 0, _MOST),
            bred_from,
        )
        for genome, value, score, generation, bred_from in zip(
            genomes,
            values,
            scores,
            text[f"{prefix}born"],
            _parents(arrays, prefix, text),
            strict=True,
        )
    )


def _bred(prefix: str, people: Sequence[Individual | Entry]) -> dict[str, NDArray[Any]]:
    """Return the parents of some people, one after the other, and how many each has."""
    return {
        f"{prefix}parents": _genomes([parent for one in people for parent in one.parents]),
        f"{prefix}n_parents": np.array([len(one.parents) for one in people], np.int64),
    }


def _parents(
    arrays: Mapping[str, NDArray[Any]], prefix: str, text: Mapping[str, Any]
) -> list[tuple[bytes, ...]]:
    if text["format"] == 1:
        return [tuple(map(from_hex, genomes)) for genomes in text[f"{prefix}parents"]]
    genomes, counts = arrays[f"{prefix}parents"], arrays[f"{prefix}n_parents"]
    _check_genomes("parents", genomes)
    if counts.dtype != np.int64 or counts.min(initial=0) < 0 or counts.sum() != len(genomes):
        raise must("n_parents", f"be counts of {len(genomes)} parents", counts)
    rest = iter(genomes)
    return [tuple(next(rest).tobytes() for _ in range(n)) for n in counts.tolist()]


def _check_genomes(name: str, genomes: NDArray[Any]) -> None:
    if genomes.dtype != np.uint8 or genomes.shape[1:] != (GENOME_SIZE,):
        raise must(name, f"be a uint8 array of shape (n, {GENOME_SIZE})", genomes)


def _genomes(genomes: Sequence[bytes]) -> NDArray[np.uint8]:
    return np.frombuffer(b"".join(genomes), np.uint8).reshape(len(genomes), GENOME_SIZE)


def _scores(scores: Sequence[NDArray[np.float64] | None]) -> NDArray[np.float64]:
    return np.array([[] if s is None else s for s in scores], np.float64)


def _out(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _in(name: str, value: object) -> float:
    if isinstance(value, int):
        return whole(name, value, -_MOST, _MOST)
    return math.nan if value is None else number(name, value)
