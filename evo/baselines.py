"""Simple searches to compare with: random search and hill climbing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evo.checks import number, whole
from evo.individual import Individual
from evo.operators import mutate
from evo.population import founders
from evo.selection import elites
from evo.strategy import State

__all__ = ["HillClimbing", "RandomSearch"]


@dataclass(frozen=True)
class RandomSearch:
    """New founders in every generation; the best of all is kept beside them.

    Parameters
    ----------
    population : int
        Individuals in every generation, at least 1.
    founders : str
        Kind of founders.
    """

    population: int = 100
    founders: str = "seedling"

    def __post_init__(self) -> None:
        whole("population", self.population, 1)

    def init(self, rng: np.random.Generator) -> tuple[list[Individual], State]:
        """Return the first founders and an empty state."""
        return founders(self.founders, self.population, rng), {}

    def ask(
        self, population: Sequence[Individual], state: State, rng: np.random.Generator
    ) -> list[Individual]:
        """Return as many new founders."""
        return founders(self.founders, self.population, rng)

    def tell(
        self, population: Sequence[Individual], state: State, children: Sequence[Individual]
    ) -> tuple[list[Individual], State]:
        """Return the best so far and all new founders but the worst."""
        best = elites([*population, *children], 1)[0]
        others = [child for child in children if child is not best]
        return [best, *elites(others, self.population - 1)], state


@dataclass(frozen=True)
class HillClimbing:
    """(1+1): a mutant replaces its parent when it is at least as good.

    Parameters
    ----------
    n_founders : int
        The best of so many is where the climb begins.
    mutation, creep : float in [0, 1]
        As in `evo.mutate`; a mutant that equals its parent is drawn again.
    founders : str
        Kind of founders.
    """

    n_founders: int = 100
    mutation: float = 0.02
    creep: float = 0.5
    founders: str = "seedling"

    def __post_init__(self) -> None:
        whole("n_founders", self.n_founders, 1)
        number("mutation", self.mutation, 0.0001, 1)
        number("creep", self.creep, 0, 1)

    def init(self, rng: np.random.Generator) -> tuple[list[Individual], State]:
        """Return the founders and an empty state."""
        return founders(self.founders, self.n_founders, rng), {}

    def ask(
        self, population: Sequence[Individual], state: State, rng: np.random.Generator
    ) -> list[Individual]:
        """Return one mutant of the best."""
        parent = elites(population, 1)[0]
        child = parent
        while bytes(child) == bytes(parent):
            child = mutate(parent, rng, self.mutation, self.creep)
        child.parents, child.operators = (bytes(parent),), "mutation"
        return [child]

    def tell(
        self, population: Sequence[Individual], state: State, children: Sequence[Individual]
    ) -> tuple[list[Individual], State]:
        """Return the mutant if it is at least as good, else the parent."""
        return elites([*children, *elites(population, 1)], 1), state
