"""Colors of whole pictures: a background behind them, and fewer of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from evo.checks import whole
from render.color import Color

__all__ = ["onto", "reduce_colors"]


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
