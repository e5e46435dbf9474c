"""Square-square subdivision, without creases (G. S. P. Miller, 1986).

Each cell of four points makes four new points inside it, at the weighted means 9 : 3 : 3 : 1 of its
corners: biquadratic B-splines, so that smooth terrain has no creases along old grid lines.
"""

from __future__ import annotations

import numpy as np

from render.terrain.law import BAND, START, Heights, Noise

__all__ = ["square_square_map"]


def square_square_map(
    steps: list[float], noise: Noise, dtype: np.dtype[np.floating], *, wrap: bool
) -> Heights:
    """Return a map of 2^s + 1 rows and columns, s = len(steps).

    A map of m points a side has m - 1 cells, which make 2 m - 2 points: 3, 4, 6, 10 .. 2^s + 2, of
    which the last row and column are left out. To wrap, 1, 2, 4 .. 2^s points a side are each time
    closed by the first row and column.

    Parameters
    ----------
    steps : list of float
        d_1 .. d_s.
    noise : Noise
    dtype : float64 or float32
    wrap : bool
        Whether the last row and column are the first ones again.
    """
    grid = noise.draw((1, 1) if wrap else (3, 3), START, dtype)
    for step in steps:
        grid = _refined(closed(grid) if wrap else grid, step, noise)
    return closed(grid) if wrap else grid[:-1, :-1].copy()


def closed(grid: Heights) -> Heights:
    """Return a periodic map with its first row and column once more at the end."""
    return np.pad(grid, ((0, 1), (0, 1)), mode="wrap")


def _refined(grid: Heights, step: float, noise: Noise) -> Heights:
    n = grid.shape[0] - 1
    finer = np.empty((2 * n, 2 * n), grid.dtype)
    band = max(1, BAND // n)
    for top in range(0, n, band):
        end = min(top + band, n)
        out = finer[2 * top : 2 * end]
        noise.fill(out, step)
        near = grid[top:end] * 0.75 + grid[top + 1 : end + 1] * 0.25
        far = grid[top:end] * 0.25 + grid[top + 1 : end + 1] * 0.75
        for parity, rows in enumerate((near, far)):
            quarter = rows * 0.25
            rest = rows - quarter
            out[parity::2, 0::2] += rest[:, :-1] + quarter[:, 1:]
            out[parity::2, 1::2] += quarter[:, :-1] + rest[:, 1:]
    return finer
