"""Founders: the individuals of generation 0, in one table by kind.

`uniform` is the whole space of genomes; `seedling` the part of it that looks like plants.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from evo.chance import Rng, as_rng, bell, below, raw_bytes
from evo.checks import choice, whole
from evo.genome import GENOME_SIZE, N_GENES, N_LEVELS, Genes, locus
from evo.individual import Individual

__all__ = ["FOUNDERS", "SEEDLING", "founders"]

SEEDLING: dict[str, tuple[float, float]] = {
    "size": (78, 26),
    "size_step": (98, 12),
    "red_step": (128, 24),
    "green_step": (128, 24),
    "blue_step": (128, 24),
    "turn": (128, 26),
    "length": (24, 10),
    "spread": (70, 26),
    "size_inherit": (222, 22),
    "color_inherit": (150, 60),
    "color_var": (30, 18),
    "size_var": (10, 8),
    "length_var": (36, 24),
    "heading_var": (40, 24),
}
"""Mean and standard deviation of a seedling's byte, by gene, clipped to 0 to 255.

Found by looking at founders: plants, most of which fit the window of the default config.
"""

_WOOD = ((104, 34), (76, 28), (52, 26))
_LEAF = ((84, 44), (142, 44), (58, 36))
_COLORS = (_WOOD,) * 3 + (_LEAF,) * 5
"""Red, green and blue of the levels 0 to 7 as in `SEEDLING`; those above are uniform: blossom."""

_CHILDREN = (40, 40, 40, 40, 40, 128, 128, 128, 128, 210)
"""Bytes of the gene children, one drawn evenly: one child 5, two 4, three 1 time in ten."""


def _uniform(n: int, rng: np.random.Generator) -> Genes:
    return raw_bytes(rng, n * GENOME_SIZE).reshape(n, N_LEVELS, N_GENES)


def _seedling(n: int, rng: np.random.Generator) -> Genes:
    genes = _uniform(n, rng).astype(np.int64)
    for name, (mean, sd) in SEEDLING.items():
        genes[:, :, locus(name)] = bell(rng, mean, sd, n * N_LEVELS).reshape(n, N_LEVELS)
    for level, channels in enumerate(_COLORS):
        for channel, (mean, sd) in enumerate(channels):
            genes[:, level, locus("red") + channel] = bell(rng, mean, sd, n)
    children = np.array(_CHILDREN)[below(rng, len(_CHILDREN), n * N_LEVELS)]
    genes[:, :, locus("children")] = children.reshape(n, N_LEVELS)
    return genes.clip(0, 255).astype(np.uint8)


FOUNDERS: dict[str, Callable[[int, np.random.Generator], Genes]] = {
    "seedling": _seedling,
    "uniform": _uniform,
}
"""Kind of founders -> function of (n, rng) that returns uint8 (n, 10, 18)."""


def founders(kind: str, n: int, rng: Rng) -> list[Individual]:
    """Return n new individuals of one kind.

    Parameters
    ----------
    kind : str
        "seedling" (ranges of each gene that give plants) or "uniform" (any bytes).
    n : int
        At least 0.
    rng : numpy Generator over PCG64, or a seed

    Returns
    -------
    list of Individual, not evaluated, with `operators` "founder".

    Raises
    ------
    ValueError
        For an unknown kind, or n below 0.
    """
    make = FOUNDERS[choice("founders", kind, FOUNDERS)]
    population = [Individual(genes) for genes in make(whole("n", n, 0), as_rng(rng))]
    for individual in population:
        individual.operators = "founder"
    return population
