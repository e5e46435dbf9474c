"""What a decoded file holds, the checks on it, and the steps of whole-number formats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evo.checks import choice, must, number, real_array

__all__ = ["Grid", "checked_map", "from_steps", "height_range", "refuse_shape", "to_steps"]


@dataclass(frozen=True)
class Grid:
    """Decoded heights.

    Parameters
    ----------
    values : array of numbers, of any shape
        Row 0 is the top.
    missing : bool array of the same shape, optional
        Cells that the format marks as NoData; cells that are not finite are added later.
    """

    values: NDArray[np.generic]
    missing: NDArray[np.bool_] | None = None


def height_range(
    lo: float | None, hi: float | None, *, default: tuple[float, float]
) -> tuple[float, float]:
    """Return the heights of the first and last step: those given, else the default ones."""
    low = number("lo", default[0] if lo is None else lo)
    high = number("hi", default[1] if hi is None else hi)
    if not np.isfinite(high - low):
        raise must("hi", "be a finite height above lo", high)
    if high < low:
        raise must("hi", f"be at least lo, {low}", high)
    return low, high


def to_steps(heights: NDArray[np.float64], lo: float, hi: float) -> NDArray[np.uint16]:
    """Return u16 = round(65535 (h - lo) / (hi - lo)); 0 where hi equals lo.

    Heights outside [lo, hi] are refused, never cut.
    """
    lowest, highest = float(heights.min()), float(heights.max())
    if lowest < lo or highest > hi:
        raise must("heights", f"lie from lo to hi, {lo} to {hi}", (lowest, highest))
    if hi == lo:
        return np.zeros(heights.shape, np.uint16)
    steps = (heights - lo) / (hi - lo)
    steps *= 65535.0
    return np.rint(steps, out=steps).astype(np.uint16)


def from_steps(steps: NDArray[np.unsignedinteger], lo: float, hi: float) -> NDArray[np.float64]:
    """Return the heights that unsigned steps stand for: 0 is lo, the dtype's largest value hi."""
    heights = steps.astype(np.float64)
    heights /= np.iinfo(steps.dtype).max
    heights *= hi - lo
    heights += lo
    return heights


def refuse_shape(values: NDArray[np.generic]) -> None:
    """Refuse what is not a map: two dimensions of real numbers, each at least 2."""
    if values.dtype.kind not in "iuf":
        raise must("heights", "be real numbers", values)
    if values.ndim != 2 or min(values.shape) < 2:
        raise must("heights", "have two dimensions, each at least 2", values)


def checked_map(grid: Grid, fill: float | str | None) -> NDArray[np.float64]:
    """Return a decoded map as float64, its NoData cells refused or filled."""
    refuse_shape(grid.values)
    values = grid.values
    missing = ~np.isfinite(values)
    if grid.missing is not None:
        missing |= grid.missing
    zero = values.dtype.type(0)
    heights = real_array("heights", np.where(missing, zero, values)).astype(np.float64)
    count = int(np.count_nonzero(missing))
    if fill is not None and not isinstance(fill, str):
        number("fill", fill)
    elif fill is not None:
        choice("fill", fill, ("nearest",))
    if not count:
        return heights
    if fill is None:
        requirement = f"have no NoData cells unless fill says what they become; of {heights.size}"
        raise must("heights", requirement, count)
    if fill != "nearest":
        heights[missing] = fill
        return heights
    if count == heights.size:
        raise must("heights", "have a cell with data to fill from", f"{count} NoData cells")
    from scipy.ndimage import distance_transform_edt

    rows, columns = distance_transform_edt(missing, return_distances=False, return_indices=True)
    filled: NDArray[np.float64] = heights[rows, columns]
    return filled
