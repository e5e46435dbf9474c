"""How different two plants look: the distance that keeps a hall of fame's members apart.

The share of pixels in which two silhouettes differ calls the same plant another one as soon as
its twigs lie a pixel aside. What a person sees is coarser: is there a branch about here or not.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fitness.measures import dilate
from render import Window, silhouette

__all__ = ["Difference"]

CELLS = 64
"""Cells along the longer side of the window, by which plants are compared."""

REMEMBERED = 512
"""Coarse silhouettes that are kept: those of a hall of fame and of its candidates."""


class Difference:
    """A distance between genomes, in [0, 1].

    Both plants are drawn in cells of about 1/64 of the window, and the distance is the share of
    both plants' cells that have no cell of the other plant within one cell, diagonals apart:
    0 for equal silhouettes, 1 for plants that never come near each other. Near-twins of one
    population measure about 0.03 to 0.07, plants that a person calls different 0.15 and more.

    Parameters
    ----------
    window : Window
        What a picture shows.
    seed, max_circles, kernel
        How the plants grow, as in `render.grow`.
    """

    def __init__(self, window: Window, seed: int, max_circles: int, kernel: str | None) -> None:
        factor = max(1, max(window.width, window.height) // CELLS)
        coarse = Window(
            -(-window.width // factor),
            -(-window.height // factor),
            window.unit * factor,
            (round(window.root[0] / factor), round(window.root[1] / factor)),
        )

        def shapes(genome: bytes) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
            mask, _ = silhouette(genome, seed, coarse, max_circles, kernel)
            return mask, dilate(mask, 1)

        self._shapes = lru_cache(maxsize=REMEMBERED)(shapes)

    def __call__(self, a: bytes, b: bytes) -> float:
        """Return the distance between two genomes of 180 bytes each."""
        (first, around_first), (second, around_second) = self._shapes(a), self._shapes(b)
        cells = np.count_nonzero(first) + np.count_nonzero(second)
        apart = np.count_nonzero(first & ~around_second) + np.count_nonzero(second & ~around_first)
        return int(apart) / int(cells) if cells else 0.0
