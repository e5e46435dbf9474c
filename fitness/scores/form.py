"""Balance, branching and complexity: single traits of a plant's form.

None of them refuses all cheats alone; they are made to be combined with others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from fitness.base import PlantScore
from fitness.measures import Mask, occupied
from fitness.parameters import count, real
from fitness.portable import ln
from fitness.scene import Scene

__all__ = ["Balance", "Branching", "Complexity", "box_dimension"]

_BOXES = (2, 4, 8, 16, 32, 64)


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
        columns = scene.mask.sum(axis=0, dtype=np.int64)
        twice = int((columns * (2 * np.arange(len(columns)) + 1)).sum())
        lean = (twice - 2 * scene.root[0] * scene.area) / (2 * scene.area)
        top, bottom = occupied(scene.mask, 0)
        ratio = lean / (0.25 * (bottom - top))
        return 1.0 / (1.0 + ratio * ratio)


@dataclass(frozen=True)
class Branching(PlantScore):
    """The plant forks often: min(1, forks in the window / target).

    A fork is an agent with two or three drawn children, known from growth and not from pixels.
    """

    name: ClassVar[str] = "branching"
    needs: ClassVar[frozenset[str]] = frozenset({"mask", "summary"})
    alone: ClassVar[bool] = False

    target: int = field(default=64, metadata=count("forks that score in full", 1))

    def value(self, scene: Scene) -> float:
        """Return min(1, forks / target)."""
        return min(1.0, scene.summary.forks / self.target) if scene.summary else 0.0


def box_dimension(mask: Mask) -> float:
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
    largest = sides[-1]
    height, width = (-(-size // largest) * largest for size in mask.shape)
    boxes = np.pad(mask, ((0, height - mask.shape[0]), (0, width - mask.shape[1])))
    logs = []
    for _ in sides:
        boxes = boxes[::2] | boxes[1::2]
        boxes = boxes[:, ::2] | boxes[:, 1::2]
        logs.append(ln(int(np.count_nonzero(boxes))))
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
        distance = abs(box_dimension(scene.mask) - self.dimension)
        return max(0.0, 1.0 - distance / self.width)
