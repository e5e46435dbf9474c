"""The run directory: what stands where, and how it is kept whole.

Logs only grow, and a checkpoint says how far they had come: going on from it cuts them back to
there. Everything else appears whole or not at all.
"""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import metadata
from pathlib import Path
from typing import Any

from evo.checkpoint import Checkpoint, load_newest, remove_newer, save
from evo.checks import must, whole
from evo.files import write_atomic
from evo.loop import Generation
from experiments.config import Config
from experiments.config_file import dump_config, load_config
from experiments.folders import RunError, locked, new_folder
from render import GROWTH_MODEL

__all__ = ["RunDirectory", "RunError"]

LIBRARIES = ("deap", "joblib", "numba", "numpy", "pillow", "pydantic", "scikit-image")
LOGS = ("log.csv", "lineage.csv", "timing.csv")
LINEAGE = ("generation", "genome", "parents", "operators")
LOG_END = 65_536
"""Bytes of the end of log.csv that a checkpoint holds: hundreds of generations."""
FIRST = 2
"""Lines of log.csv when the founders are logged, which are the first to have a checkpoint."""
TIMING = ("generation", "seconds", "evaluations_per_second")


class RunDirectory:
    """A folder that holds a run.

    Parameters
    ----------
    path : Path
        An existing run directory; see `create` for a new one.

    Raises
    ------
    RunError
        When it is not a run directory.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._written: tuple[Generation, dict[str, int]] | None = None
        self._saved: int | None = None
        self._on_disk = 0  # so much of log.csv is known to be there
        if not (self.path / "config.toml").is_file():
            raise RunError(str(must("run", "be a folder that a run has made", str(self.path))))

    @classmethod
    def create(cls, config: Config, out: str | os.PathLike[str] | None = None) -> RunDirectory:
        """Make a new folder for a run, and write its config and manifest.

        Without `out` it is runs/NAME-SEED, or the next free of runs/NAME-SEED-2, -3, ...; making
        the folder is one step, so that two runs started together never share one.

        Raises
        ------
        RunError
            When `out` exists already or cannot be made.
        """
        path = new_folder(f"{config.name}-{config.seed}", out)
        (path / "checkpoint").mkdir()
        _write_config(path, config)
        return cls(path)

    def locked(self) -> AbstractContextManager[None]:
        """Keep every other process from running in this folder meanwhile."""
        return locked(self.path, "run")

    def config(self, overrides: Sequence[str] = ()) -> Config:
        """Return the run's own config, overridden as by `load_config`."""
        return load_config(self.path / "config.toml", overrides)

    def write_config(self, config: Config) -> None:
        """Replace the run's own config, when a run goes on to a later end."""
        _write_config(self.path, config)

    def write_manifest(self, parallel: Mapping[str, Any]) -> None:
        """Write what the run is made with, unless that stands there: versions, command, place."""
        if (self.path / "manifest.json").exists():
            return
        manifest = {
            "evogarden": _version("evogarden"),
            "growth_model": GROWTH_MODEL,
            "python": platform.python_version(),
            "platform": f"{platform.system()} {platform.machine()}",
            "libraries": {name: _version(name) for name in LIBRARIES},
            "command": [Path(sys.argv[0]).name, *sys.argv[1:]],
            "parallel": dict(parallel),
        }
        self.write_json("manifest.json", manifest)

    def write_json(self, name: str, value: Any) -> None:
        """Write a JSON file whole or not at all; NaN is written as null."""
        text = json.dumps(_finite(value), indent=1, ensure_ascii=False, allow_nan=False)
        write_atomic(self.path / name, f"{text}\n".encode())

    def append(self, generation: Generation, seconds: float) -> None:
        """Add a generation to the logs; `save` sees to it that the disk has them."""
        row = generation.statistics
        speed = row["evaluations"] / seconds if seconds > 0 else 0.0
        timing = (generation.number, f"{seconds:.3f}", f"{speed:.1f}")
        lengths = {
            "log.csv": self._append("log.csv", tuple(row), _csv(row.values())),
            "lineage.csv": self._append("lineage.csv", LINEAGE, _lineage(generation)),
            "timing.csv": self._append("timing.csv", TIMING, _csv(timing)),
        }
        # In one step and only now: what a stop leaves of a generation lies behind these lengths.
        self._written = (generation, lengths)

    def _measured(self) -> dict[str, int]:
        return {name: (self.path / name).stat().st_size for name in LOGS}

    def _append(self, name: str, header: Sequence[str], lines: str) -> int:
        """Add lines to a log, below its header, and return its length."""
        with (self.path / name).open("ab") as file:
            head = "" if file.tell() else _csv(header)
            file.write((head + lines).encode())
            return file.tell()

    def save(self, config: Mapping[str, Any], inputs: Mapping[str, str]) -> None:
        """Write a checkpoint of the generation that was appended last, unless there is one.

        It holds the length of each log, and the end of log.csv, so that a log that lost its
        last lines is whole again after going on; the config, as its `model_dump` gives it; and the
        digests of the files that the config names.
        """
        if self._written is None or self._written[0].number == self._saved:
            return
        generation, lengths = self._written
        start = max(0, lengths["log.csv"] - LOG_END)
        for name in LOGS:  # on the disk before the checkpoint that counts on them
            if name != "log.csv" or self._on_disk < start:  # what is behind, a checkpoint holds
                with (self.path / name).open("rb+") as file:
                    os.fsync(file.fileno())
        if self._on_disk < start:
            self._on_disk = lengths["log.csv"]
        with (self.path / "log.csv").open("rb") as file:
            file.seek(start)
            end = file.read(lengths["log.csv"] - start).decode()
        extra = {"lengths": lengths, "log_end": end, "config": dict(config), "inputs": dict(inputs)}
        save(self.path / "checkpoint", generation, extra)
        self._saved = generation.number

    def load(self) -> Checkpoint | None:
        """Return the newest good checkpoint, or None where a run came to no checkpoint at all.

        The files of the run stay as they are.

        Raises
        ------
        CheckpointError
            When there are checkpoints, and none can be read.
        RunError
            When they are gone: the folder, or all of them after the first generation.
        """
        folder = self.path / "checkpoint"
        if not folder.is_dir():
            raise RunError(str(must("run", "have its folder of checkpoints", str(folder))))
        if any(folder.glob("*.npz")):
            return load_newest(folder, _usable)
        log = self.path / "log.csv"
        if log.exists() and log.read_bytes().count(b"\n") > FIRST:
            requirement = "have a checkpoint, since its log.csv holds generations"
            raise RunError(str(must("run", requirement, str(folder))))
        return None

    def rewind(self, checkpoint: Checkpoint | None) -> list[str]:
        """Cut the files back to a checkpoint, and return what was found wrong with them."""
        for part in (*self.path.glob(".*.part"), *self.path.glob("*/.*.part")):
            part.unlink(missing_ok=True)
        if checkpoint is None:
            for name in LOGS:
                (self.path / name).unlink(missing_ok=True)
            return []
        remove_newer(self.path / "checkpoint", checkpoint.generation.number)
        lengths = {name: int(checkpoint.extra["lengths"][name]) for name in LOGS}
        end = str(checkpoint.extra["log_end"]).encode()
        whole = self._head("log.csv", lengths["log.csv"] - len(end)) + end
        write_atomic(self.path / "log.csv", whole)
        lost = [self._cut(name, lengths[name]) for name in LOGS[1:]]
        if len(whole) < lengths["log.csv"]:
            lost.insert(0, _lacks("log.csv", lengths["log.csv"] - len(whole)))
        self._written = (checkpoint.generation, self._measured())
        self._saved = checkpoint.generation.number
        return [text for text in lost if text]

    def _cut(self, name: str, length: int) -> str:
        """Cut a log to a length; if it is shorter, to its whole lines, and say so."""
        path = self.path / name
        found = path.stat().st_size if path.exists() else 0
        if found >= length:
            os.truncate(path, length)
            return ""
        write_atomic(path, self._head(name, length))
        return _lacks(name, length - found)

    def _head(self, name: str, length: int) -> bytes:
        """Return the first bytes of a log; if it is shorter, its whole lines."""
        path = self.path / name
        if not path.exists():
            return b""
        with path.open("rb") as file:
            data = file.read(min(length, path.stat().st_size))
        return data if len(data) == length else data[: data.rfind(b"\n") + 1]


