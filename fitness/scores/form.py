"""Balance, branching and complexity: single traits of a plant's form.

None of them refuses all cheats alone; they are made to be combined with others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from fitness.base import PlantScore
from fitness.measures import Mask
from fitness.parameters import count as count_of
from fitness.parameters import real
from fitness.portable import ln, whole_ln
from fitness.scene import Scene
from render.bits import Words, count, pack

__all__ = ["Balance", "Branching", "Complexity", "box_dimension"]

_BOXES = (2, 4, 8, 16, 32, 64)
_LOWEST = [np.uint64(sum(1 << bit for bit in range(0, 64, side))) for side in _BOXES]
_SHIFTS = [np.uint64(side // 2) for side in _BOXES]


@dataclass(frozen=True)
class Balance(PlantScore):
    """The plant's weight stands over its root.

    1 / (1 + (e / .25 h)²), e = the ink's centroid less the root's column, h = the plant's height.
    """

    name: ClassVar[str] = "balance"
    needs: ClassVar[frozenset[str]] = frozenset({"mask"})
    alone: ClassVar[bool] = False

    def value(self, scene: Scene) -> float:
        """Return 1 / (1 + (e / .25 h)²)."""
        columns = scene.column_counts
        twice = int((columns * (2 * np.arange(len(columns)) + 1)).sum())
        lean = (twice - 2 * scene.root[0] * scene.area) / (2 * scene.area)
        rows = np.flatnonzero(scene.row_counts)
        ratio = lean / (0.25 * int(rows[-1] - rows[0] + 1))
        return 1.0 / (1.0 + ratio * ratio)


@dataclass(frozen=True)
class Branching(PlantScore):
    """The plant forks often: min(1, forks in the window / target).

    A fork is an agent with two or three drawn children, known from growth and not from pixels.
    """

    name: ClassVar[str] = "branching"
    needs: ClassVar[frozenset[str]] = frozenset({"mask", "summary"})
    alone: ClassVar[bool] = False

    target: int = field(default=64, metadata=count_of("forks that score in full", 1))

    def value(self, scene: Scene) -> float:
        """Return min(1, forks / target)."""
        return min(1.0, scene.summary.forks / self.target) if scene.summary else 0.0


def _box_counts(words: Words, n_sides: int) -> list[int]:
    """Return how many boxes of side 2, 4, 8, .. hold ink, of a mask as rows of bits.

    Rows are joined in pairs, and bits in the lowest bit of their box.
    """
    largest = 2**n_sides
    height = -(-len(words) // largest) * largest
    boxes = np.zeros((height, words.shape[1]), np.uint64)
    boxes[: len(words)] = words
    counts = []
    for lowest, shift in zip(_LOWEST[:n_sides], _SHIFTS, strict=False):
        boxes = np.bitwise_or(boxes[::2], boxes[1::2])
        boxes = np.bitwise_and(boxes | boxes >> shift, lowest)
        counts.append(count(boxes))
    return counts


def box_dimension(mask: Mask, words: Words | None = None) -> float:
    """Return the box-counting dimension of a mask over boxes of 2 to 64 px.

    The least-squares slope of ln N(s) on ln(1 / s), N(s) = boxes of side s that hold ink; boxes
    larger than half the window's shorter side are left out (but for 2 and 4).

    Returns
    -------
    float, 0 for a single pixel, 1 for a line, 2 for a full canvas.

    References
    ----------
    Mandelbrot 1982, *The Fractal Geometry of Nature*.
    """
    limit = max(_BOXES[1], min(mask.shape) // 2)
    sides = [side for side in _BOXES if side <= limit]
    logs = [whole_ln(n) for n in _box_counts(pack(mask) if words is None else words, len(sides))]
    middle = (len(sides) - 1) / 2
    slope = math.fsum((middle - k) * value for k, value in enumerate(logs))
    return slope / (ln(2.0) * math.fsum((middle - k) ** 2 for k in range(len(sides))))


@dataclass(frozen=True)
class Complexity(PlantScore):
    """The plant's box-counting dimension D is near a wanted one: 1 - |D - dimension| / width."""

    name: ClassVar[str] = "complexity"
    needs: ClassVar[frozenset[str]] = frozenset({"mask"})
    alone: ClassVar[bool] = False

    dimension: float = field(default=1.4, metadata=real("dimension that scores in full", 0, 2))
    width: float = field(default=0.4, metadata=real("the score is 0 this far from it", 0.01, 2))

    def value(self, scene: Scene) -> float:
        """Return 1 - |D - dimension| / width, at least 0."""
        distance = abs(box_dimension(scene.mask, scene.words) - self.dimension)
        return max(0.0, 1.0 - distance / self.width)
