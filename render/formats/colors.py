"""Colors of whole pictures: a background behind them, and fewer of them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor

from evo.checks import must, whole

__all__ = ["Color", "onto", "parse_color", "reduce_colors"]

Color: TypeAlias = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""


def parse_color(text: str) -> Color | None:
    """Return the color that a text names ("#fff", "#1a2b3c", "tomato"), or None for "none"."""
    if text.lower() in ("none", "transparent"):
        return None
    try:
        found = ImageColor.getrgb(text)
    except ValueError as error:
        raise must("background", 'be a color such as "#f7f5f0" or "white", or "none"', text) from (
            error
        )
    if len(found) != 3:
        raise must("background", "be opaque", text)
    return found


def check_color(color: object) -> Color:
    """Return a color as three ints, or raise ValueError."""
    if not isinstance(color, tuple | list) or len(color) != 3:
        raise must("background", "be (red, green, blue)", color)
    red, green, blue = (whole("background", channel, 0, 255) for channel in color)
    return red, green, blue


def onto(rgba: NDArray[np.uint8], background: Color) -> NDArray[np.uint8]:
    """Return a picture laid on a color, uint8 (height, width, 3), each channel rounded."""
    alpha = rgba[..., 3:].astype(np.int32)
    behind = np.array(background, np.int32)
    mixed = rgba[..., :3] * alpha + behind * (255 - alpha)
    return np.asarray((2 * mixed + 255) // 510, np.uint8)


def reduce_colors(colors: NDArray[np.uint8], n: int) -> NDArray[np.uint8]:
    """Return colors of which at most n are different: each the nearest of a palette.

    Parameters
    ----------
    colors : uint8 array of shape (k, 3)
    n : int
        From 1 to 256.

    Returns
    -------
    uint8 array of shape (k, 3)

    References
    ----------
    P. Heckbert 1982, "Color image quantization for frame buffer display" (median cut), refined
    by k-means, as Pillow does them.
    """
    n = whole("colors", n, 1, 256)
    if len(np.unique(colors, axis=0)) <= n:
        return colors
    flat = Image.fromarray(np.ascontiguousarray(colors)[np.newaxis])
    reduced = flat.quantize(n, Image.Quantize.MEDIANCUT, kmeans=4, dither=Image.Dither.NONE)
    out: NDArray[np.uint8] = np.array(reduced.convert("RGB"), np.uint8)[0]
    return out
