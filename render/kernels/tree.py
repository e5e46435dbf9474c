"""Growth for the numba kernel: the plan of a tree, its segments, and what is made of them.

A workspace holds what a plant takes while it grows; it is kept from plant to plant, as fresh
memory costs more than growth. Its columns are in `Workspace`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from render.kernels.discs import cover, n_tiles, sight, spread_words, write_rows
from render.kernels.jit import inline

__all__ = ["MAX_AGENTS", "N_COLUMNS", "grow", "plan", "silhouettes"]

MAX_AGENTS = 29_524  # of ten levels with three children each
N_COLUMNS = 11
# an agent's rows in the workspace
_START, _LENGTH, _KEY, _PARENT = 0, 1, 2, 3
# how it ends: x, y, heading, diameter, color
_X, _Y, _HEADING, _DIAMETER, _COLOR = 4, 5, 6, 7, 8

_MAX_TICKS = 2802  # 10 segments of at most 280 circles, and an end
_MAX_SEGMENT = 280
_STEP = 769  # 1/256 px that a step leads at most, on an axis
_MAX_DIAMETER = 16384
_CHUNK = 512  # circles unpacked at a time, so that they stay in the nearest cache
# slots of chance; the color's are 0, 1, 2
_SIZE_SLOT, _LENGTH_SLOT, _HEADING_SLOT = 3, 4, 5


@inline
def _vary(seed: Any, key: Any, slot: Any, amplitude: Any) -> Any:
    """Return a whole number from -amplitude to amplitude: output 8 key + slot of SplitMix64."""
    z = seed + np.uint64(8 * key + slot + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    u = np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(32))
    return ((u * (2 * amplitude + 1)) >> 32) - amplitude


@inline
def _signed_square(byte: Any, shift: Any) -> Any:
    d = np.int64(byte) - 128
    square = (d * d) >> shift
    return square if d >= 0 else -square


@inline
def _clip(value: Any, low: Any, high: Any) -> Any:
    return min(max(value, low), high)


@inline
def _n_children(genes: Any, level: Any) -> Any:
    return 1 + ((3 * np.int64(genes[level, 10])) >> 8)


@inline
def plan(genes: Any, seed: Any, max_circles: Any, agents: Any, first: Any, offset: Any) -> Any:
    """Find every agent that starts before the bound, from lengths alone.

    Parameters
    ----------
    agents : int32 (MAX_AGENTS, N_COLUMNS)
        Gets start, length, key and parent of each, in key order.
    first : int64 (11,)
        Gets the first agent of each level, and the end.
    offset : int32 (_MAX_TICKS,)
        Gets the number of circles before each tick up to the end.

    Returns
    -------
    (n circles, n ticks, truncated)
    """
    active = offset  # first the change of the number of active agents at each tick
    active[:] = 0
    agents[0, :4] = 0
    n_agents = 1
    n_circles = np.int64(0)
    bound = np.int64(-1)
    first[0] = 0
    for level in range(10):
        low, high = first[level], n_agents
        first[level + 1] = n_agents
        length = np.int64(genes[level, 9])
        variation = np.int64(genes[level, 16]) // 10
        for i in range(low, high):
            n = max(1, length + _vary(seed, agents[i, _KEY], _LENGTH_SLOT, variation))
            agents[i, _LENGTH] = n
            active[agents[i, _START]] += 1
            active[agents[i, _START] + n] -= 1
            n_circles += n
        if n_circles > max_circles:
            bound = _find_bound(active, max_circles)
        if level == 9:
            break
        n_children = _n_children(genes, level)
        for i in range(low, high):
            end = agents[i, _START] + agents[i, _LENGTH]
            if bound < 0 or end < bound:
                for j in range(n_children):
                    agents[n_agents, _START] = end
                    agents[n_agents, _KEY] = 3 * agents[i, _KEY] + 1 + j
                    agents[n_agents, _PARENT] = i
                    n_agents += 1
    n_circles = np.int64(0)
    n_active = 0
    tick = 0
    while True:
        n_active += active[tick]
        offset[tick] = n_circles
        if n_active == 0 or tick == bound:
            return n_circles, tick, bound >= 0
        n_circles += n_active
        tick += 1


@inline
def _find_bound(change: Any, max_circles: Any) -> Any:
    """Return the first tick whose circles no longer fit."""
    n_active = np.int64(0)
    n = np.int64(0)
    tick = 0
    while True:
        n_active += change[tick]
        n += n_active
        if n > max_circles:
            return tick
        tick += 1


@inline
def _decode(genes: Any, level: Any) -> Any:
    """Return the numbers that the segments of a level need."""
    weight = np.int64(genes[level, 12]) if level > 0 else 0
    color_weight = np.int64(genes[level, 13]) if level > 0 else 0
    before = max(level - 1, 0)
    return (
        256 + 32 * np.int64(genes[level, 0]),
        8 * np.int64(genes[level, 15]),
        weight,
        _signed_square(genes[level, 4], 7),
        64 * np.int64(genes[level, 14]),
        color_weight,
        _signed_square(genes[level, 8], 5),
        64 * np.int64(genes[before, 11]),
        32 * np.int64(genes[before, 17]),
        _n_children(genes, before),
    )


@inline
def _begin(seed: Any, level: Any, agents: Any, i: Any, numbers: Any) -> Any:
    """Return (x, y, heading, D_0) with which agent i begins."""
    size, size_var, weight, _, _, _, _, spread, heading_var, n_children = numbers
    key = np.int64(agents[i, _KEY])
    own = size + _vary(seed, key, _SIZE_SLOT, size_var)
    if level == 0:
        return np.int64(0), np.int64(0), np.int64(0), own
    j = (key - 1) % 3
    fan = (j - 1) * spread
    if n_children == 2:
        fan = spread if j == 1 else -spread
    elif n_children == 1:
        fan = np.int64(0)
    up = agents[i, _PARENT]
    heading = agents[up, _HEADING] + fan + _vary(seed, key, _HEADING_SLOT, heading_var)
    diameter = (own * (255 - weight) + agents[up, _DIAMETER] * weight) // 255
    return np.int64(agents[up, _X]), np.int64(agents[up, _Y]), heading, diameter


@inline
def _walk(x: Any, y: Any, heading: Any, turn: Any, steps: Any, n: Any, path: Any) -> Any:
    """Take n steps; path (2, _MAX_SEGMENT) gets where each circle lies. Returns the end."""
    for i in range(n):
        path[0, i] = x
        path[1, i] = y
        direction = np.uint64((heading & 0xFFFF) >> 4)
        x += steps[direction, 0]
        y += steps[direction, 1]
        heading += turn
    return x, y


def grow(genes: Any, seed: Any, max_circles: Any, steps: Any, agents: Any, packed: Any) -> Any:
    """Return the fields of the circles, views of one piece of memory.

    Circles are packed into 16 bytes and scattered to their place in the order (tick, key), then
    unpacked. packed is uint64; a larger one is made where it does not suffice.
    """
    first = np.empty(11, np.int64)
    offset = np.empty(_MAX_TICKS, np.int32)
    n, n_ticks, truncated = plan(genes, seed, max_circles, agents, first, offset)
    if packed.size < 2 * n:
        packed = np.empty(2 * n, np.uint64)
    memory = np.empty(28 * n, np.uint8)
    key = memory[: 8 * n].view(np.int64)
    x = memory[8 * n : 12 * n].view(np.int32)
    y = memory[12 * n : 16 * n].view(np.int32)
    diameter = memory[16 * n : 20 * n].view(np.int32)
    tick = memory[20 * n : 24 * n].view(np.int32)
    color = memory[24 * n : 27 * n]
    levels = memory[27 * n :]
    for t in range(n_ticks):
        tick[offset[t] : offset[t + 1]] = t
    path = np.empty((2, _MAX_SEGMENT), np.int32)
    ink = np.empty(_MAX_SEGMENT, np.uint64)
    for level in range(10):
        numbers = _decode(genes, level)
        size_step, turn = numbers[3], numbers[6]
        for i in range(first[level], first[level + 1]):
            px, py, heading, size = _begin(seed, level, agents, i, numbers)
            start = np.int64(agents[i, _START])
            m = min(np.int64(agents[i, _LENGTH]), n_ticks - start)
            px, py = _walk(px, py, heading, turn, steps, m, path)
            agents[i, _X] = px
            agents[i, _Y] = py
            agents[i, _HEADING] = heading + (m - 1) * turn
            agents[i, _DIAMETER] = _clip(size + (m - 1) * size_step, 256, 16384)
            _ink(genes, seed, level, agents, i, numbers, size, m, ink)
            for c in range(m):
                now = np.uint64(start + c)  # unsigned: nothing counts from the end
                at = np.uint64(offset[now])
                offset[now] += 1
                packed[at + at] = np.uint64(np.uint32(path[0, c])) | (
                    np.uint64(np.uint32(path[1, c])) << np.uint64(32)
                )
                packed[at + at + np.uint64(1)] = ink[c]
    for low in range(0, n, _CHUNK):
        high = min(low + _CHUNK, n)
        part = packed[2 * low : 2 * high]
        _unpack(part, 0, 0, 32, x[low:high])
        _unpack(part, 0, 32, 32, y[low:high])
        _unpack(part, 1, 0, 16, diameter[low:high])
        _unpack(part, 1, 40, 8, levels[low:high])
        _unpack(part, 1, 48, 16, key[low:high])
        rgb = color[3 * low : 3 * high]
        for i in range(high - low):
            word = part[2 * i + 1]
            rgb[3 * i] = np.uint8(word >> np.uint64(16))
            rgb[3 * i + 1] = np.uint8(word >> np.uint64(24))
            rgb[3 * i + 2] = np.uint8(word >> np.uint64(32))
    return x, y, diameter, color.reshape(n, 3), tick, levels, truncated, key


@inline
def _color(
    genes: Any, seed: Any, level: Any, agents: Any, i: Any, numbers: Any, n: Any, channel: Any
) -> Any:
    """Return C_0 and the step of a channel; note with what it ends after n circles."""
    color_var, weight = numbers[4], numbers[5]
    key = np.int64(agents[i, _KEY])
    own = 256 * np.int64(genes[level, 1 + channel]) + _vary(seed, key, channel, color_var)
    before = np.int64(agents[agents[i, _PARENT], _COLOR + channel]) if level > 0 else 0
    first = (own * (255 - weight) + before * weight) // 255
    step = _signed_square(genes[level, 5 + channel], 5)
    agents[i, _COLOR + channel] = _clip(first + (n - 1) * step, 0, 65535)
    return np.int32(first), np.int32(step)


@inline
def _ink(
    genes: Any,
    seed: Any,
    level: Any,
    agents: Any,
    i: Any,
    numbers: Any,
    size: Any,
    n: Any,
    ink: Any,
) -> None:
    """Write diameter (16 bits), color (24), level (8) and key (16) of n circles to ink."""
    red, red_step = _color(genes, seed, level, agents, i, numbers, n, 0)
    green, green_step = _color(genes, seed, level, agents, i, numbers, n, 1)
    blue, blue_step = _color(genes, seed, level, agents, i, numbers, n, 2)
    tag = np.uint64(level) << np.uint64(40) | np.uint64(agents[i, _KEY]) << np.uint64(48)
    d, d_step = np.int32(size), np.int32(numbers[3])
    for c in range(n):
        k = np.int32(c)
        low = np.uint32(_clip(d + k * d_step, np.int32(256), np.int32(16384)))
        low |= np.uint32(_channel(red + k * red_step)) << np.uint32(16)
        low |= np.uint32(_channel(green + k * green_step)) << np.uint32(24)
        ink[c] = np.uint64(low) | np.uint64(_channel(blue + k * blue_step)) << np.uint64(32) | tag


@inline
def _channel(value: Any) -> Any:
    return _clip(np.int32(value), np.int32(0), np.int32(65535)) >> np.int32(8)


@inline
def _unpack(part: Any, half: Any, shift: Any, bits: Any, out: Any) -> None:
    """Write one field of packed circles to out."""
    keep = np.uint64((1 << bits) - 1)
    for i in range(out.size):
        out[i] = np.int32(np.uint32(part[2 * i + half] >> np.uint64(shift) & keep))


def silhouettes(
    genes: Any, seeds: Any, max_circles: Any, steps: Any, agents: Any, frame: Any
) -> Any:
    """Return the silhouette of a genome for each seed, and its summary, in one pass.

    A silhouette does not depend on the drawing order: no circle is stored.

    Returns
    -------
    masks : uint8 (n seeds, height, width) of 0 and 1
    words : uint64 (n seeds, height, words a row), the same as rows of bits
    summaries : int64 (n seeds, 5): circles, off, total, forks, truncated
    """
    width, height, _, _, _, floor = frame
    view = sight(frame)
    all_words = np.empty((seeds.size, height * (view[0] >> 3)), np.uint64)
    tiles = np.zeros(n_tiles(height, view), np.uint64)
    masks = np.empty((seeds.size, height * width), np.uint8)
    summaries = np.empty((seeds.size, 5), np.int64)
    first = np.empty(11, np.int64)
    offset = np.empty(_MAX_TICKS, np.int32)
    path = np.empty((2, _MAX_SEGMENT), np.int32)
    diameter = np.empty(_MAX_SEGMENT, np.int32)
    for s in range(seeds.size):
        tiles[:] = 0
        n, n_ticks, truncated = plan(genes, seeds[s], max_circles, agents, first, offset)
        off = total = forks = np.int64(0)
        for level in range(10):
            numbers = _decode(genes, level)
            size_step, turn = numbers[3], numbers[6]
            forked = level < 9 and _n_children(genes, level) > 1
            for i in range(first[level], first[level + 1]):
                px, py, heading, size = _begin(seeds[s], level, agents, i, numbers)
                start = np.int64(agents[i, _START])
                end = start + agents[i, _LENGTH]
                m = min(end, n_ticks) - start
                x, y = _walk(px, py, heading, turn, steps, m, path)
                agents[i, _X] = x
                agents[i, _Y] = y
                agents[i, _HEADING] = heading + (m - 1) * turn
                agents[i, _DIAMETER] = _clip(size + (m - 1) * size_step, 256, 16384)
                if forked and end < n_ticks and _inside(x, y, frame):
                    forks += 1
                for c in range(m):
                    k = np.int32(c)
                    diameter[c] = _clip(
                        np.int32(size) + k * np.int32(size_step), np.int32(256), np.int32(16384)
                    )
                for c in range(m):
                    d = np.int64(diameter[c])
                    total += d * d
                    if not _inside(path[0, c], path[1, c], frame):
                        off += d * d
                if not _near(px, py, m, frame):
                    continue
                for c in range(m):
                    cover(
                        tiles,
                        2 * np.int64(path[0, c]) + view[3],
                        2 * np.int64(path[1, c]) + view[4],
                        max(np.int64(diameter[c]), floor),
                        view,
                    )
        write_rows(tiles, all_words[s], height)
        spread_words(all_words[s], masks[s], width, height)
        summaries[s, 0] = n
        summaries[s, 1] = off
        summaries[s, 2] = total
        summaries[s, 3] = forks
        summaries[s, 4] = truncated
    shape = (seeds.size, height, view[0] >> 3)
    return masks.reshape(seeds.size, height, width), all_words.reshape(shape), summaries


@inline
def _near(x: Any, y: Any, n: Any, frame: Any) -> Any:
    """Return whether n circles from a point on may reach the window."""
    width, height, unit, column, row, floor = frame
    reach = n * _STEP + max(_MAX_DIAMETER, floor)
    across = x + column * unit
    down = y + row * unit
    return (
        across >= -reach
        and across <= width * unit + reach
        and down >= -reach
        and down <= height * unit + reach
    )


@inline
def _inside(x: Any, y: Any, frame: Any) -> Any:
    """Return whether a world point lies in the window; its upper left edges belong to it."""
    width, height, unit, column, row, _ = frame
    across = x + column * unit
    down = y + row * unit
    return across >= 0 and across < width * unit and down >= 0 and down < height * unit
