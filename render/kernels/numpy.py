"""The numpy kernel: growth level by level, pixels by runs of rows.

There is no Python loop over circles: only over levels, and over chunks that bound the memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.kernels import Grown
from render.kernels.model import N_HEADINGS, STEPS, Frame, opacity_table

__all__ = ["flat", "grow", "mask", "silhouettes", "volume", "warm"]

Int = NDArray[np.int64]

_CHUNK_ROWS = 1 << 17  # runs held at a time
_CHUNK_PIXELS = 1 << 18  # pixels of runs held at a time
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


def _vary(seed: np.uint64, key: Int, slot: int, amplitude: int) -> Int:
    if amplitude == 0:
        return np.zeros(key.size, np.int64)
    z = seed + (8 * key + (slot + 1)).astype(np.uint64) * _GOLDEN
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    u = ((z ^ (z >> np.uint64(31))) >> np.uint64(32)).astype(np.int64)
    return ((u * (2 * amplitude + 1)) >> 32) - amplitude


def _d2(byte: int, shift: int) -> int:
    d = byte - 128
    return (d * d >> shift) if d >= 0 else -(d * d >> shift)


class _Level(NamedTuple):
    """The agents of one level that start before the bound, in key order."""

    key: Int
    parent: Int  # index among the agents of the level before
    start: Int
    length: Int


def _plan(genes: list[list[int]], seed: np.uint64, max_circles: int) -> tuple[list[_Level], int]:
    """Return the agents of every level, and the bound (-1: none), from lengths alone."""
    levels: list[_Level] = []
    key = parent = start = np.zeros(1, np.int64)
    n_circles, bound = 0, -1
    change = np.zeros(1, np.int64)
    for level, row in enumerate(genes):
        count = np.maximum(1, row[9] + _vary(seed, key, 4, row[16] // 10))
        levels.append(_Level(key, parent, start, count))
        n_circles += int(count.sum())
        n_ticks = max(change.size, int((start + count).max()) + 1)
        ends = np.bincount(start + count, minlength=n_ticks)
        change = np.pad(change, (0, n_ticks - change.size))
        change = change + np.bincount(start, minlength=n_ticks) - ends
        if n_circles > max_circles:
            bound = int(np.argmax(np.cumsum(np.cumsum(change)) > max_circles))
        if level == len(genes) - 1:
            break
        n_children = 1 + (3 * row[10] >> 8)
        end = start + count
        ready = np.arange(key.size) if bound < 0 else np.flatnonzero(end < bound)
        if ready.size == 0:
            break
        parent = np.repeat(ready, n_children)
        start = end[parent]
        key = 3 * key[parent] + 1 + np.tile(np.arange(n_children), ready.size)
    return levels, bound


def grow(genes: NDArray[np.uint8], seed: int, max_circles: int) -> Grown:
    """Return the fields of the Circles of a genome."""
    table = genes.tolist()
    unsigned = np.uint64(seed)
    levels, bound = _plan(table, unsigned, max_circles)
    parts = []
    state: dict[str, Int] = {}
    for number, level in enumerate(levels):
        count = level.length
        if bound >= 0:
            count = np.minimum(count, np.maximum(bound - level.start, 0))
        part, state = _place(table, number, level, count, unsigned, state)
        parts.append(part)
    tick, key, n_level = (np.concatenate([part[i] for part in parts]) for i in (0, 1, 2))
    # ticks have 16 bits, so that the stable sort is one by counting
    order = np.argsort(tick.astype(np.uint16), kind="stable")
    x, y, diameter = (
        np.concatenate([part[i] for part in parts])[order].astype(np.int32) for i in (3, 4, 5)
    )
    color = np.concatenate([part[6] for part in parts])[order]
    return (
        x,
        y,
        diameter,
        color,
        tick[order].astype(np.int32),
        n_level[order].astype(np.uint8),
        bound >= 0,
        key[order],
    )


def _place(
    table: list[list[int]],
    number: int,
    level: _Level,
    count: Int,
    seed: np.uint64,
    parents: dict[str, Int],
) -> tuple[tuple[NDArray[Any], ...], dict[str, Int]]:
    """Return the circles of a level in key order, and the state in which its agents end."""
    row = table[number]
    size = 256 + 32 * row[0] + _vary(seed, level.key, 3, 8 * row[15])
    colors = [256 * row[1 + c] + _vary(seed, level.key, c, 64 * row[14]) for c in range(3)]
    if number == 0:
        x = y = heading = np.zeros(1, np.int64)
    else:
        before = table[number - 1]
        n_children, spread = 1 + (3 * before[10] >> 8), 64 * before[11]
        fan = np.array({1: [0], 2: [-spread, spread], 3: [-spread, 0, spread]}[n_children])
        up = level.parent
        x, y = parents["x"][up], parents["y"][up]
        heading = parents["heading"][up] + fan[(level.key - 1) % 3]
        heading = heading + _vary(seed, level.key, 5, 32 * before[17])
        w, v = row[12], row[13]
        size = (size * (255 - w) + parents["size"][up] * w) // 255
        colors = [
            (own * (255 - v) + parents[f"color {c}"][up] * v) // 255 for c, own in enumerate(colors)
        ]
    size_step, turn = _d2(row[4], 7), _d2(row[8], 5)
    color_steps = [_d2(row[5 + c], 5) for c in range(3)]

    agent = np.repeat(np.arange(count.size), count)
    ends = np.cumsum(count)
    k = np.arange(agent.size) - np.repeat(ends - count, count)
    steps = STEPS[((heading[agent] + k * turn) & 0xFFFF) * N_HEADINGS >> 16]
    # positions: a running sum over all agents, less what it was where each agent begins
    moved = np.zeros((agent.size + 1, 2), np.int64)
    np.cumsum(steps, axis=0, out=moved[1:])
    begin = moved[ends - count]
    part = (
        level.start[agent] + k,
        level.key[agent],
        np.full(agent.size, number, np.int64),
        (x - begin[:, 0])[agent] + moved[:-1, 0],
        (y - begin[:, 1])[agent] + moved[:-1, 1],
        np.clip(size[agent] + k * size_step, 256, 16384),
        np.stack(
            [
                (np.clip(own[agent] + k * step, 0, 65535) >> 8).astype(np.uint8)
                for own, step in zip(colors, color_steps, strict=True)
            ],
            axis=1,
        ),
    )
    last = count - 1
    state = {
        "x": x + moved[ends, 0] - begin[:, 0],
        "y": y + moved[ends, 1] - begin[:, 1],
        "heading": heading + last * turn,
        "size": np.clip(size + last * size_step, 256, 16384),
    }
    for c, (own, step) in enumerate(zip(colors, color_steps, strict=True)):
        state[f"color {c}"] = np.clip(own + last * step, 0, 65535)
    return part, state


def silhouettes(
    genes: NDArray[np.uint8], seeds: NDArray[np.uint64], max_circles: int, frame: Frame
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return silhouettes for some seeds, bool (n, height, width), and int64 (n, 5) of them."""
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
    return masks, rows


