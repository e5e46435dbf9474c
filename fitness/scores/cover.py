"""How much of the window a plant covers, and how evenly."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

from evo.checks import must
from fitness.base import PlantScore
from fitness.measures import Mask, band, block_sums
from fitness.parameters import flag, real
from fitness.portable import whole_ln
from fitness.scene import Scene
from render.bits import Words

__all__ = ["Coverage", "coverage_share", "evenness"]

_BLOCKS = 8


def coverage_share(mask: Mask) -> float:
    """Return the share of the window that the plant covers; 0 for an empty mask."""
    return int(mask.sum()) / mask.size


@cache
def _count_ln(count: int) -> float:
    return count * whole_ln(count)


def evenness(mask: Mask, words: Words | None = None) -> float:
    """Return how evenly the ink is spread over 8 x 8 blocks: its entropy / ln 64.

    With n_b the ink of block b and A all of it, the entropy is ln A - sum(n_b ln n_b) / A
    (Shannon 1948). A window of fewer than 8 rows or columns has as many blocks as those.

    Returns
    -------
    float in [0, 1]: 1 where each block holds the same, 0 where one block holds all, and for an
    empty mask.
    """
    rows, columns = (min(_BLOCKS, size) for size in mask.shape)
    counts = [n for n in block_sums(mask, rows, columns, words).ravel().tolist() if n]
    area = sum(counts)
    if area == 0:
        return 0.0
    if rows * columns == 1:
        return 1.0
    entropy = whole_ln(area) - math.fsum(map(_count_ln, counts)) / area
    return min(1.0, max(0.0, entropy / whole_ln(rows * columns)))


@dataclass(frozen=True)
class Coverage(PlantScore):
    """The plant covers a wanted share of the window, evenly, as one filigree piece.

    band(A / HW) * evenness * (1 - blob) * piece, each factor after the band with its switch.
    """

    name: ClassVar[str] = "coverage"
    needs: ClassVar[frozenset[str]] = frozenset({"mask"})

    low: float = field(default=0.15, metadata=real("least share that scores in full", 0, 1))
    high: float = field(default=0.35, metadata=real("largest share that scores in full", 0, 1))
    soft: float = field(
        default=0.15, metadata=real("the score falls to 0 this far outside low to high", 0, 1)
    )
    evenness: bool = field(default=True, metadata=flag("times the evenness over 8 x 8 blocks"))
    blob: bool = field(default=True, metadata=flag("times 1 - the share of massive parts"))
    piece: bool = field(default=True, metadata=flag("times the share in the largest piece"))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.low > self.high:
            raise must("coverage.low", f"be at most coverage.high ({self.high})", self.low)

    def value(self, scene: Scene) -> float:
        """Return band * evenness * (1 - blob) * piece."""
        result = band(scene.area / scene.mask.size, self.low, self.high, self.soft)
        if self.evenness and result:
            result *= evenness(scene.mask, scene.words)
        if self.blob and result:
            result *= 1.0 - scene.blob
        if self.piece and result:
            result *= scene.piece
        return result
