"""Variation: uniform-byte crossover and byte mutation.

Each operator takes individuals and a Generator and returns new individuals; the parents stay as
they are. A child whose bytes equal a parent's keeps a copy of that parent's evaluation.
"""

from __future__ import annotations

import random  # noqa: TID251  # DEAP's operators draw from it: see `stock`
from collections.abc import Callable
from typing import Any

import numpy as np

from evo.chance import Rng, as_rng, chances, words
from evo.checks import number
from evo.genome import GENOME_SIZE
from evo.individual import Individual, check_length

__all__ = ["NUDGE", "mutate", "stock", "uniform_crossover"]

NUDGE = 16
"""Farthest step of a nudged byte."""


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
    first, second = (np.frombuffer(parent, np.uint8) for parent in (a, b))
    drawn = words(as_rng(rng), 3).astype("<u8").view(np.uint8)
    swap = np.negative(np.unpackbits(drawn)[:GENOME_SIZE])  # 0, or 255: all bits of a byte
    exchange = (first ^ second) & swap
    c, d = (first ^ exchange).tobytes(), (second ^ exchange).tobytes()
    return _child(c, a, b), _child(d, b, a)


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
    threshold = number("creep", creep, 0, 1) * 2**48
    loci = chances(rng, rate, GENOME_SIZE).nonzero()[0].tolist()
    new = bytearray(individual)
    # A word a locus, of which each draw has bits of its own.
    for locus, word in zip(loci, words(rng, len(loci)).tolist(), strict=True):
        if word >> 16 < threshold:
            new[locus] = _nudged(new[locus], (word >> 8) % (2 * NUDGE) - NUDGE)
        else:
            new[locus] = word % 256
    return _child(bytes(new), individual)


def _nudged(byte: int, step: int) -> int:
    """Return a byte moved by -16 to -1, or by 1 to 16 for a step of 0 to 15.

    Reflected between -1 and 0 and between 255 and 256: each pair of values is as likely one way
    as the other, so that nudges alone favor no value.
    """
    moved = byte + step + (step >= 0)
    if moved < 0:
        return -1 - moved
    return 511 - moved if moved > 255 else moved


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
