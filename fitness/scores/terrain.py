"""How a plant fits the terrain it stands on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from evo.checks import must
from fitness.base import PlantScore
from fitness.measures import Mask, band, first_rows, held_pixels
from fitness.parameters import real
from fitness.scene import Scene
from render.bits import Words, count, pack

__all__ = ["TerrainBand", "TerrainFit", "TerrainFollow", "TerrainRooted"]
__all__ += ["attached_share", "buried_share", "rooted", "unburied"]


def attached_share(scene: Scene) -> float:
    """Return the share of ink in 8-connected pieces that are rooted.

    Rooted pieces touch the ground line within 6 px of the root: they have ink in the last row above
    the ground, or in its first one.
    """
    rows, columns = scene.earth.footing
    return held_pixels(scene.mask, rows, columns, scene.words) / scene.area


def buried_share(scene: Scene) -> float:
    """Return the share of ink more than 4 px below the ground."""
    return count(scene.words & scene.earth.deep) / scene.area


def unburied(scene: Scene) -> float:
    """Return max(0, 1 - buried / .15)."""
    return max(0.0, 1.0 - buried_share(scene) / 0.15)


def rooted(scene: Scene) -> float:
    """Return attached * unburied * risen², as `TerrainRooted` says; the plant has ink."""
    height: int = scene.mask.shape[0]
    twice = int((scene.column_counts * 2 * scene.ground_rows).sum())
    twice -= int((scene.row_counts * (2 * np.arange(height) + 1)).sum())
    rise = twice / (2 * scene.area)
    risen = min(1.0, max(0.0, rise) / (0.04 * height))
    return attached_share(scene) * unburied(scene) * risen * risen


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
        return rooted(scene)


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

    def _band(self, scene: Scene) -> tuple[Words, int]:
        def make() -> tuple[Words, int]:
            wanted = pack(self.wanted(scene))
            return wanted, count(wanted)

        return self._once((scene.ground, *scene.mask.shape), make)

    def prepare(self, blank: Scene) -> tuple[str, ...]:
        """Refuse a band that lies outside the window."""
        if self._band(blank)[1] == 0:
            raise must("terrain_band.height", "leave a band in the window", self.height)
        return ()

    def value(self, scene: Scene) -> float:
        """Return 2 P R / (P + R)."""
        wanted, n_wanted = self._band(scene)
        both = count(scene.words & wanted)
        if both == 0:
            return 0.0
        precision = both / count(scene.words & scene.earth.above)
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
        return fit * rooted(scene) if fit else 0.0


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
        above = scene.words & scene.earth.above
        canopy = first_rows(above, width)
        columns = np.flatnonzero(canopy < height)
        n = len(columns)
        if n == 0:
            return 0.0
        ground = scene.ground_rows[columns]
        canopy = ground - canopy[columns]
        follows = _variance(ground) + (0.01 * height) ** 2
        follows /= follows + _variance(canopy)
        mean = int(canopy.sum()) / n
        tall = band(mean / height, 0.05, 0.7, 0.05)
        wide = min(1.0, n / (0.3 * width))
        deep = min(1.0, count(above) / (0.05 * height * n))
        stands = attached_share(scene) * unburied(scene)
        return follows * follows * stands * wide * tall * tall * deep * deep


def _variance(values: NDArray[np.int64]) -> float:
    """Return the variance (ddof 0) of whole numbers, from whole sums."""
    n = len(values)
    low, high = int(values.min()), int(values.max())
    if n * (high - low) < 2**31:  # less their least, so that all sums stay in 64 bits
        above = values - low
        total, squares = int(above.sum()), int((above * above).sum())
    else:
        numbers: list[int] = values.tolist()  # Python's, which never overflow
        total, squares = sum(numbers), sum(value * value for value in numbers)
    return (n * squares - total * total) / (n * n)
