"""From a table of scores to fitness: the only place where scores are combined.

A table is float64 (n, samples, k + 1): n genomes, their growth seeds, k scores and, last, the
frame factor. All arithmetic is elementwise and portable: the same table gives the same bits on
every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evo.checks import must, number, whole
from fitness.portable import power

if TYPE_CHECKING:
    from render import Summary

__all__ = ["FLOOR", "check_weights", "combine", "frame_factor", "separate"]

FLOOR = 0.01
"""Least value of a score in the geometric mean, so that a far-off start still has a slope."""

Table = NDArray[np.float64]


def frame_factor(summary: Summary) -> float:
    """Return (1 - off)², off = share of the plant that is centered outside the window.

    Shares are of the circles' squared diameters. 1 inside the window, 0 for a plant without
    circles. A hard limit would leave most random founders at 0, without a slope to climb.
    """
    off = whole("off", summary.off, 0)
    total = whole("total", summary.total, off)
    if total == 0:
        return 0.0
    kept = (total - off) / total
    return kept * kept


def check_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """Return weights as floats; ValueError unless each is a finite number above 0."""
    checked = []
    for weight in weights:
        value = number("weight", weight)
        if value <= 0.0:
            raise must("weight", "be above 0", weight)
        checked.append(value)
    return tuple(checked)


def _check_table(table: Table) -> Table:
    array = np.asarray(table)
    if array.dtype != np.float64 or array.ndim != 3 or array.shape[1] < 1 or array.shape[2] < 2:
        raise must("table", "be a float64 array of shape (n, samples, scores + 1)", array)
    return array


def _over_samples(values: Table, risk: float) -> Table:
    """Return max(0, mean - risk * sd) over axis 1, sd with ddof 0, summed sample by sample."""
    samples = values.shape[1]
    total = np.zeros_like(values[:, 0])
    for sample in range(samples):
        total = total + values[:, sample]
    mean: NDArray[np.float64] = total / samples
    if risk == 0.0:
        return mean
    squares = np.zeros_like(mean)
    for sample in range(samples):
        deviation = values[:, sample] - mean
        squares = squares + deviation * deviation
    cautious: NDArray[np.float64] = np.maximum(0.0, mean - risk * np.sqrt(squares / samples))
    return cautious


def combine(
    table: Table, weights: Sequence[float] | None = None, risk: float = 0.0
) -> NDArray[np.float64]:
    """Return the fitness of each genome.

    For each growth seed, frame factor * weighted geometric mean of the scores, each floored at
    0.01; over growth seeds, max(0, mean - risk * standard deviation).

    Parameters
    ----------
    table : float64 array of shape (n, samples, k + 1)
        Scores, and last the frame factor (0 for an empty plant, whose fitness so is 0).
    weights : k numbers above 0, optional
        By default equal.
    risk : float
        How many standard deviations (ddof 0) over growth seeds are taken off, at least 0.

    Returns
    -------
    float64 array of shape (n,). NaN where any value of the genome is not finite: such a score is
    never hidden behind the others.

    Raises
    ------
    ValueError
        If an argument is not of its shape, kind or range.
    """
    table = _check_table(table)
    k = table.shape[2] - 1
    weights = (1.0,) * k if weights is None else check_weights(weights)
    if len(weights) != k:
        raise must("weights", f"hold {k} numbers, one a score", f"{len(weights)} numbers")
    risk = number("risk", risk, 0.0)
    finite = np.isfinite(table)
    safe = np.where(finite, table, 0.0)
    # A common factor never matters, and dividing by the largest first keeps the sum finite.
    relative = [weight / max(weights) for weight in weights]
    mean = np.ones(table.shape[:2])
    for score, weight in enumerate(relative):
        mean = mean * power(np.maximum(FLOOR, safe[:, :, score]), weight / sum(relative))
    result = _over_samples(safe[:, :, k] * mean, risk)
    return np.where(finite.all(axis=(1, 2)), result, np.nan)


def separate(table: Table, risk: float = 0.0) -> NDArray[np.float64]:
    """Return the scores of each genome apart, for a search with several objectives.

    Parameters
    ----------
    table : float64 array of shape (n, samples, k + 1)
    risk : float

    Returns
    -------
    float64 array of shape (n, k): each score times the frame factor, and over growth seeds
    max(0, mean - risk * standard deviation). NaN where a value that it is made of is not finite.
    """
    table = _check_table(table)
    risk = number("risk", risk, 0.0)
    finite = np.isfinite(table)
    safe = np.where(finite, table, 0.0)
    result = _over_samples(safe[:, :, :-1] * safe[:, :, -1:], risk)
    return np.where((finite[:, :, :-1] & finite[:, :, -1:]).all(axis=1), result, np.nan)
