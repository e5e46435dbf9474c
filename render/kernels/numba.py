"""The numba kernel: growth and pixels, compiled.

Growth plans the tree by lengths alone, then walks the agents in key order and scatters packed
circles to their place by tick. Pixels go front to back with one bit a pixel that says "final".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types as _types
from numpy.typing import NDArray

from render.kernels import Grown
from render.kernels.jit import Compiled
from render.kernels.model import STEPS, Frame, opacity_table

__all__ = ["flat", "grow", "mask", "volume"]

types: Any = _types  # numba ships no annotations
F = TypeVar("F", bound=Callable[..., Any])


def inline(function: F) -> F:
    """Compile a helper that kernels call."""
    return cast(F, numba.njit(nogil=True)(function))


def _array(scalar: Any, n_dims: int = 1) -> Any:
    return types.Array(scalar, n_dims, "C", readonly=True)


_U8, _I32, _I64, _U64 = types.uint8, types.int32, types.int64, types.uint64
_OPACITY = opacity_table()
_SLOT_LENGTH = 4
_SLOT_SIZE = 3
_SLOT_HEADING = 5
_MAX_TICKS = 2802  # 10 segments of at most 280 circles, and an end
_MAX_SEGMENT = 280


@inline
def _vary(seed: Any, key: Any, slot: Any, amplitude: Any) -> Any:
    z = seed + np.uint64(8 * key + slot + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    u = np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(32))
    return ((u * (2 * amplitude + 1)) >> 32) - amplitude


@inline
def _d2(byte: Any, shift: Any) -> Any:
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
def _find_bound(change: Any, max_circles: Any) -> Any:
    """Return the first tick whose circles no longer fit (or -1), and the circles before it."""
    active = np.int64(0)
    n = np.int64(0)
    for tick in range(change.size):
        active += change[tick]
        if active == 0:
            break
        if n + active > max_circles:
            return tick, n
        n += active
    return -1, n


@inline
def _plan(genes: Any, seed: Any, max_circles: Any) -> Any:
    """Find every agent that starts before the bound, from lengths alone.

    Returns (first, start, count, key, parent, change, bound): the agents in key order; those of
    level l from first[l] to first[l + 1]. change is the difference of active agents by tick.
    """
    capacity = 1
    width = 1
    for level in range(9):
        width *= _n_children(genes, level)
        capacity += width
    start = np.empty(capacity, np.int32)
    count = np.empty(capacity, np.int32)
    key = np.empty(capacity, np.int32)
    parent = np.empty(capacity, np.int32)
    first = np.zeros(11, np.int64)
    change = np.zeros(_MAX_TICKS, np.int32)
    start[0] = 0
    key[0] = 0
    parent[0] = 0
    n_agents = 1
    n_circles = np.int64(0)
    bound = -1
    for level in range(10):
        low, high = first[level], n_agents
        first[level + 1] = n_agents
        length = np.int64(genes[level, 9])
        variation = np.int64(genes[level, 16]) // 10
        for i in range(low, high):
            n = max(1, length + _vary(seed, key[i], _SLOT_LENGTH, variation))
            count[i] = n
            change[start[i]] += 1
            change[start[i] + n] -= 1
            n_circles += n
        if n_circles > max_circles:
            bound, _ = _find_bound(change, max_circles)
        if level < 9:
            n_children = _n_children(genes, level)
            for i in range(low, high):
                end = start[i] + count[i]
                if bound < 0 or end < bound:
                    for j in range(n_children):
                        start[n_agents] = end
                        key[n_agents] = 3 * key[i] + 1 + j
                        parent[n_agents] = i
                        n_agents += 1
    return first, start, count, key, parent, change, bound


def _grow(genes: Any, seed: Any, max_circles: Any, steps: Any) -> Any:
    first, start, count, key, parent, change, bound = _plan(genes, seed, max_circles)
    n_agents = first[10]
    offset = np.empty(_MAX_TICKS, np.int64)
    active = np.int64(0)
    n = np.int64(0)
    n_ticks = 0
    while True:
        offset[n_ticks] = n
        active += change[n_ticks]
        if active == 0 or n_ticks == bound:
            break
        n += active
        n_ticks += 1
    end = n_ticks
    x = np.empty(n, np.int32)
    y = np.empty(n, np.int32)
    diameter = np.empty(n, np.int32)
    color = np.empty((n, 3), np.uint8)
    tick = np.empty(n, np.int32)
    level_of = np.empty(n, np.uint8)
    agent = np.empty(n, np.int64)
    for t in range(n_ticks):
        for i in range(offset[t], offset[t + 1]):
            tick[i] = t
    # x, y, heading, diameter and color with which an agent ends
    state = np.empty((n_agents, 7), np.int32)
    for level in range(10):
        size = 256 + 32 * np.int64(genes[level, 0])
        size_step = _d2(genes[level, 4], 7)
        red_step = _d2(genes[level, 5], 5)
        green_step = _d2(genes[level, 6], 5)
        blue_step = _d2(genes[level, 7], 5)
        turn = _d2(genes[level, 8], 5)
        weight: Any = np.int64(genes[level, 12])
        color_weight: Any = np.int64(genes[level, 13])
        if level == 0:
            weight = 0
            color_weight = 0
        color_var = 64 * np.int64(genes[level, 14])
        size_var = 8 * np.int64(genes[level, 15])
        spread = np.int64(0)
        heading_var = np.int64(0)
        n_children = np.int64(1)
        if level > 0:
            spread = 64 * np.int64(genes[level - 1, 11])
            heading_var = 32 * np.int64(genes[level - 1, 17])
            n_children = _n_children(genes, level - 1)
        for i in range(first[level], first[level + 1]):
            k = np.int64(key[i])
            up = parent[i]
            px = py = heading = np.int64(0)
            last_d = last_r = last_g = last_b = np.int64(0)
            if level > 0:
                px = np.int64(state[up, 0])
                py = np.int64(state[up, 1])
                last_d = np.int64(state[up, 3])
                last_r = np.int64(state[up, 4])
                last_g = np.int64(state[up, 5])
                last_b = np.int64(state[up, 6])
                j = (k - 1) % 3
                fan = np.int64(0)
                if n_children == 2:
                    fan = spread if j == 1 else -spread
                elif n_children == 3:
                    fan = (j - 1) * spread
                heading = state[up, 2] + fan + _vary(seed, k, _SLOT_HEADING, heading_var)
            own = size + _vary(seed, k, _SLOT_SIZE, size_var)
            d = (own * (255 - weight) + last_d * weight) // 255
            own = 256 * np.int64(genes[level, 1]) + _vary(seed, k, 0, color_var)
            r = (own * (255 - color_weight) + last_r * color_weight) // 255
            own = 256 * np.int64(genes[level, 2]) + _vary(seed, k, 1, color_var)
            g = (own * (255 - color_weight) + last_g * color_weight) // 255
            own = 256 * np.int64(genes[level, 3]) + _vary(seed, k, 2, color_var)
            b = (own * (255 - color_weight) + last_b * color_weight) // 255
            begin = start[i]
            m = np.int64(min(count[i], end - begin))
            for c in range(m):
                at = offset[begin + c]
                offset[begin + c] = at + 1
                x[at] = px
                y[at] = py
                diameter[at] = _clip(d, 256, 16384)
                color[at, 0] = _clip(r, 0, 65535) >> 8
                color[at, 1] = _clip(g, 0, 65535) >> 8
                color[at, 2] = _clip(b, 0, 65535) >> 8
                level_of[at] = level
                agent[at] = k
                direction = (heading & 0xFFFF) >> 4
                px += steps[direction, 0]
                py += steps[direction, 1]
                heading += turn
                d += size_step
                r += red_step
                g += green_step
                b += blue_step
            state[i, 0] = px
            state[i, 1] = py
            state[i, 2] = heading - turn
            state[i, 3] = _clip(d - size_step, 256, 16384)
            state[i, 4] = _clip(r - red_step, 0, 65535)
            state[i, 5] = _clip(g - green_step, 0, 65535)
            state[i, 6] = _clip(b - blue_step, 0, 65535)
    return x, y, diameter, color, tick, level_of, bound >= 0, agent


@inline
def _isqrt(n: Any) -> Any:
    """Return the whole part of the root of n; 0 <= n <= 2^62."""
    root = np.int64(np.sqrt(np.float64(n)))
    if root * root > n:  # from 2^52 up a float may round across a whole number
        root -= 1
    elif (root + 1) * (root + 1) <= n:
        root += 1
    return root


@inline
def _rows(center: Any, reach: Any, unit: Any, origin: Any, n: Any) -> Any:
    """Return the first row and the end of the rows within reach of a center, clipped to n.

    All in doubled coordinates: row r lies at (2 (r - origin) + 1) unit.
    """
    low = -((-(center - reach - unit)) // (2 * unit)) + origin
    high = (center + reach - unit) // (2 * unit) + origin + 1
    return max(low, 0), min(high, n)


@inline
def _run(word: Any, low: Any, high: Any) -> Any:
    """Return the bits of word number `word` that columns low (included) to high lie on."""
    all_bits = np.uint64(0xFFFFFFFFFFFFFFFF)
    bits = all_bits
    base = word * 64
    if low > base:
        bits = bits & (all_bits << np.uint64(low - base))
    if high < base + 64:
        bits = bits & (all_bits >> np.uint64(base + 64 - high))
    return bits


@inline
def _trailing_zeros(bits: Any) -> Any:
    """Return the number of the lowest bit; bits is not 0."""
    n = np.int64(0)
    if bits & np.uint64(0xFFFFFFFF) == 0:
        n += 32
        bits = bits >> np.uint64(32)
    if bits & np.uint64(0xFFFF) == 0:
        n += 16
        bits = bits >> np.uint64(16)
    if bits & np.uint64(0xFF) == 0:
        n += 8
        bits = bits >> np.uint64(8)
    if bits & np.uint64(0xF) == 0:
        n += 4
        bits = bits >> np.uint64(4)
    if bits & np.uint64(0x3) == 0:
        n += 2
        bits = bits >> np.uint64(2)
    if bits & np.uint64(0x1) == 0:
        n += 1
    return n


def _mask(x: Any, y: Any, diameter: Any, frame: Any) -> Any:
    width, height, unit, column, row, floor = frame
    n_words = (width + 63) // 64
    final = np.zeros((height, n_words), np.uint64)
    for i in range(x.size):
        reach = max(np.int64(diameter[i]), floor)
        cx = 2 * np.int64(x[i])
        cy = 2 * np.int64(y[i])
        top, bottom = _rows(cy, reach, unit, row, height)
        for r in range(top, bottom):
            dy = (2 * (r - row) + 1) * unit - cy
            left, right = _rows(cx, _isqrt(reach * reach - dy * dy), unit, column, width)
            if left < right:
                for word in range(left >> 6, ((right - 1) >> 6) + 1):
                    final[r, word] |= _run(word, left, right)
    out = np.empty((height, width), np.bool_)
    for r in range(height):
        for c in range(width):
            out[r, c] = (final[r, c >> 6] >> np.uint64(c & 63)) & np.uint64(1) != 0
    return out


def _flat(x: Any, y: Any, diameter: Any, color: Any, frame: Any) -> Any:
    width, height, unit, column, row, floor = frame
    n_words = (width + 63) // 64
    final = np.zeros((height, n_words), np.uint64)
    out = np.zeros((height, width), np.uint32)
    for i in range(x.size - 1, -1, -1):
        reach = max(np.int64(diameter[i]), floor)
        cx = 2 * np.int64(x[i])
        cy = 2 * np.int64(y[i])
        paint = np.uint32(
            color[i, 0]
            | (np.uint32(color[i, 1]) << 8)
            | (np.uint32(color[i, 2]) << 16)
            | np.uint32(0xFF000000)
        )
        top, bottom = _rows(cy, reach, unit, row, height)
        for r in range(top, bottom):
            dy = (2 * (r - row) + 1) * unit - cy
            left, right = _rows(cx, _isqrt(reach * reach - dy * dy), unit, column, width)
            if left < right:
                for word in range(left >> 6, ((right - 1) >> 6) + 1):
                    new = _run(word, left, right) & ~final[r, word]
                    final[r, word] |= new
                    while new != 0:
                        out[r, word * 64 + _trailing_zeros(new)] = paint
                        new &= new - np.uint64(1)
    return out


def _volume(x: Any, y: Any, diameter: Any, color: Any, frame: Any) -> Any:
    width, height, unit, column, row, floor = frame
    n_words = (width + 63) // 64
    final = np.zeros((height, n_words), np.uint64)
    left_over = np.full((height, width), 1 << 24, np.int32)  # T
    white = np.zeros((height, width), np.int32)  # W
    out = np.zeros((height, width, 4), np.uint8)
    for i in range(x.size - 1, -1, -1):
        reach = max(np.int64(diameter[i]), floor)
        shift = max(2 * (reach // 6), unit)
        for layer in range(3):  # opaque, white, black
            move = np.int64(0)
            if layer > 0:
                move = -shift if layer == 1 else shift
            cx = 2 * np.int64(x[i]) + move
            cy = 2 * np.int64(y[i]) + move
            top, bottom = _rows(cy, reach, unit, row, height)
            for r in range(top, bottom):
                dy = (2 * (r - row) + 1) * unit - cy
                left, right = _rows(cx, _isqrt(reach * reach - dy * dy), unit, column, width)
                if left >= right:
                    continue
                for word in range(left >> 6, ((right - 1) >> 6) + 1):
                    new = _run(word, left, right) & ~final[r, word]
                    if layer == 0:
                        final[r, word] |= new
                    while new != 0:
                        c = word * 64 + _trailing_zeros(new)
                        new &= new - np.uint64(1)
                        if layer == 0:
                            w = 255 * np.int64(white[r, c]) + (1 << 23)
                            t = np.int64(left_over[r, c])
                            out[r, c, 0] = (w + t * color[i, 0]) >> 24
                            out[r, c, 1] = (w + t * color[i, 1]) >> 24
                            out[r, c, 2] = (w + t * color[i, 2]) >> 24
                            out[r, c, 3] = 255
                        else:
                            taken = (left_over[r, c] * 51) >> 8
                            left_over[r, c] -= taken
                            if layer == 1:
                                white[r, c] += taken
    for r in range(height):
        for c in range(width):
            if out[r, c, 3] == 0:
                o = (1 << 24) - np.int64(left_over[r, c])
                if o > 0:
                    gray = (510 * np.int64(white[r, c]) + o) // (2 * o)
                    out[r, c, 0] = gray
                    out[r, c, 1] = gray
                    out[r, c, 2] = gray
                    out[r, c, 3] = min(254, (255 * o + (1 << 23)) >> 24)
    return out


_FRAME = types.Tuple((_I64,) * 6)
_XYD = (_array(_I32),) * 3
_grow_compiled = Compiled(_grow, (_array(_U8, 2), _U64, _I64, _array(_I32, 2)))
_mask_compiled = Compiled(_mask, (*_XYD, _FRAME))
_flat_compiled = Compiled(_flat, (*_XYD, _array(_U8, 2), _FRAME))
_volume_compiled = Compiled(_volume, (*_XYD, _array(_U8, 2), _FRAME))


def grow(genes: NDArray[np.uint8], seed: int, max_circles: int) -> Grown:
    """Return the fields of the Circles of a genome."""
    limit = min(max_circles, 1 << 40)
    return cast(Grown, _grow_compiled(genes, np.uint64(seed), limit, STEPS))


def mask(circles: Any, frame: Frame) -> NDArray[np.bool_]:
    """Return the silhouette of some circles in a frame, bool (height, width)."""
    return cast(
        NDArray[np.bool_],
        _mask_compiled(circles.x, circles.y, circles.diameter, tuple(frame)),
    )


def flat(circles: Any, frame: Frame) -> NDArray[np.uint8]:
    """Return the picture of opaque discs, uint8 (height, width, 4)."""
    c = circles
    packed = _flat_compiled(c.x, c.y, c.diameter, c.color, tuple(frame))
    return cast(
        NDArray[np.uint8],
        packed.astype("<u4", copy=False).view(np.uint8).reshape(frame.height, frame.width, 4),
    )


def volume(circles: Any, frame: Frame) -> NDArray[np.uint8]:
    """Return the pseudo-3D picture, uint8 (height, width, 4)."""
    c = circles
    return cast(NDArray[np.uint8], _volume_compiled(c.x, c.y, c.diameter, c.color, tuple(frame)))
