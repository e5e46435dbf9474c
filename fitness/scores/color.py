"""The colors of a plant against a palette."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from skimage.color import rgb2lab

from evo.checks import must
from fitness.base import PlantScore
from fitness.images import RGBA, Picture, read_image
from fitness.parameters import colors, count, image
from fitness.scene import Scene
from render import as_color
from render.kernels import compiled_measures

__all__ = ["Color", "Palette", "read_colors"]

Color: TypeAlias = "str | Sequence[int]"
"""A color: "#rrggbb", a name, or three whole numbers from 0 to 255."""

_MAX_COLORS = 64
_BITS = 6  # of a channel in the tables of distances
_STEP = 256 >> _BITS
_SCALE = 100.0  # distances are kept in whole hundredths


def read_colors(label: str, given: object) -> NDArray[np.uint8]:
    """Return a list of colors as uint8 (n, 3); ValueError if one of them is none."""
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if not isinstance(given, tuple | list) or not 1 <= len(given) <= _MAX_COLORS:
        raise must(label, f"be a list of 1 to {_MAX_COLORS} colors", given)
    read = [as_color(item, f"{label}[{index}]") for index, item in enumerate(given)]
    return np.array(read, np.uint8)


def _colors_of(label: str, pixels: RGBA, n: int) -> NDArray[np.uint8]:
    """Return the n leading colors of an image's opaque pixels (median cut), or all if fewer."""
    opaque = pixels[pixels[:, :, 3] > 127][:, :3]
    if not len(opaque):
        raise must(label, "show a color", "an image without an opaque pixel")
    distinct = np.unique(opaque, axis=0)
    if len(distinct) <= n:
        return distinct
    strip = Image.fromarray(np.ascontiguousarray(opaque[None]))
    reduced = strip.quantize(n, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    table = np.array(reduced.getpalette(), np.uint8).reshape(-1, 3)
    return np.unique(table[np.unique(np.asarray(reduced))], axis=0)


def _cells(rgb: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return the cell of each color, int32 (n,), in a table of 2^6 cells a channel."""
    cells = np.zeros(len(rgb), np.int32)
    for channel in range(3):
        cells = (cells << _BITS) + (rgb[:, channel] // _STEP)
    return cells


@cache
def _lab_cells() -> NDArray[np.float64]:
    """Return the CIELAB color of the center of each cell, float64 (2^18, 3)."""
    levels = np.arange(_STEP // 2, 256, _STEP, dtype=np.uint8)
    grid = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1)
    lab: NDArray[np.float64] = rgb2lab(grid.reshape(-1, 3))
    lab.flags.writeable = False
    return lab


@dataclass(frozen=True, eq=False)
class Palette(PlantScore):
    """The plant wears the colors of a palette, all of them.

    1 - mean over the ink of the CIELAB distance (CIE76) to the nearest palette color / the largest
    that any color has; * the share of the palette that is used. A color that is nearest to
    1 / (4 P) of the ink counts as used, of P colors; less counts in proportion, so that evolution
    finds a slope. Pixels are read to 6 bits a channel; the cell of a palette color is that color.
    """

    name: ClassVar[str] = "palette"
    needs: ClassVar[frozenset[str]] = frozenset({"mask", "rgba"})
    alone: ClassVar[bool] = False

    colors: Sequence[Color] | None = field(
        default=None, metadata=colors('the palette: "#rrggbb" or [red, green, blue] each')
    )
    image: Picture | None = field(
        default=None, metadata=image("or a file whose leading colors are the palette")
    )
    n_colors: int = field(
        default=6, metadata=count("how many colors are taken from the image", 1, _MAX_COLORS)
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.colors is None) == (self.image is None):
            both = "neither" if self.colors is None else "both"
            raise must("palette", "have either colors or an image", both)
        if self.image is not None:
            label = "palette.image"
            table = _colors_of(label, read_image(label, self.image), self.n_colors)
        else:
            table = read_colors("palette.colors", self.colors)
        table = np.unique(table, axis=0)
        table.flags.writeable = False
        object.__setattr__(self, "table", table)

    table: NDArray[np.uint8] = field(init=False, repr=False)

    def _distances(self) -> tuple[NDArray[np.uint16], NDArray[np.uint8], int]:
        """Return of each cell the distance to the nearest color and which, and the largest."""
        lab = _lab_cells()
        wanted = rgb2lab(self.table)
        best = np.full(len(lab), np.inf)
        nearest = np.zeros(len(lab), np.uint8)
        for index, color in enumerate(wanted):
            difference = lab - color
            distance = np.sqrt((difference * difference).sum(axis=1))
            nearer = distance < best
            best[nearer], nearest[nearer] = distance[nearer], index
        own = _cells(self.table)
        best[own], nearest[own] = 0.0, np.arange(len(own))
        hundredths = np.rint(best * _SCALE).astype(np.uint16)
        hundredths.flags.writeable = nearest.flags.writeable = False
        return hundredths, nearest, int(hundredths.max())

    def prepare(self, blank: Scene) -> tuple[str, ...]:
        """Make the tables of distances."""
        self._once((), self._distances)
        return ()

    def value(self, scene: Scene) -> float:
        """Return (1 - mean distance / largest) * share of the palette that is used."""
        distances, nearest, largest = self._once((), self._distances)
        rgba = scene.rgba
        if rgba is None:
            return 0.0
        total, counts = self._tally(rgba, scene, distances, nearest)
        fit = 1.0 - total / (largest * scene.area)
        n: int = len(self.table)
        used: float = sum(min(scene.area, 4 * n * ink) for ink in counts) / (n * scene.area)
        return fit * used

    def _tally(
        self,
        rgba: RGBA,
        scene: Scene,
        distances: NDArray[np.uint16],
        nearest: NDArray[np.uint8],
    ) -> tuple[int, list[int]]:
        """Return the sum of the ink's distances, and the ink that is nearest to each color."""
        n = len(self.table)
        compiled = compiled_measures()
        if compiled is not None:
            total, tally = compiled.palette_tally(rgba, scene.words, distances, nearest, _BITS, n)
            return total, tally.tolist()
        pixels = np.ascontiguousarray(rgba).view(np.uint32)[:, :, 0]  # four bytes at a time
        cells = _cells(pixels[scene.mask].view(np.uint8).reshape(-1, 4))
        counts: list[int] = np.bincount(nearest[cells], minlength=n).tolist()
        return int(distances[cells].sum(dtype=np.int64)), counts
