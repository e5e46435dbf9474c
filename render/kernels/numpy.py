"""The numpy kernel: growth level by level, pixels by runs of rows.

There is no Python loop over circles: only over levels, and over chunks that bound the memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from render.bits import n_words, pack
from render.kernels import Silhouettes
from render.kernels.levels import grow
from render.kernels.model import Frame, opacity_table
from render.kernels.runs import Runs, pixels, runs

__all__ = ["flat", "grow", "mask", "silhouettes", "volume", "warm"]


def silhouettes(
    genes: NDArray[np.uint8], seeds: NDArray[np.uint64], max_circles: int, frame: Frame
) -> Silhouettes:
    """Return silhouettes for some seeds, as pixels and as rows of bits, and numbers of them."""
    masks = np.empty((seeds.size, frame.height, frame.width), np.bool_)
    rows = np.empty((seeds.size, 5), np.int64)
    for i, seed in enumerate(seeds.tolist()):
        x, y, diameter, _, _, _, truncated, key = grow(genes, seed, max_circles)
        masks[i] = _mask(x, y, diameter, frame)
        square = diameter.astype(np.int64) ** 2
        off = int(square[~_inside(x, y, frame)].sum())
        # a fork lies where its first child begins; the first circles of all agents, by key
        first = np.full(int(key.max(initial=0)) + 2, -1)
        first[key[::-1]] = np.arange(key.size - 1, -1, -1)
        child = first[1:]
        child = np.pad(child, (0, -child.size % 3), constant_values=-1).reshape(-1, 3)
        at = child[np.count_nonzero(child >= 0, axis=1) > 1, 0]
        forks = np.count_nonzero(_inside(x[at], y[at], frame))
        rows[i] = key.size, off, int(square.sum()), forks, truncated
    shape = (seeds.size, frame.height, n_words(frame.width))
    return masks, pack(masks.reshape(-1, frame.width)).reshape(shape), rows


def _inside(x: NDArray[np.int32], y: NDArray[np.int32], frame: Frame) -> NDArray[np.bool_]:
    """Return which world points lie in the window; its upper left edges belong to it."""
    across = x + np.int64(frame.column * frame.unit)
    down = y + np.int64(frame.row * frame.unit)
    right, bottom = frame.width * frame.unit, frame.height * frame.unit
    return np.asarray((across >= 0) & (across < right) & (down >= 0) & (down < bottom))


def warm() -> bool:
    """Return False: there is nothing to compile."""
    return False


def mask(circles: Any, frame: Frame) -> NDArray[np.bool_]:
    """Return the silhouette of some circles in a frame, bool (height, width)."""
    return _mask(circles.x, circles.y, circles.diameter, frame)


def _mask(
    x: NDArray[np.int32], y: NDArray[np.int32], diameter: NDArray[np.int32], frame: Frame
) -> NDArray[np.bool_]:
    """Return the silhouette: where the running sum of run begins less run ends is not 0."""
    change = np.zeros(frame.height * (frame.width + 1), np.int32)
    one = np.int32(1)
    for some in runs(x, y, diameter, frame):
        np.add.at(change, some.begin, one)
        np.subtract.at(change, some.end, one)
    return _picture(np.cumsum(change, dtype=np.int32) > 0, frame)


def _picture(numbered: NDArray[Any], frame: Frame) -> NDArray[Any]:
    """Return (height, width, ...) from values by pixel number."""
    rows = numbered.reshape(frame.height, frame.width + 1, *numbered.shape[1:])
    return np.ascontiguousarray(rows[:, :-1])


def _owners(circles: Any, frame: Frame) -> NDArray[np.int64]:
    """Return the number of the circle that shows in each pixel, or -1, by pixel number.

    Front to back: a run whose pixels all have their circle is passed over.
    """
    owner = np.full(frame.height * (frame.width + 1), -1, np.int64)
    taken = np.zeros(owner.size + 1, np.int32)  # pixels before each that have their circle
    for some in runs(circles.x, circles.y, circles.diameter, frame):
        new = some
        if taken[-1]:
            free = taken[some.end] - taken[some.begin] < some.end - some.begin
            new = Runs(*(part[free] for part in some))
        for disc, pixel in pixels(new):
            np.maximum.at(owner, pixel, disc)
        np.cumsum(owner >= 0, dtype=np.int32, out=taken[1:])
    return owner


def flat(circles: Any, frame: Frame) -> NDArray[np.uint8]:
    """Return the picture of opaque discs, uint8 (height, width, 4)."""
    owner = _owners(circles, frame)
    out = np.zeros((owner.size, 4), np.uint8)
    inked = np.flatnonzero(owner >= 0)
    out[inked, :3] = circles.color[owner[inked]]
    out[inked, 3] = 255
    return _picture(out, frame)


def volume(circles: Any, frame: Frame) -> NDArray[np.uint8]:
    """Return the pseudo-3D picture, uint8 (height, width, 4).

    T depends on the number of translucent discs alone: so the discs in front of each pixel's
    final one are counted, and a table gives what each of them takes.
    """
    table = opacity_table()
    takes = np.append(table[:-1] - table[1:], 0)
    owner = _owners(circles, frame)
    met = np.zeros(owner.size, np.int64)
    white = np.zeros(owner.size, np.int64)
    # of a circle black (+S) is the farthest; the next white (-S)
    for some in runs(circles.x, circles.y, circles.diameter, frame, moves=(1, -1)):
        for disc, pixel in pixels(some):
            shown = np.flatnonzero((disc >> 1 > owner[pixel]) & (met[pixel] < table.size - 1))
            shown = shown[::-1]  # front to back
            order = shown[np.argsort(pixel[shown], kind="stable")]
            at = pixel[order]
            new = np.flatnonzero(np.diff(at, prepend=-1))
            n = np.diff(new, append=at.size)
            rank = met[at] + np.arange(at.size) - np.repeat(new, n)
            taken = takes[np.minimum(rank, takes.size - 1)] * (disc[order] & 1)
            white += np.bincount(at, taken, minlength=white.size).astype(np.int64)
            met[at[new]] += n
    left = table[np.minimum(met, table.size - 1)]
    out = np.zeros((owner.size, 4), np.uint8)
    inked = owner >= 0
    color = circles.color[owner[inked]].astype(np.int64)
    out[inked, :3] = (255 * white[inked, None] + left[inked, None] * color + (1 << 23)) >> 24
    out[inked, 3] = 255
    open_ = np.flatnonzero(~inked & (met > 0))
    o = (1 << 24) - left[open_]
    out[open_, :3] = ((510 * white[open_] + o) // (2 * o))[:, None]
    out[open_, 3] = np.minimum(254, (255 * o + (1 << 23)) >> 24)
    return _picture(out, frame)
