"""Connected pieces of a mask, compiled: the runs of its rows, joined where they touch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types as _types
from numpy.typing import NDArray

from render.kernels.jit import Compiled, helper, inline
from render.kernels.rows import given
from render.kernels.vector import count_bits, first_bit

__all__ = ["held_pixels", "largest_piece"]

types: Any = _types  # numba ships no annotations
Words = NDArray[np.uint64]


@inline
def _starts(words: Any, row: Any, word: Any) -> Any:
    """Return the bits of a word at which runs begin."""
    bits = words[row, word]
    before = words[row, word - 1] >> np.uint64(63) if word > 0 else np.uint64(0)
    return bits & ~(bits << np.uint64(1) | before)


@inline
def _ends(words: Any, row: Any, word: Any) -> Any:
    """Return the bits of a word at which runs have their last pixel."""
    bits = words[row, word]
    last = word + 1 == words.shape[1]
    behind = np.uint64(0) if last else words[row, word + 1] << np.uint64(63)
    return bits & ~(bits >> np.uint64(1) | behind)


@helper
def _find_runs(words: Any) -> Any:
    """Return where runs begin and end (excluded), and the first run of each row and the end."""
    height, n_words = words.shape
    first = np.empty(height + 1, np.int32)
    n = 0
    for row in range(height):
        first[row] = n
        for word in range(n_words):
            n += count_bits(_starts(words, row, word))
    first[height] = n
    begins = np.empty(n, np.int32)
    ends = np.empty(n, np.int32)
    begin = end = 0
    for row in range(height):
        for word in range(n_words):
            bits = _starts(words, row, word)
            while bits != 0:
                begins[begin] = (word << 6) + first_bit(bits)
                begin += 1
                bits &= bits - np.uint64(1)
            bits = _ends(words, row, word)
            while bits != 0:
                ends[end] = (word << 6) + first_bit(bits) + 1
                end += 1
                bits &= bits - np.uint64(1)
    return begins, ends, first


@inline
def _find(parents: Any, i: Any) -> Any:
    while parents[i] != i:
        parents[i] = parents[parents[i]]
        i = parents[i]
    return i


@helper
def _join(begins: Any, ends: Any, first: Any) -> Any:
    """Return the piece of each run, as the number of the piece's first run.

    A run belongs to the runs of the row above that touch it, at corners too.
    """
    parents = np.arange(begins.size).astype(np.int32)
    for row in range(1, first.size - 1):
        above, last = first[row - 1], first[row]
        for i in range(first[row], first[row + 1]):
            while above < last and ends[above] < begins[i]:
                above += 1
            root = np.int32(i)
            j = above
            while j < last and begins[j] <= ends[i]:
                other = _find(parents, np.int32(j))
                parents[max(root, other)] = min(root, other)
                root = min(root, other)
                j += 1
    for i in range(parents.size):  # a run's parent comes before it, and is done already
        parents[i] = parents[parents[i]]
    return parents


def _largest_piece(words: Any) -> Any:
    begins, ends, first = _find_runs(words)
    pieces = _join(begins, ends, first)
    sizes = np.zeros(pieces.size, np.int64)
    largest = np.int64(0)
    for i in range(pieces.size):
        sizes[pieces[i]] += ends[i] - begins[i]
    for i in range(pieces.size):
        largest = max(largest, sizes[i])
    return largest


def _held_pixels(words: Any, rows: Any, columns: Any) -> Any:
    begins, ends, first = _find_runs(words)
    pieces = _join(begins, ends, first)
    held = np.zeros(pieces.size, np.uint8)
    for at in range(rows.size):
        for i in range(first[rows[at]], first[rows[at] + 1]):
            if begins[i] <= columns[at] < ends[i]:
                held[pieces[i]] = 1
    n = np.int64(0)
    for i in range(pieces.size):
        if held[pieces[i]] != 0:
            n += ends[i] - begins[i]
    return n


_WORDS = types.Array(types.uint64, 2, "C", readonly=True)
_PLACES = types.Array(types.int64, 1, "C", readonly=True)
_largest = Compiled(_largest_piece, (_WORDS,))
_held = Compiled(_held_pixels, (_WORDS, _PLACES, _PLACES))

COMPILED = (_largest, _held)


def largest_piece(words: Words) -> int:
    """Return the pixels of the largest 8-connected piece."""
    return int(_largest(given(words)))


def held_pixels(words: Words, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> int:
    """Return the pixels of all 8-connected pieces that have a pixel at one of some places."""
    return int(_held(given(words), given(rows), given(columns)))
