"""Crossover and mutation of a whole generation: what one by one gives, faster.

Chance is drawn in the order in which `operators.uniform_crossover` and `operators.mutate` draw
it pair after pair, so that both ways make the same children.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evo.chance import happens, words
from evo.genome import GENOME_SIZE
from evo.individual import Individual
from evo.operators import WORDS_TO_CROSS, Alleles, changed, exchanged

__all__ = ["brood"]


def brood(
    parents: Sequence[Individual],
    crossed: NDArray[np.bool_],
    rng: np.random.Generator,
    rate: float,
    creep: float,
) -> tuple[Alleles, NDArray[np.bool_]]:
    """Return two children of each pair of parents, and whether mutation changed them.

    Parameters
    ----------
    parents : sequence of 2 n Individuals
        Every two beside each other are a pair. Unchanged.
    crossed : bool array of shape (n,)
        Whether a pair is crossed; of the others each parent is copied.
    rng : numpy Generator over PCG64
    rate, creep : float in [0, 1]
        See `operators.mutate`.

    Returns
    -------
    uint8 array of shape (2 n, 180), bool array of shape (2 n,)
    """
    pairs = np.frombuffer(b"".join(parents), np.uint8).reshape(len(crossed), 2, GENOME_SIZE).copy()
    drawn = _draw(rng, crossed, rate)
    of_swaps = drawn.stream[drawn.swaps[:, np.newaxis] + np.arange(WORDS_TO_CROSS)]
    pairs[crossed] = np.stack(exchanged(pairs[crossed, 0], pairs[crossed, 1], of_swaps), axis=1)
    children = pairs.reshape(-1, GENOME_SIZE)
    before = children[drawn.child, drawn.locus]
    after = changed(before, drawn.stream[drawn.word], creep)
    children[drawn.child, drawn.locus] = after
    mutated = np.zeros(len(children), np.bool_)
    mutated[drawn.child[before != after]] = True
    return children, mutated


class _Drawn(NamedTuple):
    """The words of a generation, and the places in them: of each crossover and each mutation."""

    stream: NDArray[np.uint64]
    swaps: NDArray[np.int64]
    child: NDArray[np.int64]
    locus: NDArray[np.int64]
    word: NDArray[np.int64]


def _draw(rng: np.random.Generator, crossed: NDArray[np.bool_], rate: float) -> _Drawn:
    """Return all chance that some pairs use, and not a word more.

    A pair draws the words of its crossover; each of its children then one for every locus, and
    one more for every locus at which it mutates.
    """
    stream = words(
        rng, WORDS_TO_CROSS * int(np.count_nonzero(crossed)) + 2 * GENOME_SIZE * len(crossed)
    )
    hits = np.flatnonzero(happens(stream, rate)).tolist()
    swaps, begins, first, counts = [], [], [], []
    at = owed = 0
    for both in crossed.tolist():
        if both:
            swaps.append(at)
            at += WORDS_TO_CROSS
        for _ in range(2):
            while at + GENOME_SIZE > len(stream):  # what mutations before have taken
                more = words(rng, owed)
                hits += (np.flatnonzero(happens(more, rate)) + len(stream)).tolist()
                stream = np.concatenate([stream, more])
                owed = 0
            start = bisect_left(hits, at)
            n = bisect_left(hits, at + GENOME_SIZE, start) - start
            begins.append(at)
            first.append(start)
            counts.append(n)
            at += GENOME_SIZE + n
            owed += n
    stream = np.concatenate([stream, words(rng, owed)])
    child = np.repeat(np.arange(len(counts)), counts)
    nth = np.arange(len(child)) - np.repeat(np.cumsum(counts) - counts, counts)
    begin = np.array(begins, np.int64)[child]
    locus = np.array(hits, np.int64)[np.array(first, np.int64)[child] + nth] - begin
    return _Drawn(stream, np.array(swaps, np.int64), child, locus, begin + GENOME_SIZE + nth)
