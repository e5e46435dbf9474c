"""Growth for the numpy kernel: all agents of a level at once, all circles of a level at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.kernels import Grown
from render.kernels.model import N_HEADINGS, STEPS

__all__ = ["grow"]

Int = NDArray[np.int64]

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
