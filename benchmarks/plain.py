"""The same work without evogarden's drawing, scores, loop and pool: DEAP's eaSimple and Pillow.

As a user would write it after the tutorials. Growth is evogarden's own, for want of another.
"""

from __future__ import annotations

import random  # noqa: TID251  # DEAP draws from it, and is seeded by it
from collections.abc import Iterable
from typing import Any

import numpy as np
from deap import algorithms, base, tools
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from evo import founders
from render import grow

__all__ = ["evolve_plainly"]


class _Fitness(base.Fitness):  # type: ignore[misc]  # DEAP has no types
    weights = (1.0,)


class _Individual(list[int]):
    def __init__(self, genes: Iterable[int]) -> None:
        super().__init__(genes)
        self.fitness = _Fitness()


SIZE, UNIT, SEEDS = 256, 1024, (1, 2, 3)


def picture(genome: bytes, seed: int) -> NDArray[np.bool_]:
    """Return what a plant covers, drawn by Pillow."""
    circles = grow(genome, seed)
    image = Image.new("1", (SIZE, SIZE))
    pen = ImageDraw.Draw(image)
    x = (circles.x / UNIT + SIZE / 2).tolist()
    y = (circles.y / UNIT + SIZE * 15 / 16).tolist()
    r = np.maximum(circles.diameter / UNIT / 2, 0.709).tolist()
    for a, b, c in zip(x, y, r, strict=True):
        pen.ellipse((a - c, b - c, a + c, b + c), fill=1)
    return np.asarray(image)


def evaluate(individual: list[int]) -> tuple[float]:
    """Return coverage between bounds, times the likeness of the halves, over the growth seeds."""
    total = 0.0
    for seed in SEEDS:
        mask = picture(bytes(individual), seed)
        share = mask.mean()
        covered = min(1.0, share / 0.1) * min(1.0, (1 - share) / 0.7)
        mirrored = mask[:, ::-1]
        either = (mask | mirrored).sum()
        total += (covered * ((mask & mirrored).sum() / either if either else 0.0)) ** 0.5
    return (total / len(SEEDS),)


def evolve_plainly(population: int, generations: int) -> int:
    """Run eaSimple, and return how many genomes it evaluated."""
    box = base.Toolbox()
    box.register("evaluate", evaluate)
    box.register("mate", tools.cxUniform, indpb=0.5)
    box.register("mutate", tools.mutUniformInt, low=0, up=255, indpb=0.02)
    box.register("select", tools.selTournament, tournsize=3)
    before = random.getstate()
    random.seed(1)
    try:
        start = [_Individual(one) for one in founders("seedling", population, 1)]
        statistics: Any = tools.Statistics()
        _, log = algorithms.eaSimple(
            start, box, 0.9, 0.5, generations, stats=statistics, verbose=False
        )
    finally:
        random.setstate(before)
    return int(sum(log.select("nevals")))
