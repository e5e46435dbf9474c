"""How a plant fits the terrain it stands on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from evo.checks import must
from fitness.base import PlantScore
from fitness.measures import Mask, band, pieces
from fitness.parameters import real
from fitness.scene import Scene

__all__ = ["TerrainBand", "TerrainFit", "TerrainFollow", "TerrainRooted"]
__all__ += ["attached_share", "buried_share", "unburied"]

_REACH = 6  # px from the root: where a piece counts as rooted
_DEEP = 4  # px below the ground


def attached_share(scene: Scene) -> float:
    """Return the share of ink in 8-connected pieces that are rooted.

    Rooted pieces touch the ground line within 6 px of the root: they have ink in the last row above
    the ground, or in its first one.
    """
    mask, ground = scene.mask, scene.ground_rows
    height, width = mask.shape
    near = np.flatnonzero(np.abs(2 * np.arange(width) + 1 - 2 * scene.root[0]) <= 2 * _REACH)
    labels, sizes = pieces(mask)
    rooted: set[int] = set()
    for up in (1, 0):
        rows = ground[near] - up
        inside = (rows >= 0) & (rows < height)
        rooted.update(labels[rows[inside], near[inside]].tolist())
    return int(sizes[sorted(rooted)].sum()) / scene.area if rooted else 0.0


def buried_share(scene: Scene) -> float:
    """Return the share of ink more than 4 px below the ground."""
    rows = np.arange(scene.mask.shape[0])[:, None]
    deep = scene.mask & (rows >= scene.ground_rows + _DEEP)
    return int(np.count_nonzero(deep)) / scene.area


def unburied(scene: Scene) -> float:
    """Return max(0, 1 - buried / .15)."""
    return max(0.0, 1.0 - buried_share(scene) / 0.15)


def _above(scene: Scene) -> Mask:
    """Return the ink above the ground."""
    above: Mask = scene.mask & (np.arange(scene.mask.shape[0])[:, None] < scene.ground_rows)
    return above


@dataclass(frozen=True)
class TerrainRooted(PlantScore):
    """The plant stands on the ground at its root and rises over it.

    attached * max(0, 1 - buried / .15) * min(1, rise / .04 H)², attached = share of ink in rooted
    pieces, buried = share of ink more than 4 px below the ground, rise = mean height of the ink
    over the ground. Without the rise, a carpet of three pixels wins.
    """

    name: ClassVar[str] = "terrain_rooted"
    needs: ClassVar[frozenset[str]] = frozenset({"mask", "ground"})

    def value(self, scene: Scene) -> float:
        """Return attached * unburied * risen²."""
        height: int = scene.mask.shape[0]
        rows = scene.mask.sum(axis=1, dtype=np.int64)
        columns = scene.mask.sum(axis=0, dtype=np.int64)
        twice = int((columns * 2 * scene.ground_rows).sum())
        twice -= int((rows * (2 * np.arange(height) + 1)).sum())
        rise = twice / (2 * scene.area)
        risen = min(1.0, max(0.0, rise) / (0.04 * height))
        return attached_share(scene) * unburied(scene) * risen * risen


def _thinning(ground: NDArray[np.int64], tree_line: float) -> NDArray[np.float64]:
    """Return the share of the band's height in each column: 1 up to the tree line, 0 at the top."""
    lowest, highest = int(ground.max()), int(ground.min())
    if tree_line >= 1.0 or lowest == highest:
        return np.ones(len(ground))
    elevation = (lowest - ground) / (lowest - highest)
    shares: NDArray[np.float64] = np.clip((1.0 - elevation) / (1.0 - tree_line), 0.0, 1.0)
    return shares


