"""What a report tells of a run: read from its directory, as far as the run has come."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evo import as_genes
from evo.checks import must
from experiments.config import Config
from experiments.rundir import RunDirectory, RunError
from experiments.saved import FAME, read_hall_of_fame, read_json

__all__ = ["Ancestor", "Story", "read_story"]

COLUMNS = ("generation", "evaluations", "best", "best_so_far", "mean", "min", "diversity")
"""What a report tells of a log; the scores' own columns come after these."""

COUNTS = ("generation", "evaluations")
"""Those that hold whole numbers."""


@dataclass(frozen=True)
class Ancestor:
    """A genome's row of lineage.csv.

    Parameters
    ----------
    generation : int
        In which it was first evaluated.
    parents : tuple of bytes
    operators : str
    """

    generation: int
    parents: tuple[bytes, ...]
    operators: str


@dataclass(frozen=True)
class Story:
    """A run as far as it has come.

    Parameters
    ----------
    path : Path
    config : Config
    log : mapping of str to float64 array
        The columns of log.csv; empty before the first generation.
    entries : list of dict
        The hall of fame as hall_of_fame.json has it, best first.
    lineage : mapping of bytes to Ancestor
    manifest : mapping
    """

    path: Path
    config: Config
    log: Mapping[str, NDArray[np.float64]]
    entries: list[dict[str, Any]]
    lineage: Mapping[bytes, Ancestor]
    manifest: Mapping[str, Any]

    @property
    def n_generations(self) -> int:
        """Generations that are done, the founders among them."""
        return len(self.log["generation"]) if self.log else 0

    @property
    def score_names(self) -> list[str]:
        """The scores that the log has."""
        return [
            name.removesuffix("_best")
            for name in self.log
            if name.endswith("_best") and f"{name.removesuffix('_best')}_mean" in self.log
        ]

    def picture(self, rank: int) -> bytes | None:
        """Return the PNG file of an entry, or None where there is none."""
        try:
            return (self.path / "hall_of_fame" / f"{rank:03d}.png").read_bytes()
        except OSError:
            return None

    def descent(self, genome: bytes) -> list[tuple[bytes, Ancestor]]:
        """Return the line of first parents from a founder to a genome, itself the last."""
        line: list[tuple[bytes, Ancestor]] = []
        seen: set[bytes] = set()
        while genome in self.lineage and genome not in seen:
            seen.add(genome)
            row = self.lineage[genome]
            line.append((genome, row))
            if not row.parents:
                break
            genome = row.parents[0]
        return line[::-1]

    def n_ancestors(self, genome: bytes) -> tuple[int, int]:
        """Return how many different ancestors a genome has, and how many of them founders."""
        found: set[bytes] = set()
        open_ = [genome]
        while open_:
            row = self.lineage.get(open_.pop())
            for parent in row.parents if row else ():
                if parent not in found:
                    found.add(parent)
                    open_.append(parent)
        founders = sum(1 for g in found if g in self.lineage and not self.lineage[g].parents)
        return len(found), founders


def read_story(path: Path) -> Story:
    """Return what there is to tell of a run, finished or not.

    Raises
    ------
    RunError, ConfigError
        When it is not a run directory, or a file in it is damaged.
    """
    run = RunDirectory(path)
    entries = read_hall_of_fame(run.path)["entries"] if (run.path / FAME).exists() else []
    return Story(
        path=run.path,
        config=run.config(),
        log=_log(run.path / "log.csv"),
        entries=entries,
        lineage=_lineage(run.path / "lineage.csv"),
        manifest=_manifest(run.path / "manifest.json"),
    )


def _manifest(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    manifest = read_json(path, "a whole manifest")
    if not isinstance(manifest.get("libraries", {}), dict):
        raise RunError(f"{path}: {must('libraries', 'be a JSON object', manifest['libraries'])}")
    return manifest


def _rows(path: Path) -> list[dict[str, str]]:
    """Return the whole rows of a CSV file; the last one may still be being written."""
    if not path.exists():
        return []
    data = path.read_bytes()
    try:
        whole = data[: data.rfind(b"\n") + 1].decode()
        rows = list(csv.DictReader(io.StringIO(whole)))
    except (ValueError, csv.Error) as error:
        raise RunError(str(must(str(path), "hold rows of text", str(error)))) from error
    return [row for row in rows if None not in row and None not in row.values()]


def _log(path: Path) -> dict[str, NDArray[np.float64]]:
    rows = _rows(path)
    if not rows:
        return {}
    lacking = [name for name in COLUMNS if name not in rows[0]]
    if lacking:
        raise RunError(str(must(str(path), f"have the column {lacking[0]!r}", list(rows[0]))))
    try:
        log = {name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0]}
        for name in COUNTS:
            if not (np.isfinite(log[name]) & (log[name] == np.floor(log[name]))).all():
                raise must(name, "be whole numbers", [row[name] for row in rows])
    except ValueError as error:
        raise RunError(str(must(str(path), "hold numbers", str(error)))) from error
    return log


def _lineage(path: Path) -> dict[bytes, Ancestor]:
    out: dict[bytes, Ancestor] = {}
    for row in _rows(path):
        try:
            genome = bytes.fromhex(row["genome"])
            parents = tuple(bytes.fromhex(parent) for parent in row["parents"].split())
            for one in (genome, *parents):
                as_genes(one)
            ancestor = Ancestor(int(row["generation"]), parents, row["operators"])
        except (ValueError, KeyError) as error:
            raise RunError(str(must(str(path), "hold a lineage", str(error)))) from error
        out.setdefault(genome, ancestor)  # bred again later: the first time counts
    return out
