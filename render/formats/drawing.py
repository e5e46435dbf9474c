"""What every format is given: a plant, how it is seen, and its pixels when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from render.circles import Circles
from render.color import Color
from render.drawing import rasterize_recipe
from render.formats.colors import onto, reduce_colors
from render.kernels.model import frame_floor
from render.recipe import Recipe
from render.visibility import visible

__all__ = ["Drawing"]


@dataclass(frozen=True, eq=False)
class Drawing:
    """A picture that is about to be written.

    Parameters
    ----------
    circles : Circles
        As wide as they are drawn.
    recipe : Recipe
    background : (red, green, blue), optional
        By default transparent.
    colors : int, optional
        At most so many different colors.
    kernel : str, optional
        As in `rasterize`.
    plain : uint8 array of shape (height, width, 4), optional
        The plant's own pixels, where they are known already.
    """

    circles: Circles
    recipe: Recipe
    background: Color | None = None
    colors: int | None = None
    kernel: str | None = None
    plain: NDArray[np.uint8] | None = None

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """The pixels to write, uint8 (height, width, 4 or, with a background, 3)."""
        pixels = self.plain
        if pixels is None:
            pixels = rasterize_recipe(self.circles, self.recipe, self.kernel)
        if self.background is not None:
            pixels = onto(pixels, self.background)
        if self.colors is not None:
            pixels = pixels.copy()
            shown = np.ones(pixels.shape[:2], np.bool_)
            if pixels.shape[2] == 4:
                shown = pixels[..., 3] > 0
            pixels[shown, :3] = reduce_colors(pixels[shown, :3], self.colors)
        return pixels

    @property
    def image(self) -> Image.Image:
        """The same as an image."""
        return Image.fromarray(self.pixels)

    @cached_property
    def discs(self) -> NDArray[np.int64]:
        """The discs that show, back to front, int64 (n, 7).

        Columns: x, y, D (doubled coordinates: 1/512 px of the world), red, green, blue, and
        whether the disc is opaque (1) or has an opacity of 51 / 256 (0).
        """
        recipe, circles = self.recipe, self.circles
        seen = visible(circles, recipe.window, recipe.style, recipe.oversample, self.kernel)
        kept = np.flatnonzero(seen)
        reach = np.maximum(circles.diameter[kept].astype(np.int64), frame_floor(recipe.unit))
        shift = np.maximum(2 * (reach // 6), recipe.unit // recipe.oversample)
        color = circles.color[kept]
        if recipe.style == "mask":
            color = np.zeros_like(color)
        if self.colors is not None:
            color = reduce_colors(color, self.colors)
        table = np.zeros((kept.size, 3, 7), np.int64)  # black, white, opaque
        for layer, move in enumerate((1, -1, 0)):
            table[:, layer, 0] = 2 * circles.x[kept].astype(np.int64) + move * shift
            table[:, layer, 1] = 2 * circles.y[kept].astype(np.int64) + move * shift
            table[:, layer, 2] = reach
        table[:, 1, 3:6] = 255
        table[:, 2, 3:6] = color
        table[:, 2, 6] = 1
        shows = (seen[kept, None] & np.array([4, 2, 1], np.uint8)) > 0
        return table.reshape(-1, 7)[shows.ravel()]
