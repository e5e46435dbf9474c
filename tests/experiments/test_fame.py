"""What a gallery leaves in the run directory."""

from dataclasses import replace

import numpy as np

from evo import Entry, founders
from experiments.fame import Gallery
from experiments.problem import Problem
from experiments.rundir import RunDirectory
from render import read_genome


def gallery(tiny, path):
    problem = Problem(tiny)
    entries = [
        Entry(bytes(genome), (0.5 - 0.1 * index,), np.zeros((2, 3)), 0, ())
        for index, genome in enumerate(founders("seedling", 4, 3))
    ]
    return Gallery(problem, RunDirectory.create(tiny, path)), problem, entries


def names(path):
    return sorted(one.name for one in (path / "hall_of_fame").iterdir())


def test_pictures_of_entries_that_left_are_removed_and_no_others(tiny, tmp_path):
    made, problem, entries = gallery(tiny, tmp_path / "run")
    made.write(entries)
    assert names(made.run.path) == ["001.png", "002.png", "003.png", "004.png"]
    for mine in ("mine.png", "004.txt", "x004.png"):
        (made.run.path / "hall_of_fame" / mine).write_bytes(b"mine")
    made.write(entries[2:])
    left = ["001.png", "002.png", "004.txt", "mine.png", "x004.png"]
    assert names(made.run.path) == left
    for rank, entry in enumerate(entries[2:], 1):
        saved = read_genome(made.run.path / "hall_of_fame" / f"{rank:03d}.png")
        assert saved == problem.recipe(entry.genome)


def test_a_picture_carries_its_whole_recipe(tiny, tmp_path, monkeypatch):
    made, problem, entries = gallery(tiny, tmp_path / "run")
    plain = Problem.recipe

    def wide(self, genome, place=0):
        return replace(plain(self, genome, place), least_diameter=1024)

    monkeypatch.setattr(Problem, "recipe", wide)
    made.write(entries[:1])
    saved = read_genome(made.run.path / "hall_of_fame" / "001.png")
    assert saved == problem.recipe(entries[0].genome)
    assert saved.least_diameter == 1024
