"""Maps of heights: one call for the three generators, their options and their limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from evo.chance import Rng
from evo.checks import choice, must, whole
from render.terrain.borders import make_border
from render.terrain.fourier import spectral_cells, spectral_map
from render.terrain.lattice import diamond_square_map
from render.terrain.law import (
    BAND,
    MAX_BYTES,
    Heights,
    as_roughness,
    displacements,
    float_type,
    make_noise,
    refuse_memory,
)
from render.terrain.miller import square_square_map
from render.terrain.normalizing import check_normalize, height_bound, normalize_in_place

__all__ = ["VARIANTS", "diamond_square"]

VARIANTS = ("diamond_square", "square_square", "spectral")


def diamond_square(
    iterations: int | None = None,
    roughness: float = 1.0,
    *,
    rng: Rng = 0,
    shape: tuple[int, int] | None = None,
    corners: ArrayLike | None = None,
    edges: Mapping[str, ArrayLike] | None = None,
    wrap: bool = False,
    variant: Literal["diamond_square", "square_square", "spectral"] = "diamond_square",
    distribution: Literal["uniform", "gaussian"] = "uniform",
    normalize: Literal["none", "bound", "minmax", "clip"] = "none",
    dtype: DTypeLike = np.float64,
    max_bytes: int = MAX_BYTES,
) -> Heights:
    """Return a map of heights by diamond-square, or by one of its two relatives.

    From four corners, level k = 1 .. s puts a point into the center of each square, at the mean of
    its 4 corners plus a displacement (diamond phase), and then one on the middle of each edge, at
    the mean of its 4 neighbors, 3 at the border, plus a displacement (square phase). Both are drawn
    from (-d_k, d_k), with

        d_k = d_1 2^(-roughness (k - 1)),

    so that a *smaller* roughness makes a rougher surface: 0 never reduces the displacement and
    infinity leaves the first level alone. For a roughness in (0, 1) the surface has about this
    Hurst exponent H, and fractal dimension 3 - H; above 1 it only becomes piecewise smooth, with
    creases along old grid lines (`crease_index` is 71 at 2). Smooth terrain needs another variant.

    Draws are made level by level, coarse first: with the same seed, the map of 8 iterations is
    every 4th point of the map of 10, bit for bit (`variant` diamond_square, before `minmax`, within
    a numpy version).

    Parameters
    ----------
    iterations : int, optional
        s, at least 1: the map has 2^s + 1 rows and columns. May be left out where `shape` is given.
    roughness : float
        At least 0 (the roughest); infinity is allowed. Useful from 0 to 3.
    rng : int or numpy Generator
        A seed from 0 to 2^64 - 1, or a Generator over PCG64, which moves on.
    shape : (int, int), optional
        Rows and columns, each at least 2: the map of `iterations`, or of the fewest that suffice,
        is cut to its top left. A map that wraps can't be cut.
    corners : array of shape (2, 2), or (4,) in reading order, optional
        Given heights, kept exactly (diamond_square). Else drawn from (-0.5, 0.5).
    edges : mapping of "top", "bottom", "left", "right" to arrays of shape (2^s + 1,), optional
        Given heights of some borders, kept exactly (diamond_square), so that tiles join. `left`
        and `right` run from the top.
    wrap : bool
        Makes the last row and column equal to the first, bit for bit, so that copies tile.
    variant : {"diamond_square", "square_square", "spectral"}
        * `square_square` (Miller 1986): subdivision by biquadratic B-splines. No creases.
        * `spectral`: noise with a power spectrum of exponent -(2 roughness + 2).
    distribution : {"uniform", "gaussian"}
        Gaussian displacements have the same standard deviation, d_k / sqrt(3).
    normalize : {"none", "bound", "minmax", "clip"}
        `none` leaves heights in half heights of the world; the others bring them to [0, 1], see
        `normalized`. `bound` is the same for every tile with the same start.
    dtype : {float64, float32}
        Another dtype draws other numbers.
    max_bytes : int
        More memory than that is refused before any is taken.

    Returns
    -------
    float array of shape (2^s + 1, 2^s + 1), or `shape`; row 0 is the top.

    Raises
    ------
    ValueError
        If an argument is out of its range, or has no meaning for the variant.

    References
    ----------
    A. Fournier, D. Fussell and L. Carpenter, "Computer Rendering of Stochastic Models",
    Communications of the ACM 25(6), 1982, doi:10.1145/358523.358553. G. S. P. Miller, "The
    Definition and Rendering of Terrain Maps", SIGGRAPH 1986, doi:10.1145/15886.15890. D. Saupe,
    "Algorithms for Random Fractals", in "The Science of Fractal Images", 1988. F. Sancho Caparrini,
    "Classical Elements in NetLogo: Earth", 2016.

    Examples
    --------
    >>> diamond_square(1, corners=[[0, 0], [1, 1]], rng=1).shape
    (3, 3)
    """
    roughness = as_roughness(roughness)
    kind = float_type(dtype)
    noise = make_noise(rng, distribution)
    choice("variant", variant, VARIANTS)
    check_normalize(normalize, distribution, variant)
    if variant != "diamond_square" and (corners is not None or edges is not None):
        raise must("variant", "be 'diamond_square' where corners or edges are given", variant)
    levels, rows, columns = _size(iterations, shape, wrap)
    name, got = ("shape", shape) if iterations is None else ("iterations", iterations)
    cells = _cells_at_peak(levels, variant, wrap=wrap, cut=shape is not None)
    refuse_memory(name, got, cells * kind.itemsize, max_bytes)

    size = 2**levels + 1
    bound = 1.0
    if variant == "spectral":
        heights = spectral_map(levels, roughness, noise, kind, wrap=wrap)
    else:
        steps = displacements(levels, roughness)
        border = make_border(corners, edges, size=size, wrap=wrap, dtype=kind)
        bound = height_bound(levels, roughness, variant=variant, start=border.start)
        if variant == "square_square":
            heights = square_square_map(steps, noise, kind, wrap=wrap)
        else:
            heights = diamond_square_map(steps, noise, kind, border=border, wrap=wrap)
    if (rows, columns) != heights.shape:
        heights = heights[:rows, :columns].copy()
    return normalize_in_place(heights, normalize, bound)


def _cells_at_peak(levels: int, variant: str, *, wrap: bool, cut: bool) -> float:
    """Return how many heights are held at once at most, as measured."""
    if variant == "spectral":
        return spectral_cells(levels, wrap=wrap)
    times = 2.05 if cut or variant == "square_square" else 1.35
    return times * 4.0 ** min(levels, 500) + 10 * BAND


def _size(
    iterations: int | None, shape: tuple[int, int] | None, wrap: bool
) -> tuple[int, int, int]:
    """Return the iterations, rows and columns that are asked for."""
    if iterations is None and shape is None:
        raise must("iterations", "be given, or else shape", None)
    if shape is None:
        levels = whole("iterations", iterations, low=1)
        size = 2 ** min(levels, 64) + 1
        return levels, size, size
    try:
        rows, columns = shape
    except (TypeError, ValueError):
        raise must("shape", "be (rows, columns)", shape) from None
    rows = whole("shape[0]", rows, low=2)
    columns = whole("shape[1]", columns, low=2)
    enough = max(1, (max(rows, columns) - 2).bit_length())
    levels = enough if iterations is None else whole("iterations", iterations, low=1)
    if levels < enough:
        raise must("iterations", f"be at least {enough} for {rows} x {columns}", iterations)
    if wrap and not rows == columns == 2**levels + 1:
        raise must("shape", f"be left out, or {2**levels + 1} x {2**levels + 1}, to wrap", shape)
    return levels, rows, columns
