"""Rows of bits, for compiled measures: 64 pixels of a row are one word, see `render.bits`.

A framed mask has a margin of empty rows above and below and an empty word after each row, in one
piece of memory with a word before and one behind: so neighbors are found without asking for
borders, and many words are done at once.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from render.kernels.jit import helper, inline
from render.kernels.vector import count_bits

__all__ = ["between", "count", "dilate", "erode", "given", "has_ink"]

T = TypeVar("T", bound=np.generic)

_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


def given(array: NDArray[T]) -> NDArray[T]:
    """Return an array as compiled functions have been compiled for: in rows, and read-only."""
    if array.flags.writeable or not array.flags.c_contiguous:
        array = np.ascontiguousarray(array).view()
        array.flags.writeable = False
    return array


@inline
def between(low: Any, high: Any, word: Any) -> Any:
    """Return the bits of a word that lie in columns low to high (excluded)."""
    first = max(low - (word << 6), 0)
    last = min(high - (word << 6), 64)
    if first >= last:
        return np.uint64(0)
    return (_ONES << np.uint64(first)) & (_ONES >> np.uint64(64 - last))


@inline
def count(words: Any) -> Any:
    """Return the pixels of words (H, n_words)."""
    n = np.int64(0)
    for row in range(words.shape[0]):
        for word in range(words.shape[1]):
            n += count_bits(words[row, word])
    return n


@inline
def has_ink(lines: Any, row: Any) -> Any:
    """Return whether a row of pixels (H, W), or of words (H, n_words), has one that is not 0."""
    line = lines[row]
    some = line[0]
    for i in range(line.size):
        some |= line[i]
    return some != 0


@helper
def _framed(words: Any, margin: Any) -> Any:
    height, n_words = words.shape
    stride = n_words + 1
    framed = np.zeros((height + 2 * margin) * stride + 2, np.uint64)
    for row in range(height):
        at = (row + margin) * stride + 1
        for word in range(n_words):
            framed[at + word] = words[row, word]
    return framed


@inline
def _take_rows(flat: Any, width: Any, out: Any) -> None:
    """Write rows of bits that have a word behind each row to out; nothing leaves the width."""
    height, n_words = out.shape
    inside = between(0, width, n_words - 1)
    for row in range(height):
        at = row * (n_words + 1)
        for word in range(n_words):
            out[row, word] = flat[at + word]
        out[row, n_words - 1] &= inside


@helper
def dilate(words: Any, radius: Any, width: Any, out: Any) -> None:
    """Write to out the pixels within a radius (< 64) of a pixel; nothing leaves the width."""
    height, n_words = words.shape
    framed = _framed(words, radius)
    m = framed.size - 2
    before, here, behind = framed[:m], framed[1 : m + 1], framed[2:]
    wide = here.copy()  # spread over -reach .. reach columns
    n = height * (n_words + 1)
    result = np.zeros(n, np.uint64)
    reach = 0
    for step in range(radius, -1, -1):
        while (reach + 1) * (reach + 1) + step * step <= radius * radius:
            reach += 1
            near, far = np.uint64(reach), np.uint64(64 - reach)
            for i in range(m):
                bits = here[i] << near | before[i] >> far
                wide[i] |= bits | here[i] >> near | behind[i] << far
        upper = wide[(radius - step) * (n_words + 1) :][:n]
        lower = wide[(radius + step) * (n_words + 1) :][:n]
        for i in range(n):
            result[i] |= upper[i] | lower[i]
    _take_rows(result, width, out)


@helper
def erode(words: Any, radius: Any, width: Any, out: Any) -> None:
    """Write to out the pixels from which no pixel within a radius (< 64) is empty or outside."""
    height, n_words = words.shape
    framed = _framed(words, radius)
    m = framed.size - 2
    before, here, behind = framed[:m], framed[1 : m + 1], framed[2:]
    narrow = here.copy()  # what is full over -reach .. reach columns
    n = height * (n_words + 1)
    result = np.full(n, _ONES, np.uint64)
    reach = 0
    for step in range(radius, -1, -1):
        while (reach + 1) * (reach + 1) + step * step <= radius * radius:
            reach += 1
            near, far = np.uint64(reach), np.uint64(64 - reach)
            for i in range(m):
                bits = here[i] << near | before[i] >> far
                narrow[i] &= bits & (here[i] >> near | behind[i] << far)
        upper = narrow[(radius - step) * (n_words + 1) :][:n]
        lower = narrow[(radius + step) * (n_words + 1) :][:n]
        for i in range(n):
            result[i] &= upper[i] & lower[i]
    _take_rows(result, width, out)
