"""What a surface is like, measured: its Hurst exponent, and how creased it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from evo.checks import must, real_array, whole
from render.terrain.law import Heights

__all__ = ["crease_index", "hurst_exponent", "structure_function"]


def _surface(heights: ArrayLike) -> Heights:
    array = real_array("heights", heights)
    if array.ndim < 1:
        raise must("heights", "be an array", heights)
    return array.astype(np.float64, copy=False)


def structure_function(heights: ArrayLike, lags: Sequence[int], *, axis: int = -1) -> Heights:
    """Return S(lag), the mean of (h(x + lag) - h(x))² over all places, for each lag.

    Parameters
    ----------
    heights : float array of any shape
        Other axes than `axis` are averaged over.
    lags : sequence of int
        Each from 1 to the axis' length - 1.
    axis : int

    Returns
    -------
    float64 array of shape (len(lags),)
    """
    array = np.moveaxis(_surface(heights), whole("axis", axis), -1)
    longest = array.shape[-1] - 1
    checked = [whole("lags", lag, low=1, high=longest) for lag in lags]
    return np.array([np.mean((array[..., lag:] - array[..., :-lag]) ** 2) for lag in checked])


def hurst_exponent(
    heights: ArrayLike, *, lags: Sequence[int] = (1, 2, 4, 8, 16, 32, 64), axis: int = -1
) -> float:
    """Return the Hurst exponent H by the structure function, S(lag) ~ lag^(2 H).

    It is half of the slope of log S over log lag, by least squares.

    Parameters
    ----------
    heights : float array of any shape
        A curve, a stack of curves, a map, or a stack of maps.
    lags : sequence of int
        At least two.
    axis : int
        Along which lags are taken: -1 along rows, -2 down columns.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the heights are flat, which has no exponent.
    """
    if len(lags) < 2:
        raise must("lags", "hold at least two lags", lags)
    values = structure_function(heights, lags, axis=axis)
    if not (values > 0).all():
        raise must("heights", "vary at each lag", heights)
    return float(np.polyfit(np.log(lags), np.log(values), 1)[0] / 2)


def crease_index(maps: ArrayLike) -> float:
    """Return how creased maps are along their central column: 1 where it is like any other.

    It is E[d²] on the central column / E[d²] on all columns, d = h(x - 1) - 2 h(x) + h(x + 1).
    Diamond-square of roughness 2 has about 70; `square_square` 1.

    Parameters
    ----------
    maps : float array of shape (height, width) or (n, height, width), width odd and at least 5
        One map tells little: give many.
    """
    array = _surface(maps)
    if array.ndim < 2 or array.shape[-1] < 5 or array.shape[-1] % 2 == 0:
        raise must("maps", "have an odd number of columns, at least 5", maps)
    square = np.diff(array, 2, axis=-1) ** 2
    everywhere = float(square.mean())
    if everywhere == 0:
        raise must("maps", "not be flat", maps)
    return float(square[..., square.shape[-1] // 2].mean()) / everywhere
