"""The numba kernel's walk that tells which discs show."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numba import types as _types
from numpy.typing import NDArray

from render.kernels.jit import Compiled
from render.kernels.model import FAINT, Frame
from render.kernels.numba import _FRAME, _XYD, _isqrt, _rows, _run, _trailing_zeros

__all__ = ["seen"]

types: Any = _types  # numba ships no annotations


def _seen(x: Any, y: Any, diameter: Any, volume: Any, frame: Any) -> Any:
    width, height, unit, column, row, floor = frame
    n_words = (width + 63) // 64
    final = np.zeros((height, n_words), np.uint64)
    left_over = np.full((height, width) if volume else (1, 1), 1 << 24, np.int32)
    out = np.zeros(x.size, np.uint8)
    n_layers = 3 if volume else 1
    for i in range(x.size - 1, -1, -1):
        reach = max(np.int64(diameter[i]), floor)
        shift = max(2 * (reach // 6), unit)
        for layer in range(n_layers):  # opaque, white, black
            move = np.int64(0)
            if layer > 0:
                move = -shift if layer == 1 else shift
            cx = 2 * np.int64(x[i]) + move
            cy = 2 * np.int64(y[i]) + move
            top, bottom = _rows(cy, reach, unit, row, height)
            for r in range(top, bottom):
                dy = (2 * (r - row) + 1) * unit - cy
                left, right = _rows(cx, _isqrt(reach * reach - dy * dy), unit, column, width)
                if left >= right:
                    continue
                for word in range(left >> 6, ((right - 1) >> 6) + 1):
                    new = _run(word, left, right) & ~final[r, word]
                    if layer == 0:
                        final[r, word] |= new
                        if new != 0:
                            out[i] |= np.uint8(1)
                        continue
                    while new != 0:
                        c = word * 64 + _trailing_zeros(new)
                        new &= new - np.uint64(1)
                        if left_over[r, c] > FAINT:
                            left_over[r, c] -= (left_over[r, c] * 51) >> 8
                            out[i] |= np.uint8(1 << layer)
    return out


_seen_compiled = Compiled(_seen, (*_XYD, types.boolean, _FRAME))


def seen(circles: Any, frame: Frame, volume: bool) -> NDArray[np.uint8]:
    """Return the discs of each circle that show in a frame, uint8 (n,)."""
    c = circles
    return cast(NDArray[np.uint8], _seen_compiled(c.x, c.y, c.diameter, volume, tuple(frame)))
