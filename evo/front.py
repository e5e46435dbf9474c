"""Fronts: of several rows of values, higher is better, those that no other one dominates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from evo.checks import must

__all__ = ["MOST_FOR_VOLUME", "front", "hypervolume", "spread"]

MOST_FOR_VOLUME = 5
"""Objectives up to which a hypervolume is quick: its cost grows exponentially with them."""

Values: TypeAlias = Sequence[Sequence[float]]


def front(values: Values) -> list[int]:
    """Return the indices of what nothing dominates, in rising order.

    A row dominates another that it equals or exceeds in each value and exceeds in one. Of equal
    rows the first counts; a row with a value that is not finite never does.

    Parameters
    ----------
    values : sequence of n sequences of k floats, higher is better
    """
    found: list[int] = []
    rows = np.array([tuple(row) for row in values], np.float64)
    if not rows.size:
        return found
    finite = np.isfinite(rows).all(axis=1)
    seen: set[tuple[float, ...]] = set()
    for index in np.flatnonzero(finite).tolist():
        row = rows[index]
        better = finite & (rows >= row).all(axis=1) & (rows > row).any(axis=1)
        if not better.any() and tuple(row.tolist()) not in seen:
            seen.add(tuple(row.tolist()))
            found.append(index)
    return found


def hypervolume(values: Values) -> float:
    """Return the volume between 0 and a front: what at least one row reaches in each value.

    For up to `MOST_FOR_VOLUME` objectives, rounded to 9 decimals, so that it is the same wherever
    it is computed. Values below 0 count as 0. By moocore's algorithm (C. M. Fonseca, L. Paquete
    and M. López-Ibáñez 2006, "An Improved Dimension-Sweep Algorithm for the Hypervolume
    Indicator").
    """
    rows = [tuple(max(0.0, float(v)) for v in values[index]) for index in front(values)]
    if not rows or not any(all(row) for row in rows):
        return 0.0
    if len(rows[0]) > MOST_FOR_VOLUME:
        raise must("values", f"have at most {MOST_FOR_VOLUME} objectives", len(rows[0]))
    from moocore import hypervolume as volume  # imported late: only a front asks for it

    return round(float(volume(-np.array(sorted(rows)), ref=np.zeros(len(rows[0])))), 9)


def spread(
    values: Values, size: int, far: Callable[[int, Sequence[int]], bool] | None = None
) -> list[int]:
    """Return which rows of a front to keep so that they lie as far apart as they can.

    First the best row of each value, then always the row whose nearest kept one is farthest, by
    its largest difference in a value as a share of the value's range. Equal ones by their
    place.

    Parameters
    ----------
    values : sequence of n sequences of k floats, all finite
    size : int
        How many to keep at most.
    far : callable, optional
        From an index and the kept ones to whether it may stand beside them.

    Returns
    -------
    list of int, in the order of choice.
    """
    rows = np.array([tuple(row) for row in values], np.float64)
    kept: list[int] = []
    if not rows.size:
        return kept
    width = rows.max(axis=0) - rows.min(axis=0)
    scaled = (rows - rows.min(axis=0)) / np.where(width > 0, width, 1.0)
    open_ = np.ones(len(rows), np.bool_)
    nearest = np.full(len(rows), math.inf)
    ends = [int(column.argmax()) for column in rows.T]
    while len(kept) < size and open_.any():
        index = ends.pop(0) if ends else int(np.where(open_, nearest, -1.0).argmax())
        if not open_[index]:
            continue
        open_[index] = False
        if far is None or far(index, kept):
            kept.append(index)
            nearest = np.minimum(nearest, np.abs(scaled - scaled[index]).max(axis=1))
    return kept
