"""What scores ask of the ground alone: made once for all plants that stand on it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.bits import Words, pack

__all__ = ["Earth", "earth"]

_REACH = 6  # px from the root: where a piece counts as rooted
_DEEP = 4  # px below the ground


class Earth(NamedTuple):
    """The ground of a window, as rows of bits (`render.bits`) and places.

    Parameters
    ----------
    above : uint64 array of shape (H, words a row)
        The pixels above the ground.
    deep : uint64 array of shape (H, words a row)
        The pixels more than 4 px below the ground.
    footing : two int64 arrays of shape (n,)
        Rows and columns of the pixels at the ground line within 6 px of the root: in the last row
        above the ground, and in its first one.
    """

    above: Words
    deep: Words
    footing: tuple[NDArray[np.int64], NDArray[np.int64]]


def earth(ground: NDArray[np.int64], height: int, root: int) -> Earth:
    """Return the earth of a window.

    Parameters
    ----------
    ground : int64 array of shape (W,)
        The first row of ground in each column.
    height : int
    root : int
        The root's column.
    """
    rows = np.arange(height)[:, None]
    distance = np.abs(2 * np.arange(len(ground)) + 1 - 2 * root)
    near = np.flatnonzero(distance <= 2 * _REACH)
    footing_rows = np.concatenate([ground[near] - 1, ground[near]])
    inside = (footing_rows >= 0) & (footing_rows < height)
    footing = (footing_rows[inside], np.concatenate([near, near])[inside])
    for array in footing:
        array.flags.writeable = False
    return Earth(pack(rows < ground), pack(rows >= ground + _DEEP), footing)
