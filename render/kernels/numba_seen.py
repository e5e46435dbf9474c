"""The numba kernel's walk that tells which discs show."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numba import types as _types
from numpy.typing import NDArray

from render.kernels.discs import box, row_bits, sight
from render.kernels.jit import Compiled
from render.kernels.model import FAINT, Frame
from render.kernels.numba import _FRAME, _XYD
from render.kernels.vector import first_bit

__all__ = ["seen"]

types: Any = _types  # numba ships no annotations


def _seen(x: Any, y: Any, diameter: Any, volume: Any, frame: Any) -> Any:
    width, height, unit, _, _, floor = frame
    view = sight(frame)
    n_words, step, _, x_shift, y_shift, _, _ = view
    final = np.zeros(height * n_words, np.uint64)
    left_over = np.full(height * width if volume else 1, 1 << 24, np.int32)
    out = np.zeros(x.size, np.uint8)
    n_layers = 3 if volume else 1
    for i in range(x.size - 1, -1, -1):
        reach = max(np.int64(diameter[i]), floor)
        shift = max(2 * (reach // 6), unit)
        for layer in range(n_layers):  # opaque, white, black
            move = (shift if layer == 2 else -shift) if layer > 0 else 0
            cx = 2 * np.int64(x[i]) + x_shift + move
            cy = 2 * np.int64(y[i]) + y_shift + move
            top, bottom, left, right = box(cx, cy, reach, view)
            if left > right:
                continue
            for word in range(left >> 6, (right >> 6) + 1):
                at = top * n_words + word
                base = top * width + (word << 6)
                dy = step * top - cy
                for _ in range(bottom - top + 1):
                    new = row_bits(cx, reach * reach - dy * dy, reach, left, right, word, view)
                    new &= ~final[at]
                    if layer == 0:
                        final[at] |= new
                        if new != 0:
                            out[i] |= np.uint8(1)
                    else:
                        while new != 0:
                            pixel = base + first_bit(new)
                            new &= new - np.uint64(1)
                            if left_over[pixel] > FAINT:
                                left_over[pixel] -= (left_over[pixel] * 51) >> 8
                                out[i] |= np.uint8(1 << layer)
                    at += n_words
                    base += width
                    dy += step
    return out


_seen_compiled = Compiled(_seen, (*_XYD, types.boolean, _FRAME))


def seen(circles: Any, frame: Frame, volume: bool) -> NDArray[np.uint8]:
    """Return the discs of each circle that show in a frame, uint8 (n,)."""
    c = circles
    return cast(NDArray[np.uint8], _seen_compiled(c.x, c.y, c.diameter, volume, tuple(frame)))
