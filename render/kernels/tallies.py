"""Counts along the columns of a mask, and over its ink, compiled."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numba import types as _types
from numpy.typing import NDArray

from render.kernels.jit import Compiled
from render.kernels.rows import given
from render.kernels.vector import first_bit

__all__ = ["column_counts", "first_rows", "light_hits"]

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
    for angle in range(shifts.shape[0]):
        met[:] = 0
        for row in range(height):
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


_MASK = types.Array(types.uint8, 2, "C", readonly=True)
_WORDS = types.Array(types.uint64, 2, "C", readonly=True)
_SHIFTS = types.Array(types.int64, 2, "C", readonly=True)
_columns = Compiled(_column_counts, (_MASK,))
_firsts = Compiled(_first_rows, (_WORDS, types.int64))
_light = Compiled(_light_hits, (_MASK, _SHIFTS))

COMPILED = (_columns, _firsts, _light)


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
