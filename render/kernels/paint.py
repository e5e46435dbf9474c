"""Painting discs front to back, for the numba kernel: each pixel is written once it is final."""

from __future__ import annotations

from typing import Any

import numpy as np

from render.kernels.discs import (
    QUEUE,
    cover,
    free_blocks,
    n_tiles,
    pixel_of,
    sight,
    spread_words,
    tile_of,
    visible,
    write_rows,
)
from render.kernels.jit import inline
from render.kernels.vector import first_bit, last_bit

__all__ = ["flat", "mask", "volume"]

_WHITE_BITS = 25  # of a pixel that is not final: W below, the number of discs met above


def mask(x: Any, y: Any, diameter: Any, frame: Any) -> Any:
    """Return the silhouette, uint8 (height, width) of 0 and 1."""
    width, height, _, _, _, floor = frame
    view = sight(frame)
    tiles = np.zeros(n_tiles(height, view), np.uint64)
    flags = np.zeros(64, np.uint8)
    for begin in range(0, x.size, 64):
        some = visible(x, y, diameter, begin, floor, 1, view, flags)
        while some != 0:
            i = begin + first_bit(some)
            some &= some - np.uint64(1)
            reach = max(np.int64(diameter[i]), floor)
            cover(tiles, 2 * np.int64(x[i]) + view[3], 2 * np.int64(y[i]) + view[4], reach, view)
    words = np.empty(height * (view[0] >> 3), np.uint64)
    write_rows(tiles, words, height)
    out = np.empty(height * width, np.uint8)
    spread_words(words, out, width, height)
    return out.reshape(height, width)


@inline
def _pack(red: Any, green: Any, blue: Any, alpha: Any) -> Any:
    """Return a pixel as uint32, red in the lowest byte."""
    return np.uint32(red) | np.uint32(green) << 8 | np.uint32(blue) << 16 | np.uint32(alpha) << 24


@inline
def _write(out: Any, width: Any, places: Any, blocks: Any, queued: Any) -> None:
    """Write to all pixels of a queue its values."""
    for k in range(queued):
        first, pixel, bits = places[k, 0], np.uint32(places[k, 1]), blocks[k]
        while bits != 0:
            out[pixel_of(first_bit(bits), first, width)] = pixel
            bits &= bits - np.uint64(1)


def flat(x: Any, y: Any, diameter: Any, color: Any, frame: Any) -> Any:
    """Return the picture of opaque discs, uint32 (height, width)."""
    width, height, _, _, _, floor = frame
    view = sight(frame)
    final = np.zeros(n_tiles(height, view), np.uint64)
    out = np.zeros(height * width, np.uint32)
    flags = np.zeros(64, np.uint8)
    places = np.empty((QUEUE + final.size, 2), np.int64)
    blocks = np.empty(QUEUE + final.size, np.uint64)
    n = 0
    for begin in range((x.size - 1) >> 6 << 6, -1, -64):
        some = visible(x, y, diameter, begin, floor, 1, view, flags)
        while some != 0:
            last = last_bit(some)
            some ^= np.uint64(1) << np.uint64(last)
            i = np.uint64(begin + last)
            reach = max(np.int64(diameter[i]), floor)
            cx = 2 * np.int64(x[i]) + view[3]
            cy = 2 * np.int64(y[i]) + view[4]
            pixel = np.int64(_pack(color[i, 0], color[i, 1], color[i, 2], 255))
            n = free_blocks(final, cx, cy, reach, view, width, True, pixel, places, blocks, n)
            if n >= QUEUE:
                _write(out, width, places, blocks, n)
                n = 0
    _write(out, width, places, blocks, n)
    return out.reshape(height, width)


def volume(x: Any, y: Any, diameter: Any, color: Any, frame: Any, table: Any) -> Any:
    """Return the pseudo-3D picture, uint32 (height, width).

    Until it is final, a pixel holds W and the number of translucent discs met; table gives T
    for that number, and no longer changes at its end.
    """
    width, height, unit, _, _, floor = frame
    view = sight(frame)
    final = np.zeros(n_tiles(height, view), np.uint64)
    out = np.zeros(height * width, np.uint32)
    # what a white, a black disc adds to a pixel that has met that many
    gain = np.zeros((2, table.size), np.uint32)
    for met in range(table.size - 1):
        gain[0, met] = (1 << _WHITE_BITS) + (table[met] - table[met + 1])
        gain[1, met] = 1 << _WHITE_BITS
    flags = np.zeros(64, np.uint8)
    places = np.empty((QUEUE + final.size, 2), np.int64)
    blocks = np.empty(QUEUE + final.size, np.uint64)
    n = 0
    for begin in range((x.size - 1) >> 6 << 6, -1, -64):
        some = visible(x, y, diameter, begin, floor, 2, view, flags)  # as S < D
        while some != 0:
            last = last_bit(some)
            some ^= np.uint64(1) << np.uint64(last)
            i = begin + last
            reach = max(np.int64(diameter[i]), floor)
            shift = max(2 * (reach // 6), unit)
            cx = 2 * np.int64(x[i]) + view[3]
            cy = 2 * np.int64(y[i]) + view[4]
            for layer in range(3):  # front to back: opaque, white (upper left), black (lower right)
                move = (shift if layer == 2 else -shift) if layer > 0 else 0
                x_now, y_now, opaque, value = cx + move, cy + move, layer == 0, i << 2 | layer
                n = free_blocks(
                    final, x_now, y_now, reach, view, width, opaque, value, places, blocks, n
                )
                if n >= QUEUE:
                    _blend(out, width, color, table, gain, places, blocks, n)
                    n = 0
    _blend(out, width, color, table, gain, places, blocks, n)
    for row in range(height):
        for column in range(width):
            tile, bit = tile_of(row, column, view)
            if final[tile] >> bit & np.uint64(1) == 0:
                pixel = row * width + column
                if out[pixel] != 0:
                    out[pixel] = _open_pixel(out[pixel], table)
    return out.reshape(height, width)


@inline
def _blend(
    out: Any,
    width: Any,
    color: Any,
    table: Any,
    gain: Any,
    places: Any,
    blocks: Any,
    queued: Any,
) -> None:
    """Put the discs of a queue, of the circles and layers that are its values, on its pixels."""
    for k in range(queued):
        first, bits = places[k, 0], blocks[k]
        i, layer = np.uint64(places[k, 1] >> 2), places[k, 1] & 3
        while bits != 0:
            at = pixel_of(first_bit(bits), first, width)
            if layer == 0:
                out[at] = _final_pixel(out[at], color, i, table)
            else:
                out[at] += gain[layer - 1, out[at] >> np.uint32(_WHITE_BITS)]
            bits &= bits - np.uint64(1)


@inline
def _final_pixel(state: Any, color: Any, i: Any, table: Any) -> Any:
    left = table[state >> np.uint32(_WHITE_BITS)]  # T
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
