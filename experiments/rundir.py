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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from evo.checkpoint import Checkpoint, load_newest, save
from evo.checks import must
from evo.files import write_atomic
from evo.loop import Generation
from experiments.config import Config, dump_config, load_config
from render import GROWTH_MODEL

__all__ = ["RunDirectory", "RunError"]

LIBRARIES = ("deap", "joblib", "numba", "numpy", "pillow", "pydantic", "scikit-image")
LOGS = ("log.csv", "lineage.csv", "timing.csv")
LINEAGE = ("generation", "genome", "parents", "operators")
TIMING = ("generation", "seconds", "evaluations_per_second")


class RunError(ValueError):
    """A run directory that cannot be made, read or used."""


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
        self._lengths: dict[str, int] = {}
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
        path = _make(Path("runs"), f"{config.name}-{config.seed}") if out is None else Path(out)
        if out is not None:
            try:
                path.mkdir(parents=True)
            except FileExistsError as error:
                raise RunError(str(must("--out", "not exist yet", str(path)))) from error
            except OSError as error:
                reason = error.strerror or str(error)
                said = must("--out", f"be a folder that can be made ({reason})", str(path))
                raise RunError(str(said)) from error
        (path / "checkpoint").mkdir()
        _write_config(path, config)
        return cls(path)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep every other process from running in this folder meanwhile."""
        lock = FileLock(self.path / ".lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise RunError(
                str(must("run", "not be in use by another process", str(self.path)))
            ) from error
        try:
            yield
        finally:
            lock.release()

    def config(self) -> Config:
        """Return the run's own config."""
        return load_config(self.path / "config.toml")

    def write_config(self, config: Config) -> None:
        """Replace the run's own config, when a run goes on to a later end."""
        _write_config(self.path, config)

    def write_manifest(self, parallel: Mapping[str, Any]) -> None:
        """Write what the run is made with: versions, command, and where it evaluates."""
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
        """Add a generation to the logs, on the disk before this returns."""
        row = generation.statistics
        self._append("log.csv", tuple(row), [tuple(row.values())])
        born = [
            (
                generation.number,
                bytes(individual).hex(),
                " ".join(parent.hex() for parent in individual.parents),
                individual.operators,
            )
            for individual in generation.newborn
        ]
        self._append("lineage.csv", LINEAGE, born)
        speed = row["evaluations"] / seconds if seconds > 0 else 0.0
        timing = (generation.number, f"{seconds:.3f}", f"{speed:.1f}")
        self._append("timing.csv", TIMING, [timing])
        # Only now: what a stop leaves of the next generation lies behind these lengths.
        self._lengths = {name: (self.path / name).stat().st_size for name in LOGS}

    def _append(self, name: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        path = self.path / name
        new = not path.exists() or path.stat().st_size == 0
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        if new:
            writer.writerow(header)
        writer.writerows(rows)
        with path.open("ab") as file:
            file.write(text.getvalue().encode())
            file.flush()
            os.fsync(file.fileno())

    def save(self, generation: Generation, config: Config) -> None:
        """Write a checkpoint of the generation that was appended last.

        It holds the length of each log, and the text of log.csv, which is small, so that a
        log that was cut or lost since is whole again after going on.
        """
        with (self.path / "log.csv").open("rb") as file:
            log = file.read(self._lengths["log.csv"]).decode()
        extra = {"lengths": self._lengths, "log": log, "config": config.model_dump()}
        save(self.path / "checkpoint", generation, extra)

    def load(self) -> Checkpoint:
        """Return the newest good checkpoint; the files of the run stay as they are."""
        return load_newest(self.path / "checkpoint")

    def rewind(self, checkpoint: Checkpoint) -> list[str]:
        """Cut the logs back to a checkpoint, and return what was found wrong with them."""
        extra, lost = checkpoint.extra, []
        write_atomic(self.path / "log.csv", extra["log"].encode())
        for name in LOGS[1:]:
            path, length = self.path / name, int(extra["lengths"][name])
            found = path.stat().st_size if path.exists() else 0
            if found < length:
                lost.append(f"{name} lacks {length - found} bytes of earlier generations")
                data = path.read_bytes() if found else b""
                write_atomic(path, data[: data.rfind(b"\n") + 1])
            else:
                os.truncate(path, length)
        self._lengths = {name: (self.path / name).stat().st_size for name in LOGS}
        return lost


def _write_config(path: Path, config: Config) -> None:
    write_atomic(path / "config.toml", dump_config(config).encode())


def _make(folder: Path, name: str) -> Path:
    number = 1
    while True:
        path = folder / (name if number == 1 else f"{name}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError as error:
            if not folder.is_dir():
                raise RunError(str(must("runs", "be a folder", str(folder)))) from error
            number += 1
        except OSError as error:
            reason = error.strerror or str(error)
            said = must("runs", f"be a folder that can be written ({reason})", str(folder))
            raise RunError(str(said)) from error
        else:
            return path


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
