"""Blocks, massive parts and mirror images of a mask, compiled, on rows of bits."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numba import types as _types
from numpy.typing import NDArray

from render.kernels.jit import Compiled, inline
from render.kernels.rows import between, count, dilate, erode, given, has_ink
from render.kernels.vector import count_bits, reverse_bits

__all__ = [
    "block_counts",
    "mirror_counts",
    "mirror_overlap",
    "mirror_overlaps",
    "opened_counts",
]

types: Any = _types  # numba ships no annotations
Words = NDArray[np.uint64]

_EVEN = np.uint64(0x5555555555555555)


def _block_counts(words: Any, width: Any, rows: Any, columns: Any) -> Any:
    height = words.shape[0]
    counts = np.zeros((rows, columns), np.int64)
    for j in range(columns):
        low, high = j * width // columns, (j + 1) * width // columns
        for word in range(low >> 6, ((high - 1) >> 6) + 1):
            inside = between(low, high, word)
            for i in range(rows):
                n = np.int64(0)
                for row in range(i * height // rows, (i + 1) * height // rows):
                    n += count_bits(words[row, word] & inside)
                counts[i, j] += n
    return counts


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
def _halve(words: Any, cells: Any) -> None:
    """Write the cells of 2 x 2 pixels of which at least two are plant, as rows of bits."""
    for row in range(cells.shape[0]):
        for word in range(words.shape[1]):
            upper, lower = words[2 * row, word], np.uint64(0)
            if 2 * row + 1 < words.shape[0]:
                lower = words[2 * row + 1, word]
            a, b = upper >> np.uint64(1), lower >> np.uint64(1)
            most = (upper & a) | (lower & b) | ((upper | a) & (lower | b))
            cells[row, word >> 1] |= _squeeze(most) << np.uint64((word & 1) << 5)


@inline
def _reduce(words: Any, width: Any, factor: Any, cells: Any) -> None:
    """Write the cells of which at least half is plant, as rows of bits."""
    height = words.shape[0]
    cells[:] = 0
    if factor == 2:
        _halve(words, cells)
        return
    for i in range(cells.shape[0]):
        for j in range(-(-width // factor)):
            n = 0
            low, high = j * factor, min((j + 1) * factor, width)
            for row in range(i * factor, min((i + 1) * factor, height)):
                for word in range(low >> 6, ((high - 1) >> 6) + 1):
                    n += count_bits(words[row, word] & between(low, high, word))
            if 2 * n >= factor * factor:
                cells[i, j >> 6] |= np.uint64(1) << np.uint64(j & 63)


@inline
def _mirror_image(words: Any, width: Any, axis: Any, out: Any) -> None:
    """Write to out the image in which column x shows column axis - x."""
    n_words = words.shape[1]
    for word in range(n_words):
        # its first column shows this column of the row read from behind
        column = (word << 6) + (n_words << 6) - 1 - axis
        first, shift = column >> 6, np.uint64(column & 63)
        keep = between(0, width, word)
        for row in range(words.shape[0]):
            bits = np.uint64(0)
            if 0 <= first < n_words:
                bits = reverse_bits(words[row, n_words - 1 - first]) >> shift
            if shift > 0 and 0 <= first + 1 < n_words:
                bits |= reverse_bits(words[row, n_words - 2 - first]) << (np.uint64(64) - shift)
            out[row, word] = bits & keep


def _opened_counts(words: Any, width: Any, factor: Any, radius: Any) -> Any:
    rows, columns = -(-words.shape[0] // factor), -(-width // factor)
    cells = np.empty((rows, (columns + 63) >> 6), np.uint64)
    _reduce(words, width, factor, cells)
    n = count(cells)
    cores = np.empty_like(cells)
    erode(cells, radius, columns, cores)
    if count(cores) == 0:
        return n, np.int64(0)
    dilate(cores, radius, columns, cells)
    return n, count(cells)


def _mirror_counts(words: Any, width: Any, axis: Any, far: Any, radius: Any) -> Any:
    height, n_words = words.shape
    mirror = np.empty_like(words)
    _mirror_image(words, width, axis, mirror)
    near = np.empty_like(words)
    dilate(mirror, radius, width, near)
    away = np.zeros(n_words, np.uint64)
    for column in range(width):
        away[column >> 6] |= np.uint64(far[column] != 0) << np.uint64(column & 63)
    top: Any = np.int64(height)
    bottom: Any = np.int64(0)
    used = np.zeros(n_words, np.uint64)
    n = matched = np.int64(0)
    for row in range(height):
        some = np.uint64(0)
        for word in range(n_words):
            bits = words[row, word] & away[word]
            n += count_bits(bits)
            matched += count_bits(bits & near[row, word])
            used[word] |= bits
            some |= bits
        if some != 0:
            top = min(top, row)
            bottom = row + 1
    if n == 0:
        return n, n, n, n, n
    left: Any = np.int64(width)
    right: Any = np.int64(0)
    for column in range(width):
        if used[column >> 6] >> np.uint64(column & 63) & np.uint64(1) != 0:
            left = min(left, column)
            right = column + 1
    chance = np.int64(0)
    for word in range(n_words):
        inside = between(left, right, word)
        for row in range(top, bottom):
            chance += count_bits(near[row, word] & inside)
    return n, matched, chance, bottom - top, right - left


def _mirror_overlaps(words: Any, width: Any) -> Any:
    """Return the overlap for axes 0 .. 2 W - 2.

    For an axis the row read from behind is moved so that column x shows axis - x: by a number of
    bits below 64, and by whole words. Words of one column lie side by side, so that a loop over
    rows does many at once.
    """
    while len(words) > 1 and not has_ink(words, len(words) - 1):
        words = words[:-1]
    while len(words) > 1 and not has_ink(words, 0):
        words = words[1:]
    height, n_words = words.shape
    here = words.T.copy()
    behind = np.zeros((n_words + 2, height), np.uint64)  # a word more on both sides
    inked = np.zeros(n_words + 2, np.bool_)  # which of these hold any pixel
    for word in range(n_words):
        for row in range(height):
            behind[n_words - word, row] = reverse_bits(words[row, word])
            inked[n_words - word] |= words[row, word] != 0
    moved = np.empty((n_words + 1, height), np.uint64)
    overlaps = np.zeros(2 * width - 1, np.int64)
    last = 64 * n_words - 1
    for bits in range(64):
        near = np.uint64(bits)
        for word in range(n_words + 1):
            if not (inked[word] or inked[word + 1]):
                continue
            for row in range(height):
                upper = behind[word + 1, row] << np.uint64(1) << (np.uint64(63) - near)
                moved[word, row] = behind[word, row] >> near | upper
        for word in range(n_words):
            if not inked[n_words - word]:
                continue
            for other in range(n_words + 1):
                if not (inked[other] or inked[other + 1]):
                    continue
                axis = last - bits - 64 * (other - 1 - word)
                if axis < 0 or axis > 2 * width - 2:
                    continue
                line, mirror = here[word], moved[other]
                n = np.int64(0)
                for row in range(height):
                    n += count_bits(line[row] & mirror[row])
                overlaps[axis] += n
    return overlaps


def _mirror_overlap(words: Any, width: Any, axis: Any) -> Any:
    image = np.empty_like(words)
    _mirror_image(words, width, axis, image)
    n = np.int64(0)
    for row in range(words.shape[0]):
        for word in range(words.shape[1]):
            n += count_bits(words[row, word] & image[row, word])
    return n


_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_WORDS = types.Array(types.uint64, 2, "C", readonly=True)
_blocks = Compiled(_block_counts, (_WORDS, types.int64, types.int64, types.int64))
_opened = Compiled(_opened_counts, (_WORDS, types.int64, types.int64, types.int64))
_mirror = Compiled(_mirror_counts, (_WORDS, types.int64, types.int64, _BYTES, types.int64))
_overlap = Compiled(_mirror_overlap, (_WORDS, types.int64, types.int64))
_overlaps = Compiled(_mirror_overlaps, (_WORDS, types.int64))

COMPILED = (_blocks, _opened, _mirror, _overlap, _overlaps)


def block_counts(words: Words, width: int, rows: int, columns: int) -> NDArray[np.int64]:
    """Return the pixels in blocks, int64 (rows, columns); block i of n: i H // n on."""
    return cast(NDArray[np.int64], _blocks(given(words), width, rows, columns))


def opened_counts(words: Words, width: int, factor: int, radius: int) -> tuple[int, int]:
    """Return the cells of a reduced mask, and those of its opening by a disc."""
    n, opened = _opened(given(words), width, factor, radius)
    return int(n), int(opened)


def mirror_counts(
    words: Words, width: int, axis: int, far: NDArray[np.bool_], radius: int
) -> tuple[int, int, int, int, int]:
    """Return what a mirror match counts.

    Of the pixels in the columns that are far: how many, how many of them lie within a radius of
    the mirror image, and in their bounding box how many pixels do; height and width of that box.
    """
    flat = given(far).view(np.uint8)
    n, matched, chance, tall, wide = _mirror(given(words), width, axis, flat, radius)
    return int(n), int(matched), int(chance), int(tall), int(wide)


def mirror_overlap(words: Words, width: int, axis: int) -> int:
    """Return the pixels that a mask shares with its mirror image."""
    return int(_overlap(given(words), width, axis))


def mirror_overlaps(words: Words, width: int) -> NDArray[np.int64]:
    """Return the pixels that a mask shares with its mirror image, for axes 0 .. 2 W - 2."""
    return cast(NDArray[np.int64], _overlaps(given(words), width))
