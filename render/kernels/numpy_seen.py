"""The numpy kernel's walk that tells which discs show."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from render.kernels.model import FAINT, Frame, opacity_table
from render.kernels.numpy import _owners
from render.kernels.runs import pixels, runs

__all__ = ["seen"]


def seen(circles: Any, frame: Frame, volume: bool) -> NDArray[np.uint8]:
    """Return the discs of each circle that show in a frame, uint8 (n,)."""
    owner = _owners(circles, frame)
    out = np.zeros(circles.x.size, np.uint8)
    out[owner[owner >= 0]] = 1
    if not volume:
        return out
    counted = int(np.count_nonzero(opacity_table() > FAINT))  # discs that a pixel has use for
    met = np.zeros(owner.size, np.int64)
    # Moved as in `render.kernels.numpy.volume`.
    for some in runs(circles.x, circles.y, circles.diameter, frame, moves=(1, -1)):
        for disc, pixel in pixels(some):
            shown = np.flatnonzero((disc >> 1 > owner[pixel]) & (met[pixel] < counted))[::-1]
            order = shown[np.argsort(pixel[shown], kind="stable")]
            at = pixel[order]
            new = np.flatnonzero(np.diff(at, prepend=-1))
            n = np.diff(new, append=at.size)
            rank = met[at] + np.arange(at.size) - np.repeat(new, n)
            used = disc[order][rank < counted]
            out[np.unique(used[used & 1 == 1]) >> 1] |= 2
            out[np.unique(used[used & 1 == 0]) >> 1] |= 4
            met[at[new]] += n
    return out
