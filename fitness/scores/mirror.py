"""Mirror symmetry of a plant, tolerant and bare."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fitness.base import PlantScore
from fitness.measures import Mask, mirror_match, mirror_overlap, mirror_overlaps
from fitness.parameters import option
from fitness.scene import Scene
from render.bits import Words

__all__ = ["MirrorIoU", "Symmetry", "fit_axis"]

_TRUNK = 0.02  # of W: nearer to the axis than this is trunk, which mirrors itself
_TOLERANCE = 3  # px
_CHANCE_LIMIT = 0.95
_WIDE = 0.1  # of W: a half-width that scores in full

_AXIS = option("upright through the root, or the axis with the largest overlap", "root", "fitted")


def fit_axis(mask: Mask, preferred: int, words: Words | None = None) -> int:
    """Return the axis (see `measures.mirrored`) on which a mask overlaps its mirror image most.

    Of several such axes the one nearest to `preferred`, then the leftmost.
    """
    overlaps = mirror_overlaps(mask, words)
    best = np.flatnonzero(overlaps == overlaps.max())
    return int(best[np.argmin(np.abs(best - preferred))])


def _axis(scene: Scene, kind: str) -> int:
    root_axis = 2 * scene.root[0] - 1
    return root_axis if kind == "root" else fit_axis(scene.mask, root_axis, scene.words)


@lru_cache(maxsize=64)
def _off_trunk(width: int, axis: int) -> NDArray[np.bool_]:
    """Return the columns that are far enough from an axis, bool (W,), read-only."""
    # Doubled distances |2 x - axis| of pixel centers from the axis: whole numbers.
    far: NDArray[np.bool_] = np.abs(2 * np.arange(width) - axis) > 2 * _TRUNK * width
    far.flags.writeable = False
    return far


@dataclass(frozen=True)
class Symmetry(PlantScore):
    """The plant's left mirrors its right, give or take three pixels.

    off = ink more than 2 % of W from the axis; m = share of off inside the mirror image dilated
    by 3 px; q = share of off's bounding box inside that, the match that chance alone would reach;
    kappa = max(0, (m - q) / (1 - q)), 0 where q > .95 (as Cohen 1960, doi:10.1177/
    001316446002000104). The score is kappa * min(1, off / (A / 2)) * min(1, half-width / .1 W) *
    (1 - blob) * piece. A bare overlap has no slope for evolution: two degrees of jitter in the
    branches take it from 1 to .44.
    """

    name: ClassVar[str] = "symmetry"
    needs: ClassVar[frozenset[str]] = frozenset({"mask"})

    axis: str = field(default="root", metadata=_AXIS)

    def value(self, scene: Scene) -> float:
        """Return kappa * off the trunk * wide * (1 - blob) * piece."""
        mask = scene.mask
        width: int = mask.shape[1]
        axis = _axis(scene, self.axis)
        match = mirror_match(mask, axis, _off_trunk(width, axis), _TOLERANCE, scene.words)
        if match.n == 0:
            return 0.0
        matched = match.matched / match.n
        chance = match.chance / (match.height * match.width)
        if chance > _CHANCE_LIMIT:
            return 0.0
        kappa = max(0.0, (matched - chance) / (1.0 - chance))
        off_trunk = min(1.0, match.n / (scene.area / 2))
        wide = min(1.0, match.width / 2 / (_WIDE * width))
        return kappa * off_trunk * wide * (1.0 - scene.blob) * scene.piece


@dataclass(frozen=True)
class MirrorIoU(PlantScore):
    """Intersection over union of the plant and its mirror image: bare, for comparison.

    It refuses no cheat: a full canvas, a bar and a pole reach 1. Ink whose mirror image lies
    outside the window counts as unmatched.
    """

    name: ClassVar[str] = "mirror_iou"
    needs: ClassVar[frozenset[str]] = frozenset({"mask"})
    alone: ClassVar[bool] = False

    axis: str = field(default="root", metadata=_AXIS)

    def value(self, scene: Scene) -> float:
        """Return |M and mirror| / |M or mirror|."""
        both = mirror_overlap(scene.mask, _axis(scene, self.axis), scene.words)
        return both / (2 * scene.area - both)
