"""The hall of fame: the best individuals that a run has ever seen.

DEAP's keeps ties by their place in the population and lets NaN in; this one has one order for
every run, and a distance that keeps its members apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evo.checks import number, whole
from evo.front import front, spread
from evo.individual import Individual

__all__ = ["Distance", "Entry", "HallOfFame"]

Distance = Callable[[bytes, bytes], float]
"""How far two genomes lie apart; a run hands one over that looks at their pictures."""


@dataclass(frozen=True)
class Entry:
    """A member of the hall of fame.

    Parameters
    ----------
    genome : bytes
    values : tuple of float
        Its fitness, one value an objective.
    scores : float64 array or None
        What the evaluation returned for it, before combining.
    generation : int
        In which it was first found.
    parents : tuple of bytes
    """

    genome: bytes
    values: tuple[float, ...]
    scores: NDArray[np.float64] | None = field(compare=False)
    generation: int
    parents: tuple[bytes, ...]

    @classmethod
    def of(cls, individual: Individual) -> Entry:
        """Return an evaluated individual as an entry."""
        return cls(
            bytes(individual),
            tuple(individual.fitness.values),
            individual.scores,
            individual.born,
            individual.parents,
        )

    @property
    def order(self) -> tuple[tuple[float, ...], int, bytes]:
        """What entries are sorted by: score falling, first generation, genome bytes."""
        return _order(self.values, self.generation, self.genome)


@dataclass(frozen=True)
class HallOfFame:
    """The best entries so far, best first, no genome twice.

    Of several objectives it holds the front: what no other entry equals or exceeds in each of
    them. Beyond its size those stay that lie farthest apart, the best of each objective first;
    they stand in the order of the first objective.

    Parameters
    ----------
    size : int
        How many it holds at most; 0 holds none.
    distance : callable of two genomes, optional
        Asked only of those that are good enough.
    min_distance : float
        An entry nearer than this to a better one is left out; 0 keeps all.
    entries : tuple of Entry
    """

    size: int
    distance: Distance | None = None
    min_distance: float = 0.0
    entries: tuple[Entry, ...] = ()

    def __post_init__(self) -> None:
        whole("size", self.size, 0)
        number("min_distance", self.min_distance, 0)

    def updated(self, population: Iterable[Individual]) -> HallOfFame:
        """Return the hall of fame after a generation.

        What is not finite never enters. An individual that was left out for its nearness to a
        better one is looked at again for as long as it is in the population.
        """
        known = {entry.genome for entry in self.entries}
        ranked: list[tuple[Any, ...]] = [(*entry.order, entry) for entry in self.entries]
        least = self._least()
        for individual in population:
            values = individual.fitness.values
            if values < least:
                continue
            genome = bytes(individual)
            if genome not in known and _finite(values):
                known.add(genome)
                ranked.append((*_order(values, individual.born, genome), individual))
        ranked.sort(key=lambda row: row[:3])
        members = [member for *_, member in ranked]
        if members and len(ranked[0][0]) > 1:
            return self.holding(self._front(members, [row[0] for row in ranked]))
        return self.holding(self._apart(members))

    def holding(self, entries: Sequence[Entry]) -> HallOfFame:
        """Return a hall of fame of the same kind with other entries."""
        return replace(self, entries=tuple(entries))

    def _least(self) -> tuple[float, ...]:
        """Return what a value must reach to enter: when it is full, the last entry's, of one.

        Where a better one pushes out all that are near it, a place can come free for a worse one.
        """
        one = len(self.entries) == self.size > 0 and len(self.entries[-1].values) == 1
        spaced = self.distance is not None and self.min_distance > 0
        return self.entries[-1].values if one and not spaced else ()

    def _apart(self, ranked: Sequence[Entry | Individual]) -> list[Entry]:
        kept: list[Entry] = []
        for member in ranked:
            if len(kept) == self.size:
                break
            entry = member if isinstance(member, Entry) else Entry.of(member)
            if all(self._far(entry, better) for better in kept):
                kept.append(entry)
        return kept

    def _front(
        self, ranked: Sequence[Entry | Individual], falling: Sequence[Sequence[float]]
    ) -> list[Entry]:
        """Return members of the front, spread over it, in the order of `ranked`."""
        values = [[-value for value in row] for row in falling]
        best = front(values)
        entries = [m if isinstance(m, Entry) else Entry.of(m) for m in (ranked[i] for i in best)]

        def far(index: int, kept: Sequence[int]) -> bool:
            return all(self._far(entries[index], entries[other]) for other in kept)

        chosen = spread([values[i] for i in best], self.size, far)
        return [entries[index] for index in sorted(chosen)]

    def _far(self, a: Entry, b: Entry) -> bool:
        if self.distance is None or self.min_distance == 0:
            return True
        return self.distance(a.genome, b.genome) >= self.min_distance


def _order(
    values: Sequence[float], generation: int, genome: bytes
) -> tuple[tuple[float, ...], int, bytes]:
    return tuple([-value for value in values]), generation, genome


def _finite(values: Sequence[float]) -> bool:
    return bool(values) and all(map(math.isfinite, values))
