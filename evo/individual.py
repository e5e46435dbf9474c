"""The individual that breeds: 180 bytes and a fitness, as DEAP knows them.

Ordinary classes, not `deap.creator`'s, so that they survive every way of travelling between
processes. DEAP's statistics, logbook, sorting and byte operators work on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from deap import base
from numpy.typing import NDArray

from evo.checks import must, whole
from evo.genome import GENOME_SIZE, Genes, Genome, as_genes

__all__ = ["Fitness", "Individual"]


@cache
def _weights(n: int) -> tuple[float, ...]:
    return (1.0,) * whole("n", n, 1)


class Fitness(base.Fitness):  # type: ignore[misc]  # DEAP ships no types
    """The values of an individual, higher is better in each of them.

    Parameters
    ----------
    values : sequence of float
        Empty for an individual that was not evaluated.
    n : int
        Number of objectives when there are no values yet. Each has the weight 1.0, so that
        `values` gives back the floats that were put in, bit for bit.
    """

    wvalues: tuple[float, ...]

    def __init__(self, values: Sequence[float] = (), n: int = 1) -> None:
        # Not DEAP's __init__, which asks of each fitness anew whether weights are a sequence.
        self.weights = _weights(len(values) or n)
        if len(values):
            self.values = values

    @property
    def values(self) -> tuple[float, ...]:
        """The values themselves, since no weight changes them; empty when not evaluated."""
        return self.wvalues

    @values.setter
    def values(self, values: Sequence[float]) -> None:
        if len(values) != len(self.weights):
            raise must("values", f"be as many as the objectives ({len(self.weights)})", values)
        # A float stays the object that it is: a NaN equals no other.
        self.wvalues = tuple([v if type(v) is float else float(v * 1.0) for v in values])

    @values.deleter
    def values(self) -> None:
        self.wvalues = ()

    def __copy__(self) -> Fitness:
        return type(self)(self.wvalues, len(self.weights))

    def __deepcopy__(self, memo: dict[int, Any]) -> Fitness:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.wvalues, len(self.weights)))


class Individual(bytearray):
    """A genome with its fitness and where it came from.

    Parameters
    ----------
    genome : uint8 array of shape (10, 18), or 180 bytes
        Copied. Another dtype, shape or length is refused.
    n : int
        Number of objectives.

    Attributes
    ----------
    fitness : Fitness
        Its own; no two individuals share one.
    scores : float64 array, read-only, or None
        What the evaluation returned for it, before combining.
    parents : tuple of bytes
        The genomes that it was bred from: none for a founder.
    operators : str
        What made it, joined by "+".
    born : int
        The generation in which it was first evaluated.

    Raises
    ------
    ValueError
        If it is not a genome.
    """

    def __init__(self, genome: Genome, n: int = 1) -> None:
        whole_one = type(genome) is bytes and len(genome) == GENOME_SIZE  # as breeding makes them
        super().__init__(genome if whole_one else as_genes(genome).tobytes())
        self.fitness = Fitness(n=n)
        self.scores: NDArray[np.float64] | None = None
        self.parents: tuple[bytes, ...] = ()
        self.operators = ""
        self.born = 0
        # What was scored and what it got: two attributes, as fewer objects are less to collect.
        self._scored: bytes | None = None
        self._got: tuple[float, ...] = ()

    @property
    def genes(self) -> Genes:
        """The genome as a read-only uint8 view of shape (10, 18)."""
        return as_genes(self)

    @property
    def evaluated(self) -> bool:
        """Whether its fitness is what `record` kept, and of the bytes that it holds now."""
        values = self.fitness.wvalues
        return bool(values) and self._got == values and self._scored == bytes(self)

    def record(
        self, values: Sequence[float], scores: NDArray[np.float64] | None, born: int
    ) -> None:
        """Keep an evaluation of the bytes that it holds now, scores that can change as a copy."""
        if scores is not None and scores.flags.writeable:
            scores = scores.copy()
            scores.flags.writeable = False
        self.fitness = Fitness(tuple(values))
        self.scores = scores
        self.born = born
        self._scored, self._got = bytes(self), self.fitness.wvalues

    def share(self, twin: Individual) -> None:
        """Take over the evaluation and the history of an individual with the same bytes."""
        self.record(twin.fitness.values, twin.scores, twin.born)
        self.parents, self.operators = twin.parents, twin.operators

    def forget(self) -> None:
        """Drop an evaluation, one of bytes that it held before for example."""
        self.fitness = Fitness(n=len(self.fitness.weights))
        self.scores = None
        self._scored, self._got = None, ()

    def __copy__(self) -> Individual:
        twin = type(self)(bytes(self), len(self.fitness.weights))
        twin.__dict__.update(self.__dict__)
        twin.fitness = self.fitness.__copy__()
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Individual:
        return self.__copy__()

    def copy(self) -> Individual:
        """Return a twin with a fitness of its own, where a bytearray would lose it."""
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (bytes(self),), self.__dict__)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return self.__reduce__()

    def __repr__(self) -> str:
        values = self.fitness.values if self.fitness.valid else "not evaluated"
        return f"<Individual {bytes(self[:4]).hex()}... {values}>"


def check_length(individual: Individual) -> None:
    """Refuse an individual that an operator made longer or shorter."""
    if len(individual) != GENOME_SIZE:
        raise must("individual", f"hold {GENOME_SIZE} bytes", f"{len(individual)} bytes")
