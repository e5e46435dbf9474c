"""Runs of pixels for the numpy kernel: of each disc the columns it covers in each of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.kernels.model import Frame

__all__ = ["Runs", "pixels", "runs"]

Int = NDArray[np.int64]
Float = NDArray[np.float64]

_CHUNK_ROWS = 1 << 15  # runs held at a time: what stays in the caches
_CHUNK_PIXELS = 1 << 16  # pixels of runs held at a time
_EXACT = 1 << 26  # below, squares and the whole parts of their roots are exact in floats


class Runs(NamedTuple):
    """Runs of pixels: of disc `disc` from pixel number `begin` to `end` (excluded), of one row.

    Pixel number = row * (width + 1) + column: behind each row there is one pixel that no disc
    covers, so that the end of a run is never the begin of the next row.
    """

    disc: Int
    begin: Int
    end: Int


def _whole_root(n: Int) -> Float:
    """Return the whole parts of the roots; 0 <= n <= 2^62."""
    root = np.sqrt(n).astype(np.int64)
    root -= root * root > n  # from 2^52 up a float may round across a whole number
    root += (root + 1) * (root + 1) <= n
    return root.astype(np.float64)


def runs(
    x: NDArray[np.int32],
    y: NDArray[np.int32],
    diameter: NDArray[np.int32],
    frame: Frame,
    moves: tuple[int, ...] = (0,),
) -> Iterator[Runs]:
    """Yield all runs, newest circles first, in chunks; in a chunk in drawing order.

    As in the numba kernel, in doubled coordinates moved so that the center of pixel i lies at
    2 unit i, floats hold whole numbers below 2^51, and half a unit keeps quotients exact.

    Parameters
    ----------
    moves : tuple of -1, 0 and 1
        A disc of each circle for each: shifted by that many S (of the style volume) on both axes.
        Disc number = circle * len(moves) + place in moves.
    """
    unit, step = frame.unit, 2 * frame.unit
    x_last, y_last = step * (frame.width - 1), step * (frame.height - 1)
    reach: Any = np.maximum(diameter, frame.floor, dtype=np.int64)
    cx: Any = 2 * x.astype(np.int64) + (step * frame.column - unit)
    cy: Any = 2 * y.astype(np.int64) + (step * frame.row - unit)
    if moves != (0,):
        shift = np.maximum(2 * (reach // 6), unit)[:, None] * np.array(moves)
        cx, cy = (cx[:, None] + shift).ravel(), (cy[:, None] + shift).ravel()
        reach = np.repeat(reach, len(moves))
    seen = (cx >= -reach) & (cx <= reach + x_last) & (cy >= -reach) & (cy <= reach + y_last)
    disc = np.flatnonzero(seen)
    largest = int(reach[disc].max(initial=0))
    cx, cy, reach = (part[disc].astype(np.float64) for part in (cx, cy, reach))
    up, inverse = step - 0.5, 1.0 / step
    top = np.maximum(np.floor((cy - reach + up) * inverse), 0)
    n_rows = np.floor((np.minimum(cy + reach, y_last) + 0.5) * inverse) - top + 1
    n_rows = np.maximum(n_rows, 0).astype(np.int64)
    ends = np.cumsum(n_rows)
    high = disc.size
    while high > 0:
        begun = int(ends[high - 1]) - _CHUNK_ROWS
        low = min(int(np.searchsorted(ends, begun, side="right")), high - 1)
        n = n_rows[low:high]
        begins = ends[low:high] - n
        row = np.repeat(top[low:high] - (begins - begins[0]), n)
        row += np.arange(row.size)
        square = row * step
        square -= np.repeat(cy[low:high], n)
        radius = np.repeat(reach[low:high], n)
        if largest < _EXACT:
            np.multiply(square, square, out=square)
            np.multiply(radius, radius, out=radius)
            np.subtract(radius, square, out=square)
            across = np.floor(np.sqrt(square, out=square), out=square)
        else:
            dy, whole = square.astype(np.int64), radius.astype(np.int64)
            across = _whole_root(whole * whole - dy * dy)
        center: Float = np.repeat(cx[low:high], n)
        first: Float = center - across
        first += up
        first *= inverse
        np.floor(first, out=first)
        np.maximum(first, 0, out=first)
        last = center
        last += across
        last += 0.5
        last *= inverse
        np.floor(last, out=last)
        np.minimum(last, frame.width - 1, out=last)
        row *= frame.width + 1
        some = first <= last
        first += row
        last += row + 1
        number = np.repeat(disc[low:high], n)
        if not some.all():
            number, first, last = number[some], first[some], last[some]
        yield Runs(number, first.astype(np.int64), last.astype(np.int64))
        high = low


def pixels(some: Runs) -> Iterator[tuple[Int, Int]]:
    """Yield (disc, pixel number) of all pixels of some runs, in chunks, the last runs first."""
    length = some.end - some.begin
    ends = np.cumsum(length)
    high = length.size
    while high > 0:
        low = int(np.searchsorted(ends, int(ends[high - 1]) - _CHUNK_PIXELS, side="right"))
        low = min(low, high - 1)
        n = length[low:high]
        begins = ends[low:high] - n
        at = np.repeat(some.begin[low:high] - (begins - begins[0]), n)
        at += np.arange(at.size)
        yield np.repeat(some.disc[low:high], n), at
        high = low
