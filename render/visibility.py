"""Which discs of a picture show: what a vector file of it needs, and no more."""

from __future__ import annotations

from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from evo.checks import must
from render.circles import Circles
from render.kernels import default_kernel, get_kernel
from render.raster import check_drawing, frame_of
from render.window import Window

__all__ = ["BLACK", "OPAQUE", "WHITE", "visible"]

OPAQUE, WHITE, BLACK = 1, 2, 4
"""The discs of a circle, front to back."""

_BAND = 2**22  # samples that are looked at at a time


def visible(
    circles: Circles,
    window: Window,
    style: str = "flat",
    oversample: int = 1,
    kernel: str | None = None,
) -> NDArray[np.uint8]:
    """Return which discs of each circle show in a picture.

    Parameters
    ----------
    circles : Circles
    window : Window
    style : {"flat", "volume", "mask"}
        "flat" and "mask" have the opaque discs alone.
    oversample : int
        Looks at k x k samples a pixel, as `rasterize` does.
    kernel : {"numba", "numpy"}, optional
        Who computes; by default numba where it imports. Both give the same bits.

    Returns
    -------
    uint8 array of shape (n,)
        The sum of `OPAQUE`, `WHITE` and `BLACK`, each if that disc changes a sample. A picture
        of the discs that show equals the picture of all of them; a translucent disc behind so
        many that all of what is left makes less than half a level does not count.
    """
    if not isinstance(circles, Circles):
        raise must("circles", "be Circles", circles)
    style, k = check_drawing(window, style, oversample)
    get_kernel(kernel)
    seen = import_module(f"render.kernels.{kernel or default_kernel()}_seen").seen
    out = np.zeros(len(circles), np.uint8)
    step = max(1, _BAND // (window.width * k * k))
    for top in range(0, window.height, step):
        frame = frame_of(window, k, top, min(step, window.height - top))
        out |= seen(circles, frame, style == "volume")
    return out
