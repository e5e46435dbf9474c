"""Ground lines: midpoint displacement in one dimension."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from evo.chance import Rng
from evo.checks import must, whole
from render.terrain.law import (
    MAX_BYTES,
    START,
    Heights,
    as_roughness,
    displacements,
    float_type,
    given_heights,
    make_noise,
    refuse_memory,
)
from render.terrain.normalizing import (
    check_normalize,
    height_bound,
    minmax_in_place,
    normalize_in_place,
)

__all__ = ["midpoint_curve"]


def midpoint_curve(
    iterations: int,
    roughness: float = 1.0,
    *,
    rng: Rng = 0,
    n_curves: int | None = None,
    ends: ArrayLike | None = None,
    distribution: Literal["uniform", "gaussian"] = "uniform",
    normalize: Literal["none", "bound", "minmax", "clip"] = "none",
    dtype: DTypeLike = np.float64,
    max_bytes: int = MAX_BYTES,
) -> Heights:
    """Return the heights of one ground curve or of many, by midpoint displacement.

    Between two border points, level k = 1 .. s puts a point midway between each two neighbors, at
    the mean of their heights plus a displacement drawn from (-d_k, d_k), with

        d_k = d_1 2^(-roughness (k - 1)),

    so that a *smaller* roughness makes a rougher curve: 0 never reduces the displacement, 1 halves
    it at each level, and infinity leaves the first level alone (two straight lines). For a
    roughness in (0, 1) the curve is that of a fractional Brownian motion of about this Hurst
    exponent, and its fractal dimension is 2 - H; above 1 it only becomes piecewise smooth.

    Draws are made level by level, coarse first: with the same seed the curve of 8 iterations is
    every 4th point of the curve of 10, bit for bit (within a numpy version; not for curves that are
    normalized by minmax).

    Parameters
    ----------
    iterations : int
        s, at least 1: a curve has 2^s + 1 points.
    roughness : float
        At least 0 (the roughest); infinity is allowed. Useful from 0 to 3.
    rng : int or numpy Generator
        A seed from 0 to 2^64 - 1, or a Generator over PCG64, which moves on.
    n_curves : int, optional
        Makes so many curves in one call.
    ends : array of shape (2,) or (n_curves, 2), optional
        Heights of the first and last point, kept as they are. By default they are drawn from a
        quarter of the world either way, (-0.5, 0.5).
    distribution : {"uniform", "gaussian"}
        Gaussian displacements have the same standard deviation, d_k / sqrt(3).
    normalize : {"none", "bound", "minmax", "clip"}
        `none` leaves heights in half heights of the world; the others bring them to [0, 1], see
        `normalized`. `minmax` works curve by curve.
    dtype : {float64, float32}
    max_bytes : int
        More memory than that is refused before any is taken.

    Returns
    -------
    float array of shape (2^s + 1,), or (n_curves, 2^s + 1) where `n_curves` is given.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    References
    ----------
    A. Fournier, D. Fussell and L. Carpenter, "Computer Rendering of Stochastic Models",
    Communications of the ACM 25(6), 1982, doi:10.1145/358523.358553. F. Sancho Caparrini,
    "Classical Elements in NetLogo: Earth", 2016. D. Saupe, "Algorithms for Random Fractals", in
    "The Science of Fractal Images", 1988.

    Examples
    --------
    >>> midpoint_curve(2, float("inf"), ends=(0, 0), rng=1).round(4).tolist()
    [0.0, 0.0059, 0.0118, 0.0059, 0.0]
    """
    levels = whole("iterations", iterations, low=1)
    roughness = as_roughness(roughness)
    kind = float_type(dtype)
    n_rows = 1 if n_curves is None else whole("n_curves", n_curves, low=1)
    noise = make_noise(rng, distribution)
    check_normalize(normalize, distribution, "curve")
    n_bytes = 2.5 * n_rows * (2.0 ** min(levels, 1000) + 1) * kind.itemsize
    refuse_memory("iterations", levels, n_bytes, max_bytes)

    curves = noise.draw((n_rows, 2), START, kind)
    if ends is not None:
        curves[...] = _ends(ends, n_rows, kind)
    start = max(START, float(np.abs(curves).max()))
    for step in displacements(levels, roughness):
        n = curves.shape[1] - 1
        finer = np.empty((n_rows, 2 * n + 1), kind)
        middle = noise.draw((n_rows, n), step, kind)
        middle += curves[:, :-1] * 0.5
        middle += curves[:, 1:] * 0.5
        finer[:, 0::2] = curves
        finer[:, 1::2] = middle
        curves = finer

    if normalize == "minmax":
        curves = minmax_in_place(curves, rows=True)
    else:
        bound = height_bound(levels, roughness, variant="curve", start=start)
        curves = normalize_in_place(curves, normalize, bound)
    return curves if n_curves is not None else curves[0]


def _ends(ends: ArrayLike, n_rows: int, dtype: np.dtype[np.floating]) -> Heights:
    values = given_heights("ends", ends, dtype)
    if values.shape not in {(2,), (n_rows, 2)}:
        raise must("ends", f"have shape (2,) or ({n_rows}, 2)", ends)
    return values
