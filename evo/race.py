"""Runs of one search side by side, of which the worse half gives up again and again.

Source: K. Jamieson and A. Talwalkar 2016, "Non-stochastic Best Arm Identification and
Hyperparameter Optimization" (successive halving, there of settings instead of starts).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from evo.checks import must, whole
from evo.individual import Individual
from evo.strategy import State, Strategy, named, part

__all__ = ["Race"]

T = TypeVar("T")


@dataclass(frozen=True)
class Race:
    """Several runs of a search, each with founders of its own, and half of them dropped at a time.

    What a run comes to depends on the build that it settles on, and a good part of that shows
    early. Runs know nothing of each other; a generation has the children of all.

    Parameters
    ----------
    search : Strategy
        Of one objective, with as many founders, members and children in each run and generation.
    runs : int
        At the start.
    evaluations : int
        After so many, of all runs together and founders included, the worse half of the runs is
        dropped, and again after as many more, until one is left. Half of three is one.
    """

    search: Strategy
    runs: int
    evaluations: int

    def __post_init__(self) -> None:
        whole("runs", self.runs, 1)
        whole("evaluations", self.evaluations, 1)

    def init(self, rng: np.random.Generator) -> tuple[list[Individual], State]:
        """Return the founders of all runs, one run after the other, and the state.

        The state holds that of each run under its number, which runs are left, the best fitness
        of each of them, the evaluations so far and how many halvings there were.
        """
        starts = [self.search.init(rng) for _ in range(self.runs)]
        people = [individual for founders, _ in starts for individual in founders]
        return people, {
            **named((i, one) for i, (_, one) in enumerate(starts)),
            "left": np.arange(self.runs),
            "best": np.full(self.runs, -np.inf),
            "evaluations": np.array(len(people), np.int64),
            "halvings": np.array(0, np.int64),
        }

    def ask(
        self, population: Sequence[Individual], state: State, rng: np.random.Generator
    ) -> list[Individual]:
        """Return the children of all runs that are left, one run after the other."""
        return [
            child
            for i, members in _runs(population, state)
            for child in self.search.ask(members, part(state, i), rng)
        ]

    def tell(
        self, population: Sequence[Individual], state: State, children: Sequence[Individual]
    ) -> tuple[list[Individual], State]:
        """Return the members of the runs that are left, and the state."""
        used = int(state["evaluations"]) + len(children)
        told = []
        bests = state["best"].tolist()
        pairs = zip(_runs(population, state), _runs(children, state), bests, strict=True)
        for (i, members), (_, born), before in pairs:
            best = max(before, *map(_value, members), *map(_value, born))
            told.append((i, best, *self.search.tell(members, part(state, i), born)))
        halvings = int(state["halvings"])
        if len(told) > 1 and used >= (halvings + 1) * self.evaluations:
            halvings += 1
            order = sorted(told, key=lambda run: (-run[1], run[0]))
            told = sorted(order[: len(told) // 2], key=lambda run: run[0])
        return [individual for _, _, now, _ in told for individual in now], {
            **named((i, one) for i, _, _, one in told),
            "left": np.array([i for i, _, _, _ in told]),
            "best": np.array([best for _, best, _, _ in told]),
            "evaluations": np.array(used, np.int64),
            "halvings": np.array(halvings, np.int64),
        }


def _runs(people: Sequence[T], state: State) -> Iterator[tuple[int, Sequence[T]]]:
    """Give the number of each run that is left, and its part of some people."""
    left = state["left"].tolist()
    each, rest = divmod(len(people), len(left))
    if rest:
        raise must("search", "have as many members and children in each run", len(people))
    for at, i in enumerate(left):
        yield i, people[at * each : (at + 1) * each]


def _value(individual: Individual) -> float:
    values = individual.fitness.wvalues
    if len(values) != 1:
        raise must("fitness", "be one number, to be raced for", values)
    return values[0] if math.isfinite(values[0]) else -math.inf