def _usable(checkpoint: Checkpoint) -> None:
    """Refuse a checkpoint without what `save` adds to a generation."""
    extra = checkpoint.extra
    for name, kind in (("lengths", dict), ("config", dict), ("log_end", str)):
        if not isinstance(extra.get(name), kind):
            raise must(f"extra {name}", f"be a {kind.__name__}", extra.get(name))
    inputs = extra.get("inputs", {})
    if not isinstance(inputs, dict) or not all(isinstance(one, str) for one in inputs.values()):
        raise must("extra inputs", "be a dict of texts", inputs)
    for name in LOGS:
        whole(f"length of {name}", extra["lengths"].get(name), 0, 2**63 - 1)
    due = min(LOG_END, extra["lengths"]["log.csv"])
    whole("length of log_end", len(extra["log_end"].encode()), due, due)
    evolution = extra["config"].get("evolution")
    ends = evolution.get("generations") if isinstance(evolution, dict) else None
    whole("evolution.generations", ends, 0)
    made = checkpoint.generation
    tables = [one.scores for one in made.population] + [one.scores for one in made.hall_of_fame]
    shapes = {None if table is None else table.shape for table in tables}
    shape = shapes.pop()
    if shapes or shape is None or len(shape) != 2:
        raise must("scores", "be tables of samples and scores, all of one shape", shape)


def _csv(row: Iterable[Any]) -> str:
    """Return a row as a line."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerow(row)
    return text.getvalue()


def _lineage(generation: Generation) -> str:
    """Return a line for each newborn: hex digits need no look at whether to quote them."""
    ends = {name: _csv([name]) for name in {one.operators for one in generation.newborn}}
    return "".join(
        f"{generation.number},{one.hex()},{' '.join(map(bytes.hex, one.parents))},"
        f"{ends[one.operators]}"
        for one in generation.newborn
    )


def _lacks(name: str, n: int) -> str:
    return f"{name} lacks {n} bytes of earlier generations"


def _write_config(path: Path, config: Config) -> None:
    write_atomic(path / "config.toml", dump_config(config).encode())


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
