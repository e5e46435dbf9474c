"""Several objectives side by side: NSGA-II.

An individual with a value that is not finite ranks below all others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from deap import base, tools
from numpy.typing import NDArray

from evo.chance import Rng
from evo.individual import Fitness, Individual
from evo.selection import contests
from evo.strategy import Genetic, Population, State

__all__ = ["Pareto", "crowded_tournament"]


class _Place:
    """A member of a population for DEAP's sorting, which writes into the fitness."""

    def __init__(self, index: int, values: Sequence[float]) -> None:
        self.index = index
        self.fitness = Fitness(tuple(values))


def _finite(population: Sequence[Individual]) -> list[_Place]:
    """Return the members whose values are all finite."""
    return [
        _Place(index, individual.fitness.values)
        for index, individual in enumerate(population)
        if individual.fitness.values and all(map(math.isfinite, individual.fitness.values))
    ]


def _best(population: Sequence[Individual], n: int) -> list[Individual]:
    """Return the n best by NSGA-II."""
    places = _finite(population)
    chosen = [one.index for one in tools.selNSGA2(places, min(n, len(places)))] if places else []
    known = {place.index for place in places}
    other = [index for index in range(len(population)) if index not in known]
    return [population[index] for index in [*chosen, *other[: n - len(chosen)]]]


def crowded_tournament(
    population: Sequence[Individual], n: int, size: int, rng: Rng
) -> list[Individual]:
    """Return the winners of n tournaments by front, then by crowding distance.

    Parameters
    ----------
    population : sequence of Individual
        All evaluated, at least one.
    n : int
        Number of tournaments.
    size : int
        Contestants each, drawn with replacement.
    rng : numpy Generator over PCG64, or a seed

    Returns
    -------
    list of n members of the population. Of contestants with equal front and distance the one
    that was drawn first wins.

    References
    ----------
    K. Deb, A. Pratap, S. Agarwal and T. Meyarivan 2002, "A fast and elitist multiobjective
    genetic algorithm: NSGA-II", the crowded-comparison operator.
    """
    return contests(population, _crowded_rank(population), n, size, rng)


def _crowded_rank(population: Sequence[Individual]) -> NDArray[np.int64]:
    """Return a place for each individual, int64 (n,), equal for equal front and distance."""
    keys: list[tuple[float, float]] = [(math.inf, 0.0)] * len(population)
    places = _finite(population)
    sorted_fronts = tools.sortNondominated(places, len(places)) if places else []
    for number, members in enumerate(sorted_fronts):
        tools.emo.assignCrowdingDist(members)
        for one in members:
            keys[one.index] = (number, -one.fitness.crowding_dist)
    order = {key: place for place, key in enumerate(sorted(set(keys)))}
    return np.array([order[key] for key in keys], np.int64)


@dataclass(frozen=True)
class Pareto(Genetic):
    """NSGA-II: parents and children compete by front, then by how alone they stand on it.

    Breeds as `Genetic` does, with parents picked by `crowded_tournament`; as many children as
    individuals are made, and of both together DEAP's `selNSGA2` keeps the best. No bytes are kept
    twice while there are others. `elites` is without effect: the front itself stays.
    """

    @property
    def n_elites(self) -> int:
        """0: nothing is set apart from the children."""
        return 0

    def tools(self) -> base.Toolbox:
        """Return the operators: of `Genetic`, but for the selection."""
        made = super().tools()
        if self.toolbox is None:
            made.register("select", crowded_tournament, size=self.tournament)
        return made

    def tell(
        self, population: Population, state: State, children: Population
    ) -> tuple[list[Individual], State]:
        """Return the best of parents and children, front by front."""
        everyone = [*population, *children]
        first = {bytes(one): one for one in reversed(everyone)}
        single = [one for one in everyone if first[bytes(one)] is one]
        twins = [one for one in everyone if first[bytes(one)] is not one]
        kept = _best(single, self.population)
        return [*kept, *twins[: self.population - len(kept)]], state
