"""Selection: who is better, who breeds, who stays.

A fitness that is not finite ranks below every finite one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evo.chance import Rng, as_rng, below
from evo.checks import must, whole
from evo.individual import Individual

__all__ = ["contests", "elites", "rank", "tournament"]


def rank(population: Sequence[Individual]) -> NDArray[np.int64]:
    """Return the place of each individual, int64 (n,), 0 for the best.

    Ordered by fitness, equal ones by their place in the population.
    """
    values = [individual.fitness.wvalues for individual in population]
    keys = [v if all(map(math.isfinite, v)) else () for v in values]  # () is below any other
    order = sorted(range(len(keys)), key=keys.__getitem__, reverse=True)  # equal ones stay in order
    places = np.empty(len(population), np.int64)
    places[order] = np.arange(len(population))
    return places


def tournament(population: Sequence[Individual], n: int, size: int, rng: Rng) -> list[Individual]:
    """Return the winners of n tournaments, members of the population itself.

    Parameters
    ----------
    population : sequence of Individual
        All evaluated, at least one.
    n : int
        Number of tournaments.
    size : int
        Contestants each, drawn with replacement; 1 picks at random.
    rng : numpy Generator over PCG64, or a seed
    """
    return contests(population, rank(population), n, size, rng)


def contests(
    population: Sequence[Individual], places: NDArray[np.int64], n: int, size: int, rng: Rng
) -> list[Individual]:
    """Return the winners of n contests by place, 0 being the best; of equals the first drawn."""
    if not population:
        raise must("population", "hold at least one individual", 0)
    n, size = whole("n", n, 0), whole("size", size, 1)
    drawn = below(as_rng(rng), len(population), n * size).reshape(n, size)
    winners = np.take_along_axis(drawn, places[drawn].argmin(axis=1)[:, np.newaxis], axis=1)
    return [population[i] for i in winners[:, 0]]


def elites(population: Sequence[Individual], n: int) -> list[Individual]:
    """Return the n best of a population, best first; members of the population itself."""
    places = rank(population)
    return [population[i] for i in np.argsort(places)[: whole("n", n, 0)]]
