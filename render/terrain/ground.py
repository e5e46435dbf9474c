"""Terrain under a picture: the ground row of each column, and a map on a picture's pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evo.checks import number, real_array, whole
from render.terrain.law import Heights
from render.terrain.normalizing import normalized

__all__ = ["ground_line", "ground_rows", "resampled"]


def ground_rows(
    curve: ArrayLike, width: int, height: int, base: float = 0.92, amplitude: float = 0.35
) -> NDArray[np.int64]:
    """Return the row of a picture at which the ground begins, for each column.

    The curve is brought to [0, 1] by its lowest and highest point, and spans the picture: column x
    takes the height at (x + 1/2) / width * (n - 1), by linear interpolation. Higher is up.

    Parameters
    ----------
    curve : float array of shape (n,), n at least 2
    width, height : int
        Size of the picture in pixels.
    base : float
        Row of the lowest ground, as a share of the height, 0 to 1. A flat curve lies there.
    amplitude : float
        Share of the height that the relief takes, 0 to `base`.

    Returns
    -------
    int64 array of shape (width,), each 0 to `height`: in its column, rows from that one on are
    ground.
    """
    line = ground_line(curve, width, height, base, amplitude)
    rows: NDArray[np.int64] = np.floor(line + 0.5).astype(np.int64)
    return rows


def ground_line(
    curve: ArrayLike, width: int, height: int, base: float = 0.92, amplitude: float = 0.35
) -> NDArray[np.float64]:
    """Return `ground_rows` before they are rounded, float64 (width,): for smooth pictures."""
    heights = real_array("curve", curve, ndim=1, least=2).astype(np.float64, copy=False)
    width, height = whole("width", width, low=1), whole("height", height, low=1)
    base = number("base", base, low=0.0, high=1.0)
    amplitude = number("amplitude", amplitude, low=0.0, high=base)
    relief = _interpolated(normalized(heights, "minmax"), width, axis=0).astype(np.float64)
    line: NDArray[np.float64] = height * (base - amplitude * relief)
    return line


def resampled(heights: ArrayLike, shape: tuple[int, int]) -> Heights:
    """Return a map on the pixels of a picture, by the rule of `ground_rows` in both directions.

    Parameters
    ----------
    heights : float array of shape (n, m), both at least 2
    shape : (int, int)
        Rows and columns of the picture.

    Returns
    -------
    float64 array of `shape`; a map of that shape already is returned as it is, a cell a pixel.
    """
    values = real_array("heights", heights, ndim=2, least=2).astype(np.float64)
    rows, columns = (whole("shape", side, low=1) for side in shape)
    if values.shape == (rows, columns):
        return values
    return _interpolated(_interpolated(values, rows, axis=0), columns, axis=1)


def _interpolated(values: Heights, count: int, *, axis: int) -> Heights:
    n = values.shape[axis]
    places = (np.arange(count) + 0.5) / count * (n - 1)
    left = np.minimum(places.astype(np.intp), n - 2)
    share = places - left
    if values.ndim == 2 and axis == 0:
        share = share[:, None]
    right = left + 1
    mixed: Heights = (
        np.take(values, left, axis) * (1 - share) + np.take(values, right, axis) * share
    )
    return mixed
