"""Chance as an argument: addressed generators, and draws from their raw words.

A run draws nothing from a global state. Its generators are made from (seed, purpose, generation),
so that a resumed run needs no generator state. Everything is drawn from the 64-bit words of
PCG64, which numpy keeps the same across versions, and not from its distributions, which it does
not.

Source: M. E. O'Neill 2014, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
Algorithms for Random Number Generation" (PCG64); numpy's `SeedSequence` for the addresses.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from evo.checks import choice, must, number, whole

__all__ = [
    "PURPOSES",
    "Rng",
    "as_rng",
    "bell",
    "below",
    "chances",
    "happens",
    "raw_bytes",
    "stream",
    "words",
]

Rng: TypeAlias = np.random.Generator | int
"""What the library takes for a source of chance: a numpy Generator over PCG64, or a seed."""

PURPOSES = ("founders", "variation", "restart", "acceptance")
"""What a run draws for. An address counts from the front: append only."""

_SEED_LIMIT = 2**64 - 1
_ONE = 2.0**53


def as_rng(rng: Rng) -> np.random.Generator:
    """Return the Generator itself, or a new one from a seed.

    Parameters
    ----------
    rng : numpy.random.Generator over PCG64, or whole number from 0 to 2^64 - 1

    Raises
    ------
    ValueError
        For anything else; another bit generator too, since its words may have another size.
    """
    if isinstance(rng, np.random.Generator):
        if not isinstance(rng.bit_generator, np.random.PCG64):
            raise must("rng", "use PCG64", type(rng.bit_generator).__name__)
        return rng
    if isinstance(rng, bool | np.bool_) or not isinstance(rng, int | np.integer):
        raise must("rng", "be a numpy Generator or a whole number", rng)
    return np.random.Generator(np.random.PCG64(whole("rng", rng, 0, _SEED_LIMIT)))


def stream(seed: int, purpose: str, generation: int) -> np.random.Generator:
    """Return the generator at the address (seed, purpose, generation).

    Parameters
    ----------
    seed : int
        The run's seed, 0 to 2^64 - 1.
    purpose : str
        One of `PURPOSES`.
    generation : int
        At least 0.
    """
    seed = whole("seed", seed, 0, _SEED_LIMIT)
    place = PURPOSES.index(choice("purpose", purpose, PURPOSES))
    key = (place, whole("generation", generation, 0))
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


def words(rng: np.random.Generator, n: int) -> NDArray[np.uint64]:
    """Return the next n 64-bit words, uint64 (n,)."""
    return np.asarray(rng.bit_generator.random_raw(n), np.uint64)


def raw_bytes(rng: np.random.Generator, n: int) -> NDArray[np.uint8]:
    """Return n uniform bytes, uint8 (n,), from ceil(n / 8) words, the low byte of a word first."""
    return words(rng, -(-n // 8)).astype("<u8").view(np.uint8)[:n]


def chances(rng: np.random.Generator, probability: float, n: int) -> NDArray[np.bool_]:
    """Return n independent events of one probability, bool (n,), from n words.

    The upper 53 bits of a word lie below probability * 2^53: 0 never happens, 1 always does.
    """
    return happens(words(rng, n), probability)


def happens(drawn: NDArray[np.uint64], probability: float) -> NDArray[np.bool_]:
    """Return for each word whether an event of a probability happens, as `chances` has it."""
    threshold = np.uint64(round(number("probability", probability, 0, 1) * _ONE))
    return (drawn >> np.uint64(11)) < threshold


def below(rng: np.random.Generator, bound: int, n: int) -> NDArray[np.int64]:
    """Return n uniform whole numbers from 0 to bound - 1, int64 (n,), from n words.

    The upper 32 bits of a word times bound, shifted back by 32 (bound up to 2^31); no value
    is off its share by more than bound / 2^32.
    """
    high = words(rng, n) >> np.uint64(32)
    return ((high * np.uint64(whole("bound", bound, 1, 2**31))) >> np.uint64(32)).astype(np.int64)


def bell(rng: np.random.Generator, mean: float, sd: float, n: int) -> NDArray[np.int64]:
    """Return n whole numbers near a normal distribution, int64 (n,), from 3 n words.

    The sum of twelve 16-bit parts has a standard deviation of 2^16 (Irwin-Hall), so that only
    additions and one rounding are needed, the same on every machine.
    """
    parts = words(rng, 3 * n).astype("<u8").view("<u2").reshape(n, 12).astype(np.int64)
    centered = parts.sum(axis=1) - 6 * 65535
    scale = math.ceil(number("sd", sd, 0) * 256)
    start = round(number("mean", mean) * 2**24) + 2**23
    return np.asarray((start + scale * centered) >> 24, np.int64)
