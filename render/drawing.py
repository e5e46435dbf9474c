"""Drawing a recipe: grow, widen, rasterize; and fitting the picture to the plant."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from evo.checks import choice, must, whole
from render.circles import Circles
from render.growth import grow
from render.kernels.model import frame_floor
from render.raster import STYLES, rasterize
from render.recipe import Recipe
from render.window import MAX_UNIT, Window

__all__ = ["draw", "fit", "grow_recipe", "picture_of", "rasterize_recipe", "trim", "widen"]


def widen(circles: Circles, least_diameter: int) -> Circles:
    """Return circles whose diameters are at least `least_diameter` (1/256 px of the world)."""
    least = whole("least_diameter", least_diameter, 0, 2**31 - 1)
    if least == 0:
        return circles
    return replace(circles, diameter=np.maximum(circles.diameter, np.int32(least)))


def grow_recipe(recipe: Recipe, kernel: str | None = None) -> Circles:
    """Return the circles of a recipe's plant, as wide as they are drawn."""
    circles = grow(recipe.genome, recipe.seed, recipe.max_circles, kernel)
    return widen(circles, recipe.least_diameter)


def rasterize_recipe(
    circles: Circles, recipe: Recipe, kernel: str | None = None
) -> NDArray[np.uint8]:
    """Return the picture of some circles in a recipe's window and style.

    Returns
    -------
    uint8 array of shape (height, width, 4)
        A silhouette (the style "mask") is black.
    """
    pixels = rasterize(
        circles,
        recipe.width,
        recipe.height,
        recipe.unit,
        recipe.root,
        style=recipe.style,
        oversample=recipe.oversample,
        kernel=kernel,
    )
    if recipe.style != "mask":
        return np.asarray(pixels, np.uint8)
    out = np.zeros((recipe.height, recipe.width, 4), np.uint8)
    out[..., 3] = np.where(pixels, 255, 0)
    return out


def draw(recipe: Recipe, kernel: str | None = None) -> NDArray[np.uint8]:
    """Return the picture of a recipe, uint8 (height, width, 4)."""
    return rasterize_recipe(grow_recipe(recipe, kernel), recipe, kernel)


def trim(pixels: NDArray[np.uint8], recipe: Recipe) -> tuple[NDArray[np.uint8], Recipe]:
    """Return the part of a picture that shows something, and its recipe.

    Parameters
    ----------
    pixels : uint8 array of shape (height, width, 4)
    recipe : Recipe
        That drew them. The new one's window is the smaller one, so that drawing it again gives
        the same pixels.

    Raises
    ------
    ValueError
        If nothing shows.
    """
    shown = pixels[..., 3] > 0
    rows, columns = np.flatnonzero(shown.any(axis=1)), np.flatnonzero(shown.any(axis=0))
    if rows.size == 0:
        raise must("a picture to trim", "show something of the plant", "an empty one")
    top, left = int(rows[0]), int(columns[0])
    height, width = int(rows[-1]) - top + 1, int(columns[-1]) - left + 1
    root = (recipe.root[0] - left, recipe.root[1] - top)
    part = np.ascontiguousarray(pixels[top : top + height, left : left + width])
    return part, replace(recipe, width=width, height=height, root=root)


def fit(
    circles: Circles,
    width: int,
    height: int,
    style: str = "flat",
    oversample: int = 1,
    margin: int = 0,
) -> Window:
    """Return the window of a size that the plant fills: the largest plant that fits, centered.

    Parameters
    ----------
    circles : Circles
        At least one.
    width, height : int
        Of the window, in pixels.
    style, oversample
        As in `rasterize`: the shadows of the style "volume" belong to the plant, and the unit is
        a multiple of `oversample`.
    margin : int
        Pixels left free at each border.

    Raises
    ------
    ValueError
        If there are no circles, or no room is left inside the margin.
    """
    if len(circles) == 0:
        raise must("a plant to fit", "have circles", 0)
    choice("style", style, STYLES)
    k = whole("oversample", oversample, 1)
    margin = whole("margin", margin, 0)
    window = Window(width, height)
    room = (window.width - 2 * margin, window.height - 2 * margin)
    if min(room) < 1:
        raise must("margin", "leave room for the plant", margin)

    def box(steps: int) -> tuple[int, int, int, int]:
        return _pixel_box(circles, steps, k, style)

    def fits(steps: int) -> bool:
        left, top, right, bottom = box(steps)
        return right - left <= room[0] and bottom - top <= room[1]

    low, high = 1, MAX_UNIT // k  # high is one that fits, or the largest
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle + 1, high)
    left, top, right, bottom = box(low)
    root = (
        (window.width - (right - left)) // 2 - left,
        (window.height - (bottom - top)) // 2 - top,
    )
    return Window(window.width, window.height, low * k, root)


def picture_of(circles: Circles, size: int = 384) -> bytes:
    """Return a square picture that some circles fill, as a PNG file without a genome."""
    full = len(circles) > 0
    window = fit(circles, size, size, "volume", 2, margin=4) if full else Window(size, size)
    pixels = rasterize(circles, window.width, window.height, window.unit, window.root, "volume", 2)
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


def _pixel_box(circles: Circles, sample: int, k: int, style: str) -> tuple[int, int, int, int]:
    """Return left, top, right, bottom (excluded) of the drawn discs, in pixels from the root.

    `sample` is the world size of a sample; a pixel has k x k of them. Doubled coordinates, as in
    the rule of which pixels a disc covers.
    """
    reach = np.maximum(circles.diameter.astype(np.int64), frame_floor(sample * k))
    if style == "volume":
        reach = reach + np.maximum(2 * (reach // 6), sample)
    box = []
    for center in (2 * circles.x.astype(np.int64), 2 * circles.y.astype(np.int64)):
        low, high = int((center - reach).min()), int((center + reach).max())
        first = -((sample - low) // (2 * sample))
        last = (high - sample) // (2 * sample)
        box.append((first // k, last // k + 1))
    (left, right), (top, bottom) = box
    return left, top, right, bottom
