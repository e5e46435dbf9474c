"""Which pixels a disc covers, for the numba kernel: a tile of 8 x 8 pixels is one word.

Bit 8 r + c of a tile stands for its pixel in row r, column c. Most discs are smaller than a tile,
so that they are one step and touch at most four words; a tile that is full is passed over.
Eight tiles side by side turn into a word of each of eight rows of bits.
Everything is exact: floats hold whole numbers below 2^51, and half a unit keeps each quotient off
the whole numbers, so that its rounding does no harm.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from render.kernels.jit import inline
from render.kernels.vector import disc_8, gather_bits, spread_bits, transpose_8

__all__ = [
    "QUEUE",
    "cover",
    "free_blocks",
    "n_tiles",
    "pixel_of",
    "sight",
    "spread_words",
    "tile_of",
    "visible",
    "write_rows",
]

_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
QUEUE = 1024
"""Blocks after which a queue is worked off: long enough that both loops run undisturbed."""

_MAX_REACH = 46340  # the largest whose square is an int32
_COLUMN = np.uint64(0x0101010101010101)  # the first column of a tile
_ROW = np.uint64(255)  # its first row


@inline
def sight(frame: Any) -> Any:
    """Return what the functions below need of a frame.

    In doubled coordinates moved so that the center of pixel i lies at 2 unit i: (tiles a
    row, 2 unit, its inverse, shift of x, shift of y, x of the last column, y of the last row).
    """
    width, height, unit, column, row, _ = frame
    step = 2 * unit
    return (
        ((width + 63) >> 6) << 3,
        step,
        1.0 / step,
        step * column - unit,
        step * row - unit,
        step * (width - 1),
        step * (height - 1),
    )


@inline
def n_tiles(height: Any, view: Any) -> Any:
    """Return how many tiles a picture takes: a row more, below, for what no disc covers."""
    return view[0] * (((height + 7) >> 3) + 1) + 1


@inline
def visible(
    x: Any, y: Any, diameter: Any, begin: Any, floor: Any, times: Any, view: Any, flags: Any
) -> Any:
    """Return the bits of up to 64 circles from `begin` on that may reach the window.

    Most circles of a large plant lie off it. This is one step for several of them, and without a
    branch that the processor would have to guess. Discs may be moved: each is taken `times` as
    wide. flags is uint8 (64,).
    """
    _, _, _, x_shift, y_shift, x_last, y_last = view
    n = min(x.size - begin, 64)
    for k in range(n):
        i = np.uint64(begin) + np.uint64(k)  # unsigned: nothing counts from the end
        reach = times * max(np.int64(diameter[i]), floor)
        across, down = 2 * np.int64(x[i]) + x_shift, 2 * np.int64(y[i]) + y_shift
        flags[k] = (
            (across >= -reach)
            & (across - reach <= x_last)
            & (down >= -reach)
            & (down - reach <= y_last)
        )
    return gather_bits(flags, 0) & (_ONES >> np.uint64(64 - n))


@inline
def _box(x: Any, y: Any, reach: Any, view: Any) -> Any:
    """Return the rows and columns (top, bottom, left, right), all included, that a disc may cover.

    right < left, or bottom < top, for a disc that covers no pixel.
    """
    _, step, inverse, _, _, x_last, y_last = view
    if x + reach < 0 or y + reach < 0 or x - reach > x_last or y - reach > y_last:
        return np.int64(0), np.int64(-1), np.int64(0), np.int64(-1)
    up = step - 0.5  # the whole number at or above a / step is that below (a + step - .5) / step
    top = max(np.int64((np.float64(y - reach) + up) * inverse), 0)
    bottom = np.int64((np.float64(min(y + reach, y_last)) + 0.5) * inverse)
    left = max(np.int64((np.float64(x - reach) + up) * inverse), 0)
    right = np.int64((np.float64(min(x + reach, x_last)) + 0.5) * inverse)
    return top, bottom, left, right


@inline
def _isqrt(n: Any) -> Any:
    """Return the whole part of the root of n; 0 <= n <= 2^62."""
    root = np.int64(np.sqrt(np.float64(n)))
    if root * root > n:  # from 2^52 up a float may round across a whole number
        root -= 1
    elif (root + 1) * (root + 1) <= n:
        root += 1
    return root


@inline
def _rectangle(top: Any, bottom: Any, left: Any, right: Any) -> Any:
    """Return the bits of some rows and columns, all included, that lie in 0 to 7."""
    first, last = max(left, 0), min(right, 7)
    columns = (_COLUMN << np.uint64(first)) * np.uint64((2 << (last - first)) - 1)
    return (
        columns
        & (_ONES << np.uint64(8 * max(top, 0)))
        & (_ONES >> np.uint64(56 - 8 * min(bottom, 7)))
    )


@inline
def _block(x: Any, y: Any, reach: Any, row: Any, column: Any, among: Any, view: Any) -> Any:
    """Return those bits `among` a block that a disc covers; the block begins at (row, column)."""
    step = view[1]
    left, above = step * column - x, step * row - y
    if reach <= _MAX_REACH:
        square = np.int32(reach * reach)
        return among & disc_8(np.int32(left), np.int32(above), np.int32(step), square)
    bits = np.uint64(0)
    for r in range(8):
        dy = above + r * step
        some = among >> np.uint64(8 * r) & _ROW
        if some == 0:
            continue
        across = _isqrt(reach * reach - dy * dy)
        for c in range(8):
            hit = np.uint64(abs(left + c * step) <= across)
            bits |= (some & (hit << np.uint64(c))) << np.uint64(8 * r)
    return bits


@inline
def _places(row: Any, column: Any, n: Any) -> Any:
    """Return the numbers of the four tiles that a block of 8 x 8 bits at (row, column) touches."""
    at = np.uint64((row >> 3) * n + (column >> 3))  # unsigned: nothing counts from the end
    below = at + np.uint64(n)
    return at, at + np.uint64(1), below, below + np.uint64(1)


@inline
def _shifts(row: Any, column: Any) -> Any:
    """Return (down, up, right, left, own) that move a block at (row, column) to its tiles.

    `own` are its columns that lie in the left tiles.
    """
    down, right = np.uint64(8 * (row & 7)), np.uint64(column & 7)
    return down, np.uint64(56) - down, right, np.uint64(8) - right, _COLUMN * (_ROW >> right)


@inline
def _gather(tiles: Any, row: Any, column: Any, n: Any) -> Any:
    """Return the block of 8 x 8 bits that begins at (row, column): parts of four tiles."""
    at, beside, below, across = _places(row, column, n)
    down, up, right, left, own = _shifts(row, column)
    west = tiles[at] >> down | (tiles[below] << np.uint64(8)) << up
    east = tiles[beside] >> down | (tiles[across] << np.uint64(8)) << up
    return (west >> right & own) | (east << left & ~own)


@inline
def _scatter(tiles: Any, row: Any, column: Any, n: Any, block: Any) -> None:
    """Set the bits of the block of 8 x 8 bits that begins at (row, column)."""
    at, beside, below, across = _places(row, column, n)
    down, up, right, left, own = _shifts(row, column)
    west, east = (block & own) << right, (block & ~own) >> left
    tiles[at] |= west << down
    tiles[beside] |= east << down
    tiles[below] |= (west >> np.uint64(8)) >> up
    tiles[across] |= (east >> np.uint64(8)) >> up


@inline
def cover(tiles: Any, x: Any, y: Any, reach: Any, view: Any) -> None:
    """Set the bits of all pixels that a disc covers."""
    n = view[0]
    top, bottom, left, right = _box(x, y, reach, view)
    if left > right or top > bottom:
        return
    if bottom - top < 8 and right - left < 8:
        among = _rectangle(0, bottom - top, 0, right - left)
        _scatter(tiles, top, left, n, _block(x, y, reach, top, left, among, view))
        return
    for row in range(top & ~7, bottom + 1, 8):
        for column in range(left & ~7, right + 1, 8):
            at = np.uint64((row >> 3) * n + (column >> 3))
            free = ~tiles[at]
            if free != 0:
                free &= _rectangle(top - row, bottom - row, left - column, right - column)
                tiles[at] |= _block(x, y, reach, row, column, free, view)


@inline
def _appended(places: Any, blocks: Any, queued: Any, first: Any, value: Any, bits: Any) -> Any:
    """Write a block behind a queue, and return how many are in it: a block without bits is not."""
    end = np.uint64(queued)
    places[end, 0] = first
    places[end, 1] = value
    blocks[end] = bits
    return queued + np.int64(bits != 0)


@inline
def free_blocks(
    tiles: Any,
    x: Any,
    y: Any,
    reach: Any,
    view: Any,
    width: Any,
    opaque: Any,
    value: Any,
    places: Any,
    blocks: Any,
    queued: Any,
) -> Any:
    """Append to a queue what a disc covers and is not set; return how many blocks are in it.

    An opaque disc sets it. What is done with the pixels is done later, for several discs: how many
    there are cannot be guessed, and a processor that guesses wrong would start all of this anew.
    """
    n = view[0]
    top, bottom, left, right = _box(x, y, reach, view)
    if left > right or top > bottom:
        return queued
    if bottom - top < 8 and right - left < 8:
        free = _rectangle(0, bottom - top, 0, right - left) & ~_gather(tiles, top, left, n)
        free = _block(x, y, reach, top, left, free, view)
        if opaque:
            _scatter(tiles, top, left, n, free)
        return _appended(places, blocks, queued, top * width + left, value, free)
    for row in range(top & ~7, bottom + 1, 8):
        for column in range(left & ~7, right + 1, 8):
            at = np.uint64((row >> 3) * n + (column >> 3))
            free = ~tiles[at]
            if free != 0:
                free &= _rectangle(top - row, bottom - row, left - column, right - column)
                free = _block(x, y, reach, row, column, free, view)
                if opaque:
                    tiles[at] |= free
                first = row * width + column
                queued = _appended(places, blocks, queued, first, value, free)
    return queued


@inline
def pixel_of(bit: Any, first: Any, width: Any) -> Any:
    """Return the number of a pixel from its bit in a block and the number of the block's first."""
    return np.uint64(first + (bit >> 3) * width + (bit & 7))


@inline
def tile_of(row: Any, column: Any, view: Any) -> Any:
    """Return the number of a pixel's tile, and that of its bit."""
    return (row >> 3) * view[0] + (column >> 3), np.uint64(8 * (row & 7) + (column & 7))


@inline
def write_rows(tiles: Any, words: Any, height: Any) -> None:
    """Write a picture as rows of bits, uint64 (height * words a row,). Uses up the tiles."""
    n_words = words.size // height
    for top in range(0, height, 8):
        for word in range(n_words):
            at = top * n_words + (word << 3)
            transpose_8(tiles, at)
            for row in range(min(8, height - top)):
                words[(top + row) * n_words + word] = tiles[at + row]


@inline
def spread_words(words: Any, out: Any, width: Any, height: Any) -> None:
    """Write rows of bits as bytes 0 and 1: out is uint8 (height * width,)."""
    n_words = (width + 63) >> 6
    whole = width >> 6
    for row in range(height):
        for word in range(whole):
            spread_bits(out, row * width + (word << 6), words[row * n_words + word])
        if width & 63:
            bits = words[row * n_words + whole]
            for column in range(whole << 6, width):
                out[row * width + column] = bits & np.uint64(1)
                bits >>= np.uint64(1)
