"""Growth: from a genome to the circles of its plant (growth model 1).

The rules are described in docs/growth.md; the arithmetic is each kernel's, equal to the last bit.
"""

from __future__ import annotations

from evo.checks import whole
from evo.genome import Genome, as_genes
from render.circles import Circles
from render.kernels import get_kernel

__all__ = ["GROWTH_MODEL", "MAX_CIRCLES", "MAX_SEED", "grow"]

GROWTH_MODEL = 1
"""Number of the rules by which genomes grow; saved with every genome."""

MAX_CIRCLES = 100_000
"""Circles of a plant, by default at most."""

MAX_SEED = 2**64 - 1
"""Largest growth seed."""


def grow(
    genome: Genome, seed: int = 0, max_circles: int = MAX_CIRCLES, kernel: str | None = None
) -> Circles:
    """Return the circles of a plant, in drawing order.

    Parameters
    ----------
    genome : uint8 array of shape (10, 18), Individual, or 180 bytes
    seed : int
        Growth seed, 0 to 2^64 - 1: the same genome and seed give the same circles everywhere.
    max_circles : int
        Growth ends before the first tick whose circles would no longer fit.
    kernel : {"numba", "numpy"}, optional
        Who computes; by default numba where it imports. Both give the same bits.

    Returns
    -------
    Circles
        In the order (tick, agent key). `truncated` says whether `max_circles` ended the growth.

    Raises
    ------
    ValueError
        If an argument is not of the kind or range above.

    References
    ----------
    The *Digital Garden* algorithm (foo52ru, 2023); chance by SplitMix64 (Steele, Lea and
    Flood 2014, doi:10.1145/2660193.2660195).
    """
    genes = as_genes(genome)
    seed = whole("seed", seed, 0, MAX_SEED)
    max_circles = whole("max_circles", max_circles, 0)
    return Circles(*get_kernel(kernel).grow(genes, seed, max_circles))
