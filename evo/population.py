"""Founders: the individuals of generation 0, in one table by kind.

`uniform` is the whole space of genomes; `seedling` the part of it that looks like plants.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from evo.chance import Rng, as_rng, bell, below, raw_bytes
from evo.checks import choice, whole
from evo.genome import GENES, GENOME_SIZE, N_GENES, N_LEVELS, Genes, locus
from evo.individual import Individual

__all__ = ["FOUNDERS", "SEEDLING", "founders"]

SEEDLING: dict[str, tuple[float, float]] = {
    "size": (60, 28),
    "size_step": (104, 14),
    "red_step": (128, 28),
    "green_step": (128, 28),
    "blue_step": (128, 28),
    "turn": (128, 26),
    "length": (24, 10),
    "spread": (70, 26),
    "size_inherit": (225, 22),
    "color_inherit": (190, 40),
    "color_var": (26, 18),
    "size_var": (10, 8),
    "length_var": (36, 24),
    "heading_var": (40, 24),
}
"""Mean and standard deviation of a seedling's byte, by gene, clipped to 0 to 255.

The own colors are uniform, and of the children see `_CHILDREN`. Found by looking at founders.
"""

_CHILDREN = (40, 40, 40, 40, 40, 128, 128, 128, 128, 210)
"""Bytes of the gene children, one drawn evenly: one child 5, two 4, three 1 time in ten."""


def _uniform(n: int, rng: np.random.Generator) -> Genes:
    return raw_bytes(rng, n * GENOME_SIZE).reshape(n, N_LEVELS, N_GENES)


def _seedling(n: int, rng: np.random.Generator) -> Genes:
    genes = _uniform(n, rng).astype(np.int64)
    for gene in GENES:
        if gene.name in SEEDLING:
            mean, sd = SEEDLING[gene.name]
            drawn = bell(rng, mean, sd, n * N_LEVELS)
            genes[:, :, locus(gene.name)] = drawn.reshape(n, N_LEVELS)
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
