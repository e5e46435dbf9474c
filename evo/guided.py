"""A search that looks at other values first, and at the fitness only then.

A score that tells good plants from very good ones can be the same for all bad ones: Dice's
coefficient of a plant without a head says nothing of where the head is. A guide is a value that
is easier to climb; several of them lead from the coarse to the fine. What is best, and what is
kept, is told by the fitness alone.

Source: A. Blake and A. Zisserman 1987, "Visual Reconstruction" (graduated optimization: of a
row of problems, each nearer to the true one, each begins where the one before has ended).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from evo.checks import must, whole
from evo.individual import Individual
from evo.strategy import State, Strategy, named, part

__all__ = ["Guide", "Guided"]

Values: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]


class Guide(NamedTuple):
    """Values to search by, and until when.

    Parameters
    ----------
    values : callable
        From a table of what evaluations returned, float64 (n, ...), to values, float64 (n,) or
        (n, objectives), higher is better.
    evaluations : int
        How many there have been, founders included, when the next guide takes over, or the
        fitness behind the last one.
    """

    values: Values
    evaluations: int


@dataclass(frozen=True)
class Guided:
    """A search that is shown what a guide thinks of individuals instead of their fitness.

    The search keeps its population and its state when a guide gives way to the next one, and
    what it has learned with them.

    Parameters
    ----------
    search : Strategy
    guides : tuple of Guide
        At least one, none with fewer evaluations than the one before. One that ends where it
        would begin is never looked at: so it is where a budget is smaller than the founders.
    """

    search: Strategy
    guides: tuple[Guide, ...]

    def __post_init__(self) -> None:
        if not self.guides:
            raise must("guides", "hold at least one guide", self.guides)
        before = 1
        for guide in self.guides:
            before = whole("evaluations of a guide", guide.evaluations, before)

    def init(self, rng: np.random.Generator) -> tuple[list[Individual], State]:
        """Return the founders of the search, and its state with the evaluations so far."""
        founders, state = self.search.init(rng)
        return founders, {
            **named([(0, state)]),
            "evaluations": np.array(len(founders), np.int64),
        }

    def ask(
        self, population: Sequence[Individual], state: State, rng: np.random.Generator
    ) -> list[Individual]:
        """Return the children that the search makes of what it is shown."""
        real = _by_bytes(population)
        children = self.search.ask(self._shown(population, state), part(state, 0), rng)
        for child in children:
            if child.evaluated:  # a copy of one that was shown, with the guide's value
                child.share(real[bytes(child)])
        return children

    def tell(
        self, population: Sequence[Individual], state: State, children: Sequence[Individual]
    ) -> tuple[list[Individual], State]:
        """Return those that the search keeps of what it is shown, and its state."""
        members, born = (self._shown(people, state) for people in (population, children))
        kept, now = self.search.tell(members, part(state, 0), born)
        real = _by_bytes([*population, *children])
        used = int(state["evaluations"]) + len(children)
        return [real[bytes(one)] for one in kept], {
            **named([(0, now)]),
            "evaluations": np.array(used, np.int64),
        }

    def _shown(self, people: Sequence[Individual], state: State) -> Sequence[Individual]:
        """Return people as the guide of now sees them; behind the last guide, as they are."""
        used = int(state["evaluations"])
        guide = next((one for one in self.guides if used < one.evaluations), None)
        if guide is None or not people:
            return people
        scores = [one.scores for one in people if one.scores is not None]
        if len(scores) < len(people):
            raise must("population", "have the scores that a guide looks at", None)
        values = guide.values(np.stack(scores)).reshape(len(people), -1)
        return [_with(one, value) for one, value in zip(people, values.tolist(), strict=True)]


def _by_bytes(people: Sequence[Individual]) -> Mapping[bytes, Individual]:
    return {bytes(one): one for one in people}


def _with(individual: Individual, values: Sequence[float]) -> Individual:
    shown = individual.copy()
    shown.record(values, individual.scores, individual.born)
    return shown
