"""Which pixels a disc covers, for the numba kernel: 64 pixels of a row are one word.

A picture has words[row * n_words + column // 64]; bit column % 64 stands for a pixel. Everything
is exact: floats hold whole numbers below 2^51, and half a unit keeps each quotient off the whole
numbers, so that its rounding does no harm.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from render.kernels.jit import inline
from render.kernels.vector import at_most_8, at_most_16, at_most_32, spread_bits

__all__ = ["ONES", "box", "cover", "row_bits", "sight", "spread_words"]

ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
_NARROW = 32  # widest box whose squares are compared all at once
_MAX_REACH = 46340  # the largest whose square is an int32


@inline
def sight(frame: Any) -> Any:
    """Return what `box` and `row_bits` need of a frame.

    In doubled coordinates moved so that the center of pixel i lies at 2 unit i: (words a row,
    2 unit, its inverse, shift of x, shift of y, x of the last column, y of the last row).
    """
    width, height, unit, column, row, _ = frame
    step = 2 * unit
    return (
        (width + 63) >> 6,
        step,
        1.0 / step,
        step * column - unit,
        step * row - unit,
        step * (width - 1),
        step * (height - 1),
    )


@inline
def box(x: Any, y: Any, reach: Any, view: Any) -> Any:
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
def row_bits(x: Any, square: Any, reach: Any, left: Any, right: Any, word: Any, view: Any) -> Any:
    """Return the bits of a word that a disc covers in a row.

    Parameters
    ----------
    x : int64
        Its center.
    square : int64
        reach² less the square of the row's distance from the center; at least 0.
    left, right : int64
        The columns of its box.
    word : int64
        Number of the word within the row, from left >> 6 to right >> 6.
    """
    _, step, inverse, _, _, _, _ = view
    last = right - left
    shift = left - (word << 6)
    if last < _NARROW and reach <= _MAX_REACH:
        first = np.int32(step * left - x)
        limit = np.int32(square)
        if last < 8:
            bits = at_most_8(first, np.int32(step), limit)
        elif last < 16:
            bits = at_most_16(first, np.int32(step), limit)
        else:
            bits = at_most_32(first, np.int32(step), limit)
        bits &= ONES >> np.uint64(63 - last)
        return bits << np.uint64(shift) if shift >= 0 else bits >> np.uint64(-shift)
    across = _isqrt(square)
    low = max(np.int64((np.float64(x - across) + (step - 0.5)) * inverse), left) - (word << 6)
    high = min(np.int64((np.float64(x + across) + 0.5) * inverse), right) - (word << 6)
    if x + across < 0 or low > high or low > 63 or high < 0:
        return np.uint64(0)
    return (ONES << np.uint64(max(low, 0))) & (ONES >> np.uint64(63 - min(high, 63)))


@inline
def cover(words: Any, x: Any, y: Any, reach: Any, view: Any) -> None:
    """Set the bits of all pixels that a disc covers."""
    n_words, step, _, _, _, _, _ = view
    top, bottom, left, right = box(x, y, reach, view)
    if left > right:
        return
    for word in range(left >> 6, (right >> 6) + 1):
        at = top * n_words + word
        dy = step * top - y
        for _ in range(bottom - top + 1):
            words[at] |= row_bits(x, reach * reach - dy * dy, reach, left, right, word, view)
            at += n_words
            dy += step


@inline
def spread_words(words: Any, out: Any, width: Any, height: Any) -> None:
    """Write the bits of a picture as bytes 0 and 1: out is uint8 (height * width,)."""
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