def _inside(x: NDArray[np.int32], y: NDArray[np.int32], frame: Frame) -> NDArray[np.bool_]:
    """Return which world points lie in the window; its upper left edges belong to it."""
    across = x + np.int64(frame.column * frame.unit)
    down = y + np.int64(frame.row * frame.unit)
    right, bottom = frame.width * frame.unit, frame.height * frame.unit
    return np.asarray((across >= 0) & (across < right) & (down >= 0) & (down < bottom))


def warm() -> bool:
    """Return False: there is nothing to compile."""
    return False


class _Runs(NamedTuple):
    """Runs of pixels of discs: of disc `disc`, in row `row`, columns left to right (excluded)."""

    disc: Int
    row: Int
    left: Int
    right: Int


def _isqrt(n: Int) -> Int:
    """Return the whole parts of the roots; 0 <= n <= 2^62."""
    root = np.sqrt(n).astype(np.int64)
    root -= root * root > n  # from 2^52 up a float may round across a whole number
    root += (root + 1) * (root + 1) <= n
    return root


def _span(center: Int, reach: Int, unit: int, origin: int, n: int) -> tuple[Int, Int]:
    """Return the first pixel and the end of the pixels within reach of centers, clipped to n.

    All in doubled coordinates: pixel i lies at (2 (i - origin) + 1) unit.
    """
    low = -((-(center - reach - unit)) // (2 * unit)) + origin
    high = (center + reach - unit) // (2 * unit) + (origin + 1)
    return np.maximum(low, 0), np.minimum(high, n)


def _runs(
    x: NDArray[np.int32],
    y: NDArray[np.int32],
    diameter: NDArray[np.int32],
    frame: Frame,
    moves: tuple[int, ...] = (0,),
) -> Iterator[_Runs]:
    """Yield all runs, newest circles first, in chunks; in a chunk in drawing order.

    Parameters
    ----------
    moves : tuple of -1, 0 and 1
        A disc of each circle for each: shifted by that many S (of the style volume) on both axes.
        Disc number = circle * len(moves) + place in moves.
    """
    unit = frame.unit
    reach = np.maximum(diameter.astype(np.int64), frame.floor)[:, None]
    shift = np.maximum(2 * (reach // 6), unit) * np.array(moves)
    cx = (2 * x.astype(np.int64)[:, None] + shift).ravel()
    cy = (2 * y.astype(np.int64)[:, None] + shift).ravel()
    reach = np.broadcast_to(reach, shift.shape).ravel()
    top, bottom = _span(cy, reach, unit, frame.row, frame.height)
    left, right = _span(cx, reach, unit, frame.column, frame.width)
    disc = np.flatnonzero((top < bottom) & (left < right))
    cx, cy, reach, top = cx[disc], cy[disc], reach[disc], top[disc]
    n_rows = bottom[disc] - top
    ends = np.cumsum(n_rows)
    high = disc.size
    while high > 0:
        begun = int(ends[high - 1]) - _CHUNK_ROWS
        low = min(int(np.searchsorted(ends, begun, side="right")), high - 1)
        part = np.repeat(np.arange(low, high), n_rows[low:high])
        row = np.arange(part.size) - (ends - n_rows - (ends[low] - n_rows[low]))[part] + top[part]
        dy = (2 * (row - frame.row) + 1) * unit - cy[part]
        across = _isqrt(reach[part] ** 2 - dy**2)
        first, last = _span(cx[part], across, unit, frame.column, frame.width)
        some = np.flatnonzero(first < last)
        yield _Runs(disc[part[some]], row[some], first[some], last[some])
        high = low


def mask(circles: Any, frame: Frame) -> NDArray[np.bool_]:
    """Return the silhouette of some circles in a frame, bool (height, width)."""
    return _mask(circles.x, circles.y, circles.diameter, frame)


def _mask(
    x: NDArray[np.int32], y: NDArray[np.int32], diameter: NDArray[np.int32], frame: Frame
) -> NDArray[np.bool_]:
    wide = frame.width + 1
    change = np.zeros(frame.height * wide, np.int64)
    for runs in _runs(x, y, diameter, frame):
        base = runs.row * wide
        change += np.bincount(base + runs.left, minlength=change.size)
        change -= np.bincount(base + runs.right, minlength=change.size)
    return np.cumsum(change.reshape(frame.height, wide), axis=1)[:, :-1] > 0


def _pixels(runs: _Runs, width: int) -> Iterator[tuple[Int, Int]]:
    """Yield (disc, pixel number) of all pixels of some runs, in chunks, the last runs first."""
    length = runs.right - runs.left
    ends = np.cumsum(length)
    high = length.size
    while high > 0:
        low = int(np.searchsorted(ends, int(ends[high - 1]) - _CHUNK_PIXELS, side="right"))
        low = min(low, high - 1)
        n = length[low:high]
        at = runs.row[low:high] * width + runs.left[low:high]
        at -= ends[low:high] - n - (ends[low] - n[0])
        yield np.repeat(runs.disc[low:high], n), np.repeat(at, n) + np.arange(int(n.sum()))
        high = low


def _owners(circles: Any, frame: Frame) -> NDArray[np.int64]:
    """Return the number of the circle that shows in each pixel, or -1; shape (height * width,)."""
    owner = np.full(frame.height * frame.width, -1, np.int64)
    for runs in _runs(circles.x, circles.y, circles.diameter, frame):
        for disc, pixel in _pixels(runs, frame.width):
            np.maximum.at(owner, pixel, disc)
    return owner


def flat(circles: Any, frame: Frame) -> NDArray[np.uint8]:
    """Return the picture of opaque discs, uint8 (height, width, 4)."""
    owner = _owners(circles, frame)
    out = np.zeros((frame.height * frame.width, 4), np.uint8)
    inked = np.flatnonzero(owner >= 0)
    out[inked, :3] = circles.color[owner[inked]]
    out[inked, 3] = 255
    return out.reshape(frame.height, frame.width, 4)


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
    for runs in _runs(circles.x, circles.y, circles.diameter, frame, moves=(1, -1)):
        for disc, pixel in _pixels(runs, frame.width):
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
    return out.reshape(frame.height, frame.width, 4)
