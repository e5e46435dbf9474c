"""Hall-of-fame outputs: the records, the pictures and the contact sheet of a run.

An entry is scored again on growth seeds that the run never used. Scores and pictures are kept
by genome, so that only new entries cost anything.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from evo import Entry, to_hex
from evo.files import write_atomic
from experiments.problem import Problem
from experiments.rundir import RunDirectory
from experiments.sheet import contact_sheet
from render import GROWTH_MODEL
from render.png import encode_png

__all__ = ["Gallery"]


class Gallery:
    """Writes the hall of fame of a run whenever it is asked to.

    Parameters
    ----------
    problem : Problem
    run : RunDirectory
    """

    def __init__(self, problem: Problem, run: RunDirectory) -> None:
        self.problem = problem
        self.run = run
        self._unseen: dict[bytes, NDArray[np.float64]] = {}
        self._pictures: dict[bytes, NDArray[np.uint8]] = {}
        self._scenes: dict[bytes, NDArray[np.uint8]] = {}

    def write(self, entries: Sequence[Entry]) -> None:
        """Write hall_of_fame.json, a picture for each entry, and the contact sheet."""
        genomes = [entry.genome for entry in entries]
        self._pictures = {
            g: self._pictures[g] if g in self._pictures else self._drawn(g) for g in genomes
        }
        problem = self.problem
        if problem.land is not None:
            places = len(problem.windows)
            self._scenes = {
                g: self._scenes[g] if g in self._scenes else problem.scene([g] * places)
                for g in genomes
            }
        garden = self._garden(entries)
        records = self.records(entries)
        self.run.write_json("hall_of_fame.json", records)
        if problem.config.is_pareto:
            write_atomic(self.run.path / "front.csv", self._front(records["entries"]))
        self._write_pictures(entries)
        if garden:
            picture = problem.scene([genomes[index] for index in garden])
            buffer = io.BytesIO()
            Image.fromarray(picture).save(buffer, "PNG")
            write_atomic(self.run.path / "garden.png", buffer.getvalue())

    def _front(self, records: Sequence[Mapping[str, Any]]) -> bytes:
        """Return a row for each entry of a front: its objectives, seen and unseen."""
        names = self.problem.config.score_names
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        unseen = [f"{name}_unseen" for name in names] if self.problem.unseen_seeds else []
        writer.writerow(["rank", *names, *unseen, "generation", "genome"])
        for record in records:
            values = [*record["score"], *(record["unseen_score"] or [])]
            writer.writerow([record["rank"], *values, record["generation"], record["genome"]])
        return text.getvalue().encode()

    def _garden(self, entries: Sequence[Entry]) -> list[int]:
        """Return the entry at each of several places, by its index; none for a single place."""
        tables = [entry.scores for entry in entries if entry.scores is not None]
        if len(self.problem.windows) == 1 or not entries or len(tables) < len(entries):
            return []
        return self.problem.best_places(tables)

    def records(self, entries: Sequence[Entry]) -> dict[str, Any]:
        """Return what hall_of_fame.json says of some entries."""
        problem = self.problem
        self._unseen = self._scored([entry.genome for entry in entries])
        garden = self._garden(entries)
        return {
            "growth_model": GROWTH_MODEL,
            "name": problem.config.name,
            "seed": str(problem.config.seed),
            "growth_seeds": [str(seed) for seed in problem.seeds],
            "unseen_growth_seeds": [str(seed) for seed in problem.unseen_seeds],
            "entries": [self._record(rank, entry) for rank, entry in enumerate(entries, 1)],
            **({"garden": [index + 1 for index in garden]} if garden else {}),
        }

    def _scored(self, genomes: Sequence[bytes]) -> dict[bytes, NDArray[np.float64]]:
        if not self.problem.unseen_seeds:
            return {}
        new = [genome for genome in genomes if genome not in self._unseen]
        known = {**self._unseen, **dict(zip(new, self.problem.unseen(new), strict=True))}
        return {genome: known[genome] for genome in genomes}

    def _drawn(self, genome: bytes) -> NDArray[np.uint8]:
        return self.problem.draw(self.problem.recipe(genome))

    def _record(self, rank: int, entry: Entry) -> dict[str, Any]:
        unseen = self._unseen.get(entry.genome)
        return {
            "rank": rank,
            "genome": to_hex(entry.genome),
            "score": entry.values[0] if len(entry.values) == 1 else list(entry.values),
            "scores": self._means(entry.scores),
            "unseen_score": self._combined(unseen),
            "unseen_scores": self._means(unseen),
            "generation": entry.generation,
            "parents": [to_hex(parent) for parent in entry.parents],
        }

    def _combined(self, scores: NDArray[np.float64] | None) -> float | list[float] | None:
        if scores is None:
            return None
        value: float | list[float] = self.problem.combine(scores[np.newaxis])[0].tolist()
        return value

    def _means(self, scores: NDArray[np.float64] | None) -> dict[str, float] | None:
        """Return the mean of each score and of the frame factor over the growth seeds."""
        if scores is None:
            return None
        names = (*self.problem.config.score_names, "frame")
        total = self.problem.without_guides(scores).sum(axis=0)
        return {name: float(t) / len(scores) for name, t in zip(names, total, strict=True)}

    def _write_pictures(self, entries: Sequence[Entry]) -> None:
        self._write_folder("hall_of_fame", entries, self._pictures)
        if self._scenes:
            self._write_folder("scenes", entries, self._scenes)
        shown = self._scenes or self._pictures
        pictures = [shown[entry.genome] for entry in entries]
        labels = [
            f"{rank}    {' '.join(f'{value:.3f}' for value in entry.values)}"
            for rank, entry in enumerate(entries, 1)
        ]
        if entries:
            contact_sheet(self.run.path / "contact_sheet.png", pictures, labels)

    def _write_folder(
        self,
        name: str,
        entries: Sequence[Entry],
        pictures: Mapping[bytes, NDArray[np.uint8]],
    ) -> None:
        folder = self.run.path / name
        folder.mkdir(exist_ok=True)
        for rank, entry in enumerate(entries, 1):
            recipe = self.problem.recipe(entry.genome)
            picture = Image.fromarray(pictures[entry.genome])
            write_atomic(folder / f"{rank:03d}.png", encode_png(picture, recipe))
        for path in folder.glob("*.png"):
            if path.stem.isdecimal() and int(path.stem) > len(entries):
                path.unlink()
