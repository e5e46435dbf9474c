"""Growth seeds of a run: the samples that selection sees, and others that it never does."""

from __future__ import annotations

from evo.checks import choice, whole

__all__ = ["STREAMS", "growth_seeds"]

STREAMS = ("samples", "unseen")
"""The disjoint streams of growth seeds."""

_MASK = 2**64 - 1
_GAMMA = 0x9E3779B97F4A7C15
_PURPOSE = 0x67726F7774682121  # "growth!!": apart from other uses of the run's seed


def _finalize(z: int) -> int:
    """Return the finalizer of SplitMix64 of z: a bijection of the 64-bit numbers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def growth_seeds(seed: int, n: int, stream: str = "samples") -> tuple[int, ...]:
    """Return the first n growth seeds of a stream.

    Seed i of stream s (0 or 1) is output 2 i + s of SplitMix64 (Steele, Lea and Flood 2014,
    doi:10.1145/2660193.2660195) started from the run's seed. SplitMix64 repeats no output within
    its period of 2^64, so a run's growth seeds are all different: no seed of one stream is ever in
    the other. More of them never change the first ones.

    Parameters
    ----------
    seed : int
        The run's seed, 0 to 2^64 - 1.
    n : int
        At least 0.
    stream : {"samples", "unseen"}

    Returns
    -------
    n whole numbers from 0 to 2^64 - 1.

    Raises
    ------
    ValueError
        If an argument is not of its kind or range.
    """
    state = _finalize(whole("seed", seed, 0, _MASK) ^ _PURPOSE)
    n = whole("n", n, 0)
    offset = STREAMS.index(choice("stream", stream, STREAMS))
    outputs = (len(STREAMS) * i + offset for i in range(n))
    return tuple(_finalize((state + (k + 1) * _GAMMA) & _MASK) for k in outputs)
