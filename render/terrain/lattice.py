"""Diamond-square: one level at a time, in bands of rows that fit a processor's cache."""

from __future__ import annotations

import numpy as np

from render.terrain.borders import Border
from render.terrain.law import BAND, START, Heights, Noise

__all__ = ["diamond_square_map"]


def diamond_square_map(
    steps: list[float],
    noise: Noise,
    dtype: np.dtype[np.floating],
    *,
    border: Border,
    wrap: bool,
) -> Heights:
    """Return a map of 2^s + 1 rows and columns, s = len(steps).

    Parameters
    ----------
    steps : list of float
        d_1 .. d_s.
    noise : Noise
    dtype : float64 or float32
    border : Border
        Given heights of corners and edges, of this dtype.
    wrap : bool
        Whether the last row and column are the first ones again.
    """
    grid = noise.draw((2, 2), START, dtype)
    if wrap:
        grid[...] = grid[0, 0]
    border.pin_corners(grid)
    for level, step in enumerate(steps, start=1):
        grid = _refined(grid, step, noise, wrap)
        border.pin_edges(grid, stride=1 << (len(steps) - level))
    return grid


def _refined(grid: Heights, step: float, noise: Noise, wrap: bool) -> Heights:
    """Return the map of one level more, (2 n + 1) x (2 n + 1) from (n + 1) x (n + 1).

    A coarse row of cells draws n centers, n + 1 points on vertical edges and n points on the
    horizontal edges above it; the lowest edges come last. The order does not depend on the bands.
    """
    n = grid.shape[0] - 1
    finer = np.empty((2 * n + 1, 2 * n + 1), grid.dtype)
    finer[0::2, 0::2] = grid
    band = max(1, BAND // n)
    buffer = np.empty((min(band, n), 3 * n + 1), grid.dtype)
    centers_above = np.zeros(n, grid.dtype)
    for top in range(0, n, band):
        end = min(top + band, n)
        draws = buffer[: end - top]
        noise.fill(draws, step)
        centers, upright, level = draws[:, :n], draws[:, n : 2 * n + 1], draws[:, 2 * n + 1 :]
        if top == 0:
            top_edge = level[0].copy()
        corners = grid[top : end + 1]

        pairs = corners[:, :-1] + corners[:, 1:]
        centers += (pairs[:-1] + pairs[1:]) * 0.25  # diamond phase
        finer[2 * top + 1 : 2 * end : 2, 1::2] = centers

        ends = corners[:-1] + corners[1:]  # square phase, vertical edges
        upright[:, 1:-1] += (centers[:, :-1] + centers[:, 1:] + ends[:, 1:-1]) * 0.25
        if wrap:
            upright[:, 0] += (centers[:, -1] + centers[:, 0] + ends[:, 0]) * 0.25
            upright[:, -1] = upright[:, 0]
        else:
            upright[:, 0] += (centers[:, 0] + ends[:, 0]) * (1 / 3)
            upright[:, -1] += (centers[:, -1] + ends[:, -1]) * (1 / 3)
        finer[2 * top + 1 : 2 * end : 2, 0::2] = upright

        level[0] += (centers_above + centers[0] + pairs[0]) * 0.25  # horizontal edges
        level[1:] += (centers[:-1] + centers[1:] + pairs[1:-1]) * 0.25
        finer[2 * top : 2 * end : 2, 1::2] = level
        centers_above = centers[-1].copy()

    bottom_edge = noise.draw((n,), step, grid.dtype)
    top_sum = finer[1, 1::2] + (grid[0, :-1] + grid[0, 1:])
    bottom_sum = centers_above + (grid[n, :-1] + grid[n, 1:])
    if wrap:
        top_edge += (centers_above + top_sum) * 0.25
        bottom_edge = top_edge
    else:
        top_edge += top_sum * (1 / 3)
        bottom_edge += bottom_sum * (1 / 3)
    finer[0, 1::2] = top_edge
    finer[2 * n, 1::2] = bottom_edge
    return finer
