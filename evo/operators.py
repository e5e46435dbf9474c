"""Variation: uniform-byte crossover and byte mutation.

Each operator takes individuals and a Generator and returns new individuals; the parents stay as
they are. A child whose bytes equal a parent's keeps a copy of that parent's evaluation.
"""

from __future__ import annotations

import math
import random  # noqa: TID251  # DEAP's operators draw from it: see `stock`
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from evo.chance import Rng, as_rng, chances, words
from evo.checks import number
from evo.genome import GENOME_SIZE
from evo.individual import Individual, check_length

__all__ = ["NUDGE", "mutate", "stock", "uniform_crossover"]

NUDGE = 16
"""Farthest step of a nudged byte."""

WORDS_TO_CROSS = 3
"""64-bit words that a crossover draws: a bit for each locus."""

Alleles: TypeAlias = NDArray[np.uint8]


def _child(genome: bytes, *parents: Individual) -> Individual:
    for parent in parents:
        if bytearray.__eq__(parent, genome):
            return parent.__copy__()
    return Individual(genome, len(parents[0].fitness.weights))


def uniform_crossover(a: Individual, b: Individual, rng: Rng) -> tuple[Individual, Individual]:
    """Return two children that hold, at each locus, the two alleles of their parents.

    Parameters
    ----------
    a, b : Individual
        Unchanged.
    rng : numpy Generator over PCG64, or a seed
        180 of its bits say which child takes which parent's byte.

    Returns
    -------
    two Individuals, which share no memory and no fitness with their parents.

    References
    ----------
    G. Syswerda 1989, "Uniform Crossover in Genetic Algorithms".
    """
    first, second = (np.frombuffer(parent, np.uint8)[np.newaxis] for parent in (a, b))
    c, d = exchanged(first, second, words(as_rng(rng), WORDS_TO_CROSS)[np.newaxis])
    return _child(c.tobytes(), a, b), _child(d.tobytes(), b, a)


def exchanged(a: Alleles, b: Alleles, drawn: NDArray[np.uint64]) -> tuple[Alleles, Alleles]:
    """Return the alleles of the two children of each pair of parents, uint8 (n, 180) each.

    Parameters
    ----------
    a, b : uint8 arrays of shape (n, 180)
    drawn : uint64 array of shape (n, 3)
        Words, of whose bits those set exchange what stands at their locus.
    """
    bits = np.unpackbits(drawn.astype("<u8").view(np.uint8), axis=1)[:, :GENOME_SIZE]
    exchange = (a ^ b) & np.negative(bits)  # 0, or 255: all bits of a byte
    return a ^ exchange, b ^ exchange


def mutate(individual: Individual, rng: Rng, rate: float = 0.02, creep: float = 0.5) -> Individual:
    """Return a child of one parent, each byte changed with a probability.

    Parameters
    ----------
    individual : Individual
        Unchanged.
    rng : numpy Generator over PCG64, or a seed
    rate : float in [0, 1]
        Probability that a byte mutates; 0 returns a copy.
    creep : float in [0, 1]
        Share of the mutated bytes that are nudged by 1 to 16 either way, reflected at 0 and
        255; the rest are redrawn from all 256 values.

    Returns
    -------
    Individual with a fitness of its own, invalid when a byte changed.
    """
    rng = as_rng(rng)
    number("creep", creep, 0, 1)
    (loci,) = chances(rng, rate, GENOME_SIZE).nonzero()
    new = np.array(individual, np.uint8)
    new[loci] = changed(new[loci], words(rng, len(loci)), creep)
    return _child(new.tobytes(), individual)


def changed(alleles: Alleles, drawn: NDArray[np.uint64], creep: float) -> Alleles:
    """Return what mutation makes of some alleles, uint8 (n,).

    Parameters
    ----------
    alleles : uint8 array of shape (n,)
    drawn : uint64 array of shape (n,)
        A word each, of which each choice has bits of its own.
    creep : float in [0, 1]
    """
    nudged = _NUDGED[alleles, (drawn >> np.uint64(8)) % np.uint64(2 * NUDGE)]
    creeps = (drawn >> np.uint64(16)) < np.uint64(math.ceil(creep * 2**48))
    return np.where(creeps, nudged, drawn.astype(np.uint8))


def _nudges() -> Alleles:
    """Return each byte moved by -16 to -1 and by 1 to 16, uint8 (256, 32).

    Reflected between -1 and 0 and between 255 and 256: each pair of values is as likely one way
    as the other, so that nudges alone favor no value.
    """
    steps = np.arange(-NUDGE, NUDGE)
    moved = np.arange(256)[:, np.newaxis] + steps + (steps >= 0)
    return np.where(moved < 0, -1 - moved, np.where(moved > 255, 511 - moved, moved)).astype(
        np.uint8
    )


_NUDGED = _nudges()


def stock(operator: Callable[..., Any], **keywords: Any) -> Callable[..., Any]:
    """Return one of DEAP's own operators with the signature of ours.

    DEAP's operators change their arguments and draw from the global `random`. The adapted one
    works on copies, draws from a state seeded by `rng`, and puts the global state back.

    Parameters
    ----------
    operator : callable
        For example `deap.tools.cxTwoPoint`, or `deap.tools.selTournament`.
    **keywords
        Passed on, for example `indpb=0.02`.

    Returns
    -------
    callable of (individual, ..., rng=) that returns an Individual or a tuple of them as the
    operator does, without the one-tuple of DEAP's mutations. A selection, which is handed a
    list, returns members of that list.
    """

    def adapted(*arguments: Any, rng: Rng, **more: Any) -> Any:
        given = [a.__copy__() if isinstance(a, Individual) else a for a in arguments]
        before = {id(a): bytes(a) for a in given if isinstance(a, Individual)}
        seed = int(words(as_rng(rng), 1)[0])
        state = random.getstate()
        try:
            random.seed(seed)
            made = operator(*given, **{**keywords, **more})
        finally:
            random.setstate(state)
        for individual in (made,) if isinstance(made, Individual) else made:
            check_length(individual)
            if before.get(id(individual), individual) != individual:
                individual.forget()
        return made[0] if isinstance(made, tuple) and len(made) == 1 else made

    return adapted