@dataclass(frozen=True)
class TerrainBand(PlantScore):
    """The plant fills a band over the ground, as high everywhere as was asked.

    The wanted band is g - h(x) <= row < g, h = height, falling linearly to 0 from the tree line to
    the highest ground. P = share of the ink above ground that lies in it, R = min(1, share of it
    that is covered / fill); 2 P R / (P + R). fill 1 asks for a hedge, .5 leaves room for branches.
    """

    name: ClassVar[str] = "terrain_band"
    needs: ClassVar[frozenset[str]] = frozenset({"mask", "ground"})

    height: float = field(default=60.0, metadata=real("height of the band in pixels", 1, 1e6))
    tree_line: float = field(
        default=1.0,
        metadata=real(
            "where the band begins to thin: 0 the lowest ground, 1 the highest (no thinning)", 0, 1
        ),
    )
    fill: float = field(
        default=0.5, metadata=real("share of the band that counts as full", 0.01, 1)
    )

    def wanted(self, scene: Scene) -> Mask:
        """Return the wanted band, bool (H, W)."""
        ground = scene.ground_rows
        tops = ground - np.rint(self.height * _thinning(ground, self.tree_line)).astype(np.int64)
        rows = np.arange(scene.mask.shape[0])[:, None]
        wanted: Mask = (rows >= tops) & (rows < ground)
        return wanted

    def _band(self, scene: Scene) -> tuple[Mask, int]:
        def make() -> tuple[Mask, int]:
            wanted = self.wanted(scene)
            return wanted, int(np.count_nonzero(wanted))

        return self._once((scene.ground, *scene.mask.shape), make)

    def prepare(self, blank: Scene) -> tuple[str, ...]:
        """Refuse a band that lies outside the window."""
        if self._band(blank)[1] == 0:
            raise must("terrain_band.height", "leave a band in the window", self.height)
        return ()

    def value(self, scene: Scene) -> float:
        """Return 2 P R / (P + R)."""
        wanted, n_wanted = self._band(scene)
        above = int(np.count_nonzero(_above(scene)))
        both = int(np.count_nonzero(scene.mask & wanted))
        if both == 0:
            return 0.0
        precision = both / above
        recall = min(1.0, both / n_wanted / self.fill)
        return 2.0 * precision * recall / (precision + recall)


@dataclass(frozen=True)
class TerrainFit(TerrainBand):
    """The plant fits its terrain: terrain_rooted * terrain_band."""

    name: ClassVar[str] = "terrain_fit"
    needs: ClassVar[frozenset[str]] = frozenset({"mask", "ground"})

    def value(self, scene: Scene) -> float:
        """Return terrain_band * terrain_rooted."""
        fit = super().value(scene)
        return fit * TerrainRooted().value(scene) if fit else 0.0


@dataclass(frozen=True)
class TerrainFollow(PlantScore):
    """The plant's canopy follows the ground: for wide plants, and rows of them.

    (Vg / (Vg + Vc))² * attached * unburied * min(1, n / .3 W) * band(mean height / H; .05, .7,
    .05)² * min(1, deep / .05 H)², over the n columns that have ink above the ground: Vg = variance
    of the ground + (.01 H)², Vc = variance of the canopy's height over it, deep = ink above the
    ground in such a column, on average, unburied as in terrain_rooted. The squares refuse carpets,
    flat tops and a few strokes along a slope, the .7 a full canvas. Not a correlation, which flat
    ground leaves undefined, nor sd / mean, which a floating bar wins.
    """

    name: ClassVar[str] = "terrain_follow"
    needs: ClassVar[frozenset[str]] = frozenset({"mask", "ground"})

    def value(self, scene: Scene) -> float:
        """Return follows² * attached * unburied * wide * tall² * deep²."""
        height, width = map(int, scene.mask.shape)
        above = _above(scene)
        columns = np.flatnonzero(above.any(axis=0))
        n = len(columns)
        if n == 0:
            return 0.0
        ground = scene.ground_rows[columns]
        canopy = ground - above[:, columns].argmax(axis=0)
        follows = _variance(ground) + (0.01 * height) ** 2
        follows /= follows + _variance(canopy)
        mean = int(canopy.sum()) / n
        tall = band(mean / height, 0.05, 0.7, 0.05)
        wide = min(1.0, n / (0.3 * width))
        deep = min(1.0, int(np.count_nonzero(above)) / (0.05 * height * n))
        stands = attached_share(scene) * unburied(scene)
        return follows * follows * stands * wide * tall * tall * deep * deep


def _variance(values: NDArray[np.int64]) -> float:
    """Return the variance (ddof 0) of whole numbers, from whole sums."""
    numbers: list[int] = values.tolist()  # Python's, which never overflow
    n, total = len(numbers), sum(numbers)
    return (n * sum(value * value for value in numbers) - total * total) / (n * n)
