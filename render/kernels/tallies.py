"""Counts along the columns of a mask, and over its ink, compiled."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numba import types as _types
from numpy.typing import NDArray

from render.kernels.jit import Compiled, helper, inline
from render.kernels.rows import given, has_ink
from render.kernels.vector import first_bit, reverse_bits

__all__ = [
    "MAX_REACH",
    "column_counts",
    "first_rows",
    "light_hits",
    "meeting_counts",
    "near_counts",
    "value_counts",
]

types: Any = _types  # numba ships no annotations
Mask = NDArray[np.bool_]
Words = NDArray[np.uint64]


def _column_counts(mask: Any) -> Any:
    height, width = mask.shape
    counts = np.zeros(width, np.int32)
    for row in range(height):
        line = mask[row]
        for column in range(width):
            counts[column] += np.int32(line[column])
    return counts.astype(np.int64)


def _first_rows(words: Any, width: Any) -> Any:
    height, n_words = words.shape
    first = np.full(width, height, np.int64)
    open_ = np.full(n_words, np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64)
    for row in range(height):
        for word in range(n_words):
            bits = words[row, word] & open_[word]
            open_[word] &= ~bits
            while bits != 0:
                first[(word << 6) + first_bit(bits)] = row
                bits &= bits - np.uint64(1)
    return first


def _light_hits(mask: Any, shifts: Any) -> Any:
    height, width = mask.shape
    hits = np.zeros(height + 1, np.int64)
    met = np.empty(width, np.int32)
    rows = np.array([row for row in range(height) if has_ink(mask, row)], np.int64)
    for angle in range(shifts.shape[0]):
        met[:] = 0
        for row in rows:
            shift = shifts[angle, row]
            line = mask[row]
            right = met[shift:]
            for column in range(width - shift):
                right[column] += np.int32(line[column])
            round_ = line[width - shift :]
            for column in range(shift):
                met[column] += np.int32(round_[column])
        for column in range(width):
            hits[met[column]] += 1
    return hits


def _value_counts(words: Any, values: Any, n: Any) -> Any:
    counts = np.zeros(n, np.int64)
    for row in range(words.shape[0]):
        for word in range(words.shape[1]):
            bits = words[row, word]
            while bits != 0:
                counts[values[row, (word << 6) + first_bit(bits)]] += 1
                bits &= bits - np.uint64(1)
    return counts


@inline
def _distance_along(words: Any, row: Any, column: Any) -> Any:
    """Return how far the nearest pixel of a row is from a column: 64 or more if it is not near."""
    word, shift = column >> 6, np.uint64(column & 63)
    far = np.uint64(63) - shift
    right = words[row, word] >> shift
    left = words[row, word] << far
    if word + 1 < words.shape[1]:
        right |= words[row, word + 1] << np.uint64(1) << far
    if word > 0:
        left |= words[row, word - 1] >> np.uint64(1) >> shift
    nearest = np.int64(64)
    if right != 0:
        nearest = first_bit(right)
    if left != 0:
        nearest = min(nearest, first_bit(reverse_bits(left)))
    return nearest


@helper
def _united(words: Any, reach: Any) -> Any:
    """Return each row together with the rows within a reach of it."""
    height, n_words = words.shape
    united = np.zeros_like(words)
    ink, out = words.reshape(-1), united.reshape(-1)
    for step in range(-min(reach, height - 1), min(reach, height - 1) + 1):
        n = (height - abs(step)) * n_words
        source = ink[max(step, 0) * n_words :][:n]
        target = out[max(-step, 0) * n_words :][:n]
        for i in range(n):
            target[i] |= source[i]
    return united


def _near_counts(words: Any, rows: Any, columns: Any, reach: Any, last: Any) -> Any:
    counts = np.zeros(last + 1, np.int64)
    united = _united(words, reach)
    for i in range(rows.size):
        if _distance_along(united, rows[i], columns[i]) > reach:  # as most places are
            counts[last] += 1
            continue
        best = np.int64(last)
        for step in range(reach + 1):
            if step * step >= best:
                break
            for row in (rows[i] - step, rows[i] + step):
                if 0 <= row < words.shape[0]:
                    across = _distance_along(words, row, columns[i])
                    if across <= reach:
                        best = min(best, step * step + across * across)
        counts[best] += 1
    return counts


def _meeting_counts(mask: Any, shape: Any, away: Any) -> Any:
    height, width = mask.shape
    counts = np.zeros(height + width, np.int64)
    far = np.int32(height + width - 1)  # beyond all distances
    distance = np.full((height + 2, width + 2), far, np.int32)  # with a rim around it
    for row in range(1, height + 1):
        for column in range(1, width + 1):
            if mask[row - 1, column - 1]:
                distance[row, column] = 0
                continue
            above = min(distance[row - 1, column - 1], distance[row - 1, column])
            before = min(distance[row - 1, column + 1], distance[row, column - 1])
            distance[row, column] = min(min(above, before) + 1, far)
    for row in range(height, 0, -1):
        for column in range(width, 0, -1):
            below = min(distance[row + 1, column - 1], distance[row + 1, column])
            behind = min(distance[row + 1, column + 1], distance[row, column + 1])
            best = min(distance[row, column], min(below, behind) + 1)
            distance[row, column] = best
            if shape[row - 1, column - 1]:
                counts[best] += 1
            if mask[row - 1, column - 1]:
                counts[away[row - 1, column - 1]] += 1
    return counts


_MASK = types.Array(types.uint8, 2, "C", readonly=True)
_WORDS = types.Array(types.uint64, 2, "C", readonly=True)
_SHIFTS = types.Array(types.int64, 2, "C", readonly=True)
_columns = Compiled(_column_counts, (_MASK,))
_firsts = Compiled(_first_rows, (_WORDS, types.int64))
_light = Compiled(_light_hits, (_MASK, _SHIFTS))
_PLACES = types.Array(types.int64, 1, "C", readonly=True)
_VALUES = types.Array(types.uint32, 2, "C", readonly=True)
_values = Compiled(_value_counts, (_WORDS, _VALUES, types.int64))
_near = Compiled(_near_counts, (_WORDS, _PLACES, _PLACES, types.int64, types.int64))
_AWAY = types.Array(types.int32, 2, "C", readonly=True)
_meeting = Compiled(_meeting_counts, (_MASK, _MASK, _AWAY))

COMPILED = (_columns, _firsts, _light, _values, _near, _meeting)

MAX_REACH = 63
"""How far `near_counts` can see."""


def column_counts(mask: Mask) -> NDArray[np.int64]:
    """Return the pixels in each column, int64 (W,)."""
    return cast(NDArray[np.int64], _columns(given(mask).view(np.uint8)))


def first_rows(words: Words, width: int) -> NDArray[np.int64]:
    """Return the first row with a pixel in each column, int64 (W,); H where there is none."""
    return cast(NDArray[np.int64], _firsts(given(words), width))


def light_hits(mask: Mask, shifts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many sheared columns meet 0 .. H pixels, int64 (H + 1,).

    shifts, int64 (angles, H), from 0 to W - 1: how far each row moves to the right, and round the
    window.
    """
    return cast(NDArray[np.int64], _light(given(mask).view(np.uint8), given(shifts)))


def value_counts(words: Words, values: NDArray[np.uint32], n: int) -> NDArray[np.int64]:
    """Return how often the ink has the values 0 .. n - 1, int64 (n,); values are (H, W)."""
    return cast(NDArray[np.int64], _values(given(words), given(values), n))


def near_counts(
    words: Words, rows: NDArray[np.int64], columns: NDArray[np.int64], reach: int, last: int
) -> NDArray[np.int64]:
    """Return how many places have their nearest pixel at each squared distance, int64 (last + 1,).

    Pixels farther than the reach, at most `MAX_REACH`, on an axis are not seen; the last number
    holds all places without a nearer one.
    """
    places = given(rows), given(columns)
    return cast(NDArray[np.int64], _near(given(words), *places, reach, last))


def meeting_counts(mask: Mask, shape: Mask, away: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the cells at each chessboard distance, int64 (H + W,): of two shapes together.

    Those of `shape` by how far they are from the mask, which is not empty, and those of the mask
    by `away`, how far they are from `shape`.
    """
    pair = (given(one).view(np.uint8) for one in (mask, shape))
    return cast(NDArray[np.int64], _meeting(*pair, given(away)))
