"""Bringing heights to [0, 1], in the way that is asked for and in no other."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from evo.checks import choice, must, number, real_array, whole
from render.terrain.law import START, Heights, as_roughness, displacements

__all__ = ["Normalize", "height_bound", "normalized"]

Normalize: TypeAlias = Literal["none", "bound", "minmax", "clip"]

NORMALIZE = ("none", "bound", "minmax", "clip")


def height_bound(
    iterations: int,
    roughness: float = 1.0,
    *,
    variant: str = "diamond_square",
    start: float = START,
) -> float:
    """Return the height that a uniform surface can't pass, above or below 0.

    It is start + D for a curve and for `square_square`, start + 2 D for `diamond_square` (a level
    displaces the centers, and then the edge points between them once more), where
    D = d_1 + .. + d_s = d_1 (1 - 2^(-roughness s)) / (1 - 2^(-roughness)), and s d_1 at 0.

    Parameters
    ----------
    iterations : int
        s, at least 1.
    roughness : float
        At least 0; infinity is allowed.
    variant : {"curve", "diamond_square", "square_square"}
    start : float
        The largest height, without its sign, that the surface starts from or is given.

    Returns
    -------
    float, in half heights of the world.
    """
    steps = displacements(whole("iterations", iterations, low=1), as_roughness(roughness))
    variant = choice("variant", variant, ("curve", "diamond_square", "square_square"))
    times = 2.0 if variant == "diamond_square" else 1.0
    return number("start", start, low=0.0) + times * sum(steps)


def check_normalize(normalize: str, distribution: str, variant: str) -> None:
    """Refuse an unknown way to normalize, and a bound where there is none."""
    choice("normalize", normalize, NORMALIZE)
    if normalize == "bound" and variant == "spectral":
        raise must("normalize", "be 'none', 'minmax' or 'clip' for spectral", normalize)
    if normalize == "bound" and distribution != "uniform":
        raise must("normalize", "be 'none', 'minmax' or 'clip' for gaussian heights", normalize)


def normalized(heights: Heights, normalize: str, *, bound: float = 1.0) -> Heights:
    """Return heights brought to [0, 1].

    Parameters
    ----------
    heights : float array of shape (n,), (n_curves, n) or (height, width)
        Finite heights. Not changed.
    normalize : {"none", "bound", "minmax", "clip"}
        * `none`: the heights themselves;
        * `bound`: -bound becomes 0 and +bound 1, the same for every tile and curve;
        * `minmax`: the lowest becomes 0 and the highest 1; all 0 where they are equal;
        * `clip`: the world, -1 to 1, becomes 0 to 1, and what lies outside is cut.
    bound : float
        See `height_bound`. Heights beyond it are refused.

    Returns
    -------
    float array of the same shape and dtype; a new one, but for `none`.
    """
    choice("normalize", normalize, NORMALIZE)
    given = real_array("heights", heights)
    return heights if normalize == "none" else normalize_in_place(given.copy(), normalize, bound)


def normalize_in_place(heights: Heights, normalize: str, bound: float) -> Heights:
    """Bring an array of one's own to [0, 1], see `normalized`, and return it."""
    if normalize == "none":
        return heights
    if normalize == "minmax":
        return minmax_in_place(heights)
    half = number("bound", bound, low=0.0) if normalize == "bound" else 1.0
    if normalize == "bound":
        top = max(float(heights.max()), -float(heights.min()))
        if top > half * (1 + 1e-6):
            raise must("heights", f"lie within the bound {half:.6g}", top)
    if half:
        heights /= 2.0 * half
    heights += 0.5
    np.clip(heights, 0.0, 1.0, out=heights)
    return heights


def minmax_in_place(heights: Heights, *, rows: bool = False) -> Heights:
    """Bring heights of all or of each row to 0, the lowest, to 1, the highest; 0 where flat."""
    axis = -1 if rows else None
    low = heights.min(axis=axis, keepdims=True)
    span = heights.max(axis=axis, keepdims=True) - low
    heights -= low
    heights /= np.where(span > 0, span, 1)
    np.clip(heights, 0.0, 1.0, out=heights)
    return heights
