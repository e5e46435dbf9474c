"""Proof of a run: every hall-of-fame entry is grown again, and must be what was saved."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from evo import CheckpointError, Entry, from_hex
from evo.checks import must
from experiments.fame import Gallery
from experiments.inputs import changed_files
from experiments.problem import Problem
from experiments.rundir import RunDirectory, RunError
from experiments.saved import read_hall_of_fame
from render import GROWTH_MODEL, read_genome
from render.pillow import UNREADABLE, opened

__all__ = ["verify"]


def verify(run_dir: str | os.PathLike[str], kernel: str | None = None) -> list[str]:
    """Return what differs between a run's hall of fame and what its genomes give now.

    Every genome is grown, drawn and scored again, on the run's growth seeds and on the unseen
    ones, and compared to the bit: scores with hall_of_fame.json, pixels with the pictures.

    Parameters
    ----------
    run_dir : path
    kernel : str, optional
        By default the config's.

    Returns
    -------
    list of str, a line for each difference; empty when there is none.

    Raises
    ------
    RunError, ConfigError
        When it is no run, or has no hall of fame to compare with.
    """
    run = RunDirectory(run_dir)
    problem = Problem(run.config([] if kernel is None else [f"parallel.kernel={kernel}"]))
    problem.prepare()
    fame = read_hall_of_fame(run.path)
    if fame["growth_model"] != GROWTH_MODEL:
        requirement = f"be {GROWTH_MODEL!r}, which grows here"
        return [str(must("hall_of_fame.json: growth_model", requirement, fame["growth_model"]))]
    return [*_inputs(run, problem), *_differences(run, problem, fame)]


def _inputs(run: RunDirectory, problem: Problem) -> Iterator[str]:
    """Yield what changed in the files that the config names, as the newest checkpoint knows."""
    try:
        checkpoint = run.load()
    except (CheckpointError, RunError) as error:
        yield str(error)
        return
    if checkpoint is not None:
        yield from changed_files(problem.config, checkpoint.extra.get("inputs", {}))


def _differences(run: RunDirectory, problem: Problem, fame: Mapping[str, Any]) -> Iterator[str]:
    saved = fame["entries"]
    genomes = [from_hex(entry["genome"]) for entry in saved]
    table = problem.evaluator(genomes) if genomes else np.empty((0, 1, 1))
    values = problem.combine(table).reshape(len(genomes), -1).tolist() if genomes else []
    entries = [
        Entry(genome, tuple(value), scores, entry["generation"], ())
        for genome, value, scores, entry in zip(genomes, values, table, saved, strict=True)
    ]
    now = Gallery(problem, run).records(entries)
    for key in ("name", "seed", "growth_seeds", "unseen_growth_seeds"):
        if fame[key] != now[key]:
            yield str(must(f"hall_of_fame.json: {key}", f"be {now[key]}", fame[key]))
    compared = ("rank", "score", "scores", "unseen_score", "unseen_scores")
    for rank, (entry, record) in enumerate(zip(saved, now["entries"], strict=True), 1):
        for key in compared:
            if entry[key] != record[key]:
                yield f"entry {rank}: {key} must be {record[key]}, got {entry[key]}"
        yield from _picture(
            run.path / "hall_of_fame" / f"{rank:03d}.png", problem, genomes[rank - 1]
        )
    order = [
        ([-v for v in value], entry["generation"], genome)
        for value, entry, genome in zip(values, saved, genomes, strict=True)
    ]
    if order != sorted(order):
        yield "entries must be in the order of score, generation and genome"


def _picture(path: Path, problem: Problem, genome: bytes) -> Iterator[str]:
    recipe = problem.recipe(genome)
    name = f"{path.parent.name}/{path.name}"
    try:
        if read_genome(path) != recipe:
            yield f"{name} must carry the genome and the settings of its entry"
        with opened(path) as picture:
            pixels = np.asarray(picture.convert("RGBA"))
    except UNREADABLE as error:
        yield f"{name} must be a picture that can be read, got {error}"
        return
    drawn = problem.draw(recipe)
    if pixels.shape != drawn.shape:
        yield f"{name} must have the shape {drawn.shape}, got {pixels.shape}"
    elif not np.array_equal(pixels, drawn):
        n = np.count_nonzero((pixels != drawn).any(axis=2))
        yield f"{name} must be what its genome draws, got {n} other pixels"
