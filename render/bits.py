"""Masks as rows of bits: 64 pixels in a word, so that shifts and unions cost almost nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Words", "count", "n_words", "pack", "shifted", "unpack"]

Words = NDArray[np.uint64]
"""A mask as uint64 (H, ceil(W / 64)): bit k of word w is column 64 w + k, those past W are 0."""

_WORD = 64


def n_words(width: int) -> int:
    """Return how many words hold a row."""
    return -(-width // _WORD)


def pack(mask: NDArray[np.bool_]) -> Words:
    """Return a mask, bool (H, W), as words, read-only."""
    height, width = mask.shape
    packed = np.packbits(mask, axis=1, bitorder="little")
    if packed.shape[1] != 8 * n_words(width):
        wide = np.zeros((height, 8 * n_words(width)), np.uint8)
        wide[:, : packed.shape[1]] = packed
        packed = wide
    words = packed.view("<u8").astype(np.uint64, copy=False)
    words.flags.writeable = False
    return words


def unpack(words: Words, width: int) -> NDArray[np.bool_]:
    """Return the first `width` columns of words as a mask, bool (H, width)."""
    packed = words.astype("<u8", copy=False).view(np.uint8)
    bits = np.unpackbits(packed, axis=1, count=width, bitorder="little")
    return bits.view(np.bool_)


def count(words: Words) -> int:
    """Return the pixels of words."""
    return int(np.bitwise_count(words).sum(dtype=np.int64))


def shifted(words: Words, columns: int) -> Words:
    """Return words moved to the right by some columns, -63 to 63; the left is filled with 0."""
    near, far = np.uint64(abs(columns)), np.uint64(_WORD - abs(columns))
    if columns > 0:
        moved = words << near
        moved[:, 1:] |= words[:, :-1] >> far
    elif columns < 0:
        moved = words >> near
        moved[:, :-1] |= words[:, 1:] << far
    else:
        moved = words.copy()
    return moved
