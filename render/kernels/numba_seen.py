"""The numba kernel's walk that tells which discs show."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numba import types as _types
from numpy.typing import NDArray

from render.kernels.discs import QUEUE, free_blocks, n_tiles, pixel_of, sight
from render.kernels.jit import Compiled, inline
from render.kernels.model import FAINT, Frame
from render.kernels.numba import _FRAME, _XYD
from render.kernels.vector import first_bit

__all__ = ["seen"]

types: Any = _types  # numba ships no annotations


@inline
def _note(out: Any, width: Any, left_over: Any, places: Any, blocks: Any, queued: Any) -> None:
    """Note that the discs of a queue show, of the circles and layers that are its values."""
    for k in range(queued):
        first, bits = places[k, 0], blocks[k]
        i, layer = places[k, 1] >> 2, places[k, 1] & 3
        if layer == 0:
            out[i] |= np.uint8(1)
            continue
        while bits != 0:
            at = pixel_of(first_bit(bits), first, width)
            if left_over[at] > FAINT:
                left_over[at] -= (left_over[at] * 51) >> 8
                out[i] |= np.uint8(1 << layer)
            bits &= bits - np.uint64(1)


def _seen(x: Any, y: Any, diameter: Any, volume: Any, frame: Any) -> Any:
    width, height, unit, _, _, floor = frame
    view = sight(frame)
    final = np.zeros(n_tiles(height, view), np.uint64)
    left_over = np.full(height * width if volume else 1, 1 << 24, np.int32)
    out = np.zeros(x.size, np.uint8)
    places = np.empty((QUEUE + final.size, 2), np.int64)
    blocks = np.empty(QUEUE + final.size, np.uint64)
    n = 0
    for i in range(x.size - 1, -1, -1):
        reach = max(np.int64(diameter[i]), floor)
        shift = max(2 * (reach // 6), unit)
        for layer in range(3 if volume else 1):  # opaque, white, black
            move = (shift if layer == 2 else -shift) if layer > 0 else 0
            cx = 2 * np.int64(x[i]) + view[3] + move
            cy = 2 * np.int64(y[i]) + view[4] + move
            opaque, value = layer == 0, i << 2 | layer
            n = free_blocks(final, cx, cy, reach, view, width, opaque, value, places, blocks, n)
            if n >= QUEUE:
                _note(out, width, left_over, places, blocks, n)
                n = 0
    _note(out, width, left_over, places, blocks, n)
    return out


_seen_compiled = Compiled(_seen, (*_XYD, types.boolean, _FRAME))


def seen(circles: Any, frame: Frame, volume: bool) -> NDArray[np.uint8]:
    """Return the discs of each circle that show in a frame, uint8 (n,)."""
    c = circles
    return cast(NDArray[np.uint8], _seen_compiled(c.x, c.y, c.diameter, volume, tuple(frame)))
