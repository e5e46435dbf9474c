"""Measures of a mask, compiled: 64 pixels of a row are one word, and most steps are shifts of it.

Each gives the whole numbers that numpy gives; what they mean is said where they are asked for.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numba import types as _types
from numpy.typing import NDArray

from render.kernels.jit import Compiled, inline
from render.kernels.vector import count_bits, first_bit, gather_bits, reverse_bits

__all__ = ["block_counts", "largest_piece", "mirror_counts", "opened_counts", "warm"]

types: Any = _types  # numba ships no annotations
Mask = NDArray[np.bool_]

_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
_EVEN = np.uint64(0x5555555555555555)


@inline
def _pack(mask: Any, height: Any, width: Any, words: Any) -> None:
    """Write the bits of a mask, uint8 (height * width,), to words (height, n_words)."""
    for row in range(height):
        for word in range(words.shape[1]):
            column = word << 6
            at = row * width + column
            if column + 64 <= width:
                words[row, word] = gather_bits(mask, at)
            else:
                bits = np.uint64(0)
                for i in range(width - column):
                    bits |= np.uint64(mask[at + i] != 0) << np.uint64(i)
                words[row, word] = bits


@inline
def _between(low: Any, high: Any, word: Any) -> Any:
    """Return the bits of a word that lie in columns low to high (excluded)."""
    first = max(low - (word << 6), 0)
    last = min(high - (word << 6), 64)
    if first >= last:
        return np.uint64(0)
    return (_ONES << np.uint64(first)) & (_ONES >> np.uint64(64 - last))


@inline
def _spread(words: Any, row: Any, word: Any, n: Any) -> Any:
    """Return a word of a row moved n columns to the right, and to the left; 1 <= n < 64."""
    bits = words[row, word] << np.uint64(n) | words[row, word] >> np.uint64(n)
    if word > 0:
        bits |= words[row, word - 1] >> np.uint64(64 - n)
    if word + 1 < words.shape[1]:
        bits |= words[row, word + 1] << np.uint64(64 - n)
    return bits


@inline
def _dilate(words: Any, radius: Any, width: Any, out: Any) -> None:
    """Write to out the pixels within a radius (< 64) of a pixel; nothing leaves the width."""
    height, n_words = words.shape
    out[:] = 0
    wide = np.empty(n_words, np.uint64)
    for row in range(height):
        some = np.uint64(0)
        for word in range(n_words):
            wide[word] = words[row, word]
            some |= wide[word]
        if some == 0:
            continue
        reach = 0
        for step in range(radius, -1, -1):
            while (reach + 1) * (reach + 1) + step * step <= radius * radius:
                reach += 1
                for word in range(n_words):
                    wide[word] |= _spread(words, row, word, reach)
            for target in (row - step, row + step):
                if 0 <= target < height:
                    for word in range(n_words):
                        out[target, word] |= wide[word]
    for row in range(height):
        out[row, n_words - 1] &= _between(0, width, n_words - 1)


def _block_counts(mask: Any, height: Any, width: Any, rows: Any, columns: Any) -> Any:
    words = np.empty((height, (width + 63) >> 6), np.uint64)
    _pack(mask, height, width, words)
    counts = np.zeros((rows, columns), np.int64)
    for j in range(columns):
        low, high = j * width // columns, (j + 1) * width // columns
        for word in range(low >> 6, ((high - 1) >> 6) + 1):
            inside = _between(low, high, word)
            for i in range(rows):
                n = np.int64(0)
                for row in range(i * height // rows, (i + 1) * height // rows):
                    n += count_bits(words[row, word] & inside)
                counts[i, j] += n
    return counts


@inline
def _find(parents: Any, i: Any) -> Any:
    while parents[i] != i:
        parents[i] = parents[parents[i]]
        i = parents[i]
    return i


def _largest_piece(mask: Any, height: Any, width: Any) -> Any:
    """Join runs of a row with those of the row above that touch them, corners too."""
    n_words = (width + 63) >> 6
    words = np.empty((height, n_words), np.uint64)
    _pack(mask, height, width, words)
    n = 0
    for row in range(height):
        before = np.uint64(0)
        for word in range(n_words):
            bits = words[row, word]
            n += count_bits(bits & ~(bits << np.uint64(1) | before))
            before = bits >> np.uint64(63)
    begins = np.empty(n, np.int32)
    ends = np.empty(n, np.int32)
    parents = np.empty(n, np.int32)
    sizes = np.zeros(n, np.int64)
    above = above_end = n = 0
    largest = np.int64(0)
    for row in range(height):
        here = n
        column = 0
        while column < width:
            word = column >> 6
            bits = words[row, word] >> np.uint64(column & 63)
            if bits == 0:
                column = (word + 1) << 6
                continue
            column += first_bit(bits)
            begin = column
            while column < width:  # to the end of the run
                gaps = ~(words[row, column >> 6] >> np.uint64(column & 63))
                left = 64 - (column & 63)
                length = min(first_bit(gaps), left) if gaps != 0 else left
                column += length
                if length < left:
                    break
            begins[n], ends[n], parents[n] = begin, min(column, width), n
            n += 1
        for i in range(here, n):
            while above < above_end and ends[above] < begins[i]:
                above += 1
            j = above
            while j < above_end and begins[j] <= ends[i]:
                a, b = _find(parents, i), _find(parents, j)
                parents[max(a, b)] = min(a, b)
                j += 1
        above, above_end = here, n
    for i in range(n):
        root = _find(parents, i)
        sizes[root] += ends[i] - begins[i]
        largest = max(largest, sizes[root])
    return largest


@inline
def _squeeze(bits: Any) -> Any:
    """Return the 32 even bits of a word side by side."""
    bits &= _EVEN
    bits = (bits | bits >> np.uint64(1)) & np.uint64(0x3333333333333333)
    bits = (bits | bits >> np.uint64(2)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    bits = (bits | bits >> np.uint64(4)) & np.uint64(0x00FF00FF00FF00FF)
    bits = (bits | bits >> np.uint64(8)) & np.uint64(0x0000FFFF0000FFFF)
    return (bits | bits >> np.uint64(16)) & np.uint64(0x00000000FFFFFFFF)


@inline
def _reduce(mask: Any, height: Any, width: Any, factor: Any, margin: Any, cells: Any) -> None:
    """Write the cells of which at least half is plant, a margin from the border of cells."""
    n_words = (width + 63) >> 6
    words = np.empty((height + 1, n_words), np.uint64)
    _pack(mask, height, width, words[:height])
    words[height] = 0
    rows, columns = -(-height // factor), -(-width // factor)
    cells[:] = 0
    for i in range(rows):
        if factor == 2:
            for word in range(n_words):
                upper, lower = words[2 * i, word], words[2 * i + 1, word]
                a, b = upper >> np.uint64(1), lower >> np.uint64(1)
                most = (upper & a) | (lower & b) | ((upper | a) & (lower | b))
                _put(cells, i + margin, (word << 5) + margin, _squeeze(most))
            continue
        for j in range(columns):
            n = 0
            low, high = j * factor, min((j + 1) * factor, width)
            for row in range(i * factor, min((i + 1) * factor, height)):
                for word in range(low >> 6, ((high - 1) >> 6) + 1):
                    n += count_bits(words[row, word] & _between(low, high, word))
            if 2 * n >= factor * factor:
                _put(cells, i + margin, j + margin, np.uint64(1))


@inline
def _mirror_image(words: Any, width: Any, axis: Any, out: Any) -> None:
    """Write to out the image in which column x shows column axis - x."""
    n_words = words.shape[1]
    for word in range(n_words):
        # its first column shows this column of the row read from behind
        column = (word << 6) + (n_words << 6) - 1 - axis
        first, shift = column >> 6, np.uint64(column & 63)
        keep = _between(0, width, word)
        for row in range(words.shape[0]):
            bits = np.uint64(0)
            if 0 <= first < n_words:
                bits = reverse_bits(words[row, n_words - 1 - first]) >> shift
            if shift > 0 and 0 <= first + 1 < n_words:
                bits |= reverse_bits(words[row, n_words - 2 - first]) << (np.uint64(64) - shift)
            out[row, word] = bits & keep


@inline
def _put(words: Any, row: Any, column: Any, bits: Any) -> None:
    """Set bits of a row from a column on."""
    word, shift = column >> 6, column & 63
    words[row, word] |= bits << np.uint64(shift)
    if shift > 0 and word + 1 < words.shape[1]:
        words[row, word + 1] |= bits >> np.uint64(64 - shift)


@inline
def _count(words: Any) -> Any:
    n = np.int64(0)
    for row in range(words.shape[0]):
        for word in range(words.shape[1]):
            n += count_bits(words[row, word])
    return n


def _opened_counts(mask: Any, height: Any, width: Any, factor: Any, radius: Any) -> Any:
    rows, columns = -(-height // factor) + 2 * radius, -(-width // factor) + 2 * radius
    n_words = (columns + 63) >> 6
    cells = np.empty((rows, n_words), np.uint64)
    _reduce(mask, height, width, factor, radius, cells)
    n = _count(cells)
    if n == 0:
        return np.int64(0), np.int64(0)
    out = np.empty((rows, n_words), np.uint64)
    for row in range(rows):
        for word in range(n_words):
            cells[row, word] = ~cells[row, word] & _between(0, columns, word)
    _dilate(cells, radius, columns, out)
    for row in range(rows):
        for word in range(n_words):
            cells[row, word] = ~out[row, word] & _between(0, columns, word)
    _dilate(cells, radius, columns, out)
    return n, _count(out)


def _mirror_counts(mask: Any, height: Any, width: Any, axis: Any, far: Any, radius: Any) -> Any:
    n_words = (width + 63) >> 6
    off = np.empty((height, n_words), np.uint64)
    _pack(mask, height, width, off)
    mirror = np.empty((height, n_words), np.uint64)
    _mirror_image(off, width, axis, mirror)
    near = np.empty((height, n_words), np.uint64)
    _dilate(mirror, radius, width, near)
    away = np.empty((1, n_words), np.uint64)
    _pack(far, 1, width, away)
    top: Any = np.int64(height)
    bottom: Any = np.int64(0)
    used = np.zeros(n_words, np.uint64)
    n = matched = np.int64(0)
    for row in range(height):
        some = np.uint64(0)
        for word in range(n_words):
            bits = off[row, word] & away[0, word]
            n += count_bits(bits)
            matched += count_bits(bits & near[row, word])
            used[word] |= bits
            some |= bits
        if some != 0:
            top = min(top, row)
            bottom = row + 1
    left: Any = np.int64(width)
    right: Any = np.int64(0)
    for column in range(width):
        if used[column >> 6] >> np.uint64(column & 63) & np.uint64(1) != 0:
            left = min(left, column)
            right = column + 1
    chance = np.int64(0)
    for row in range(top, bottom):
        for word in range(n_words):
            chance += count_bits(near[row, word] & _between(left, right, word))
    if n == 0:
        return n, n, n, n, n
    return n, matched, chance, bottom - top, right - left


_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_SIZE = (_BYTES, types.int64, types.int64)
_blocks = Compiled(_block_counts, (*_SIZE, types.int64, types.int64))
_piece = Compiled(_largest_piece, _SIZE)
_opened = Compiled(_opened_counts, (*_SIZE, types.int64, types.int64))
_mirror = Compiled(_mirror_counts, (*_SIZE, types.int64, _BYTES, types.int64))


def warm() -> bool:
    """Compile all functions, or load them from the cache; return whether one was compiled."""
    compiled = [one.compile() for one in (_blocks, _piece, _opened, _mirror)]
    return any(compiled)


def _flat(mask: Mask) -> NDArray[np.uint8]:
    flat = np.ascontiguousarray(mask).view(np.uint8).reshape(-1)
    flat.flags.writeable = False
    return flat


def block_counts(mask: Mask, rows: int, columns: int) -> NDArray[np.int64]:
    """Return the pixels in blocks, int64 (rows, columns); block i of n: i H // n on."""
    return cast(NDArray[np.int64], _blocks(_flat(mask), *mask.shape, rows, columns))


def largest_piece(mask: Mask) -> int:
    """Return the pixels of the largest 8-connected piece."""
    return int(_piece(_flat(mask), *mask.shape))


def opened_counts(mask: Mask, factor: int, radius: int) -> tuple[int, int]:
    """Return the cells of a reduced mask, and those of its opening by a disc."""
    n, opened = _opened(_flat(mask), *mask.shape, factor, radius)
    return int(n), int(opened)


def mirror_counts(mask: Mask, axis: int, far: Mask, radius: int) -> tuple[int, int, int, int, int]:
    """Return what a mirror match counts.

    Of the pixels in the columns that are far: how many, how many of them lie within a radius of
    the mirror image, and in their bounding box how many pixels do; height and width of that box.
    """
    n, matched, chance, tall, wide = _mirror(_flat(mask), *mask.shape, axis, _flat(far), radius)
    return int(n), int(matched), int(chance), int(tall), int(wide)
