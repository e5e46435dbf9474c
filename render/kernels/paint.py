"""Painting discs front to back, for the numba kernel: each pixel is written once it is final."""

from __future__ import annotations

from typing import Any

import numpy as np

from render.kernels.discs import box, cover, row_bits, sight, spread_words
from render.kernels.jit import inline
from render.kernels.vector import first_bit

__all__ = ["flat", "mask", "volume"]

_WHITE_BITS = 25  # of a pixel that is not final: W below, the number of discs met above


def mask(x: Any, y: Any, diameter: Any, frame: Any) -> Any:
    """Return the silhouette, uint8 (height, width) of 0 and 1."""
    width, height, _, _, _, floor = frame
    view = sight(frame)
    words = np.zeros(height * view[0], np.uint64)
    for i in range(x.size):
        reach = max(np.int64(diameter[i]), floor)
        cover(words, 2 * np.int64(x[i]) + view[3], 2 * np.int64(y[i]) + view[4], reach, view)
    out = np.empty(height * width, np.uint8)
    spread_words(words, out, width, height)
    return out.reshape(height, width)


@inline
def _pack(red: Any, green: Any, blue: Any, alpha: Any) -> Any:
    """Return a pixel as uint32, red in the lowest byte."""
    return np.uint32(red) | np.uint32(green) << 8 | np.uint32(blue) << 16 | np.uint32(alpha) << 24


def flat(x: Any, y: Any, diameter: Any, color: Any, frame: Any) -> Any:
    """Return the picture of opaque discs, uint32 (height, width)."""
    width, height, _, _, _, floor = frame
    view = sight(frame)
    n_words, step, _, x_shift, y_shift, _, _ = view
    final = np.zeros(height * n_words, np.uint64)
    out = np.zeros(height * width, np.uint32)
    for i in range(x.size - 1, -1, -1):
        reach = max(np.int64(diameter[i]), floor)
        cx = 2 * np.int64(x[i]) + x_shift
        cy = 2 * np.int64(y[i]) + y_shift
        top, bottom, left, right = box(cx, cy, reach, view)
        if left > right:
            continue
        pixel = _pack(color[i, 0], color[i, 1], color[i, 2], 255)
        for word in range(left >> 6, (right >> 6) + 1):
            at = top * n_words + word
            base = top * width + (word << 6)
            dy = step * top - cy
            for _ in range(bottom - top + 1):
                new = row_bits(cx, reach * reach - dy * dy, reach, left, right, word, view)
                new &= ~final[at]
                if new != 0:
                    final[at] |= new
                    while new != 0:
                        out[base + first_bit(new)] = pixel
                        new &= new - np.uint64(1)
                at += n_words
                base += width
                dy += step
    return out.reshape(height, width)


def volume(x: Any, y: Any, diameter: Any, color: Any, frame: Any, table: Any) -> Any:
    """Return the pseudo-3D picture, uint32 (height, width).

    Until it is final, a pixel holds W and the number of translucent discs met; table gives T
    for that number, and no longer changes at its end.
    """
    width, height, unit, _, _, floor = frame
    view = sight(frame)
    n_words, step, _, x_shift, y_shift, _, _ = view
    final = np.zeros(height * n_words, np.uint64)
    out = np.zeros(height * width, np.uint32)
    most = table.size - 1
    gain = np.empty((2, table.size), np.uint32)  # what a white, a black disc adds to a pixel
    for met in range(most):
        gain[0, met] = (1 << _WHITE_BITS) + (table[met] - table[met + 1])
        gain[1, met] = 1 << _WHITE_BITS
    gain[:, most] = 0
    for i in range(x.size - 1, -1, -1):
        reach = max(np.int64(diameter[i]), floor)
        shift = max(2 * (reach // 6), unit)
        for layer in range(3):  # front to back: opaque, white (upper left), black (lower right)
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
                        while new != 0:
                            pixel = base + first_bit(new)
                            out[pixel] = _final_pixel(out[pixel], color, i, table)
                            new &= new - np.uint64(1)
                    else:
                        while new != 0:
                            pixel = base + first_bit(new)
                            out[pixel] += gain[layer - 1, out[pixel] >> _WHITE_BITS]
                            new &= new - np.uint64(1)
                    at += n_words
                    base += width
                    dy += step
    for row in range(height):
        for column in range(width):
            if final[row * n_words + (column >> 6)] >> np.uint64(column & 63) & np.uint64(1) == 0:
                pixel = row * width + column
                if out[pixel] != 0:
                    out[pixel] = _open_pixel(out[pixel], table)
    return out.reshape(height, width)


@inline
def _final_pixel(state: Any, color: Any, i: Any, table: Any) -> Any:
    left = table[state >> _WHITE_BITS]  # T
    white = 255 * np.int64(state & ((1 << _WHITE_BITS) - 1)) + (1 << 23)  # 255 W + 2^23
    return _pack(
        (white + left * color[i, 0]) >> 24,
        (white + left * color[i, 1]) >> 24,
        (white + left * color[i, 2]) >> 24,
        255,
    )


@inline
def _open_pixel(state: Any, table: Any) -> Any:
    opacity = (1 << 24) - table[state >> _WHITE_BITS]
    white = np.int64(state & ((1 << _WHITE_BITS) - 1))
    gray = (510 * white + opacity) // (2 * opacity)
    return _pack(gray, gray, gray, min(254, (255 * opacity + (1 << 23)) >> 24))
