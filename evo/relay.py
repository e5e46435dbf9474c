"""One search after another: the second goes on from the best that the first found.

One search finds the region, the other one the top of it. In E.-G. Talbi 2002, "A Taxonomy of
Hybrid Metaheuristics", this is high-level relay hybridization.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evo.checks import whole
from evo.individual import Individual
from evo.selection import elites
from evo.strategy import State, Strategy, named, part

__all__ = ["Relay"]

_FOUNDERS, _FIRST, _SECOND = range(3)


@dataclass(frozen=True)
class Relay:
    """A search that hands its best over to another one.

    The first search works as if it were alone; the best of all is kept behind its population.
    After some evaluations that one is the whole population, and the second search goes on from
    it as from its only founder.

    Parameters
    ----------
    first, second : Strategy
        Of one objective. The second must be able to go on from one founder.
    evaluations : int
        How many the first one gets, founders included; it ends the generation that it is in.
    """

    first: Strategy
    second: Strategy
    evaluations: int

    def __post_init__(self) -> None:
        whole("evaluations", self.evaluations, 1)

    def init(self, rng: np.random.Generator) -> tuple[list[Individual], State]:
        """Return the founders of the first search, and the state.

        The state holds those of both, as "0." and "1.", the evaluations so far and whose turn
        it is: 0 for the first search that has its founders alone, 1 for it, 2 for the second.
        """
        founders, first = self.first.init(rng)
        _, second = self.second.init(rng)
        return founders, {
            **named([(0, first), (1, second)]),
            "evaluations": np.array(len(founders), np.int64),
            "turn": np.array(_FOUNDERS, np.int64),
        }

    def ask(
        self, population: Sequence[Individual], state: State, rng: np.random.Generator
    ) -> list[Individual]:
        """Return the children of the search whose turn it is."""
        if state["turn"] == _SECOND:
            return self.second.ask(population, part(state, 1), rng)
        return self.first.ask(_members(population, state), part(state, 0), rng)

    def tell(
        self, population: Sequence[Individual], state: State, children: Sequence[Individual]
    ) -> tuple[list[Individual], State]:
        """Return the next population and state; hand over when it is time to."""
        if state["turn"] == _SECOND:
            now, second = self.second.tell(population, part(state, 1), children)
            return now, {**state, **named([(1, second)])}
        now, first = self.first.tell(_members(population, state), part(state, 0), children)
        best = elites([*population, *children], 1)
        used = int(state["evaluations"]) + len(children)
        over = used >= self.evaluations
        return best if over else [*now, *best], {
            **state,
            **named([(0, first)]),
            "evaluations": np.array(used, np.int64),
            "turn": np.array(_SECOND if over else _FIRST, np.int64),
        }


def _members(population: Sequence[Individual], state: State) -> Sequence[Individual]:
    """Return the population of the first search: without the best, which is kept behind it."""
    return population if state["turn"] == _FOUNDERS else population[:-1]
