"""What the log says of a generation: a row of numbers from a population.

Sums are `math.fsum`, so that a row does not depend on the order of summing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from evo.genome import GENOME_SIZE
from evo.individual import Individual

__all__ = ["diversity", "mean_and_sd", "scalar", "score_rows"]


def scalar(values: Sequence[float]) -> float:
    """Return the one number by which a log compares individuals.

    The value itself of a single objective; of several, their geometric mean (0 where one of
    them is not above 0), so that a front has a best as well. NaN where one is not finite.
    """
    if len(values) == 1:
        return float(values[0]) if math.isfinite(values[0]) else math.nan
    if not values or not all(map(math.isfinite, values)):
        return math.nan
    if min(values) <= 0:
        return 0.0
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def mean_and_sd(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation (ddof 0); NaN of no values."""
    if not values:
        return math.nan, math.nan
    mean = math.fsum(values) / len(values)
    return mean, math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values))


def diversity(population: Sequence[Individual]) -> float:
    """Return the chance that two individuals differ at a locus, mean over the 180 loci.

    1 - sum c (c - 1) / (n (n - 1)) over the alleles of a locus, c of n individuals with each
    (Nei's gene diversity, 1973, from a sample without replacement); 0 for fewer than two.
    """
    n = len(population)
    if n < 2:
        return 0.0
    genomes = np.frombuffer(b"".join(map(bytes, population)), np.uint8).reshape(n, GENOME_SIZE)
    address = genomes.astype(np.int64) + 256 * np.arange(GENOME_SIZE)
    counts = np.bincount(address.ravel(), minlength=256 * GENOME_SIZE)
    same = int((counts * (counts - 1)).sum())
    return 1.0 - same / (n * (n - 1) * GENOME_SIZE)


def score_rows(population: Sequence[Individual], names: Sequence[str]) -> dict[str, float]:
    """Return the best and the mean of each score over a population.

    Parameters
    ----------
    population : sequence of Individual
        `scores` of shape (samples, k + 1) or more columns; the k named ones are read.
    names : sequence of k str

    Returns
    -------
    dict with "<name>_best" and "<name>_mean"; an individual's score is the mean over its
    samples. What is not finite is left out; NaN where nothing is left.
    """
    row = {}
    for column, name in enumerate(names):
        found = [
            mean_and_sd([float(v) for v in individual.scores[..., column].ravel()])[0]
            for individual in population
            if individual.scores is not None
        ]
        finite = [value for value in found if math.isfinite(value)]
        row[f"{name}_best"] = max(finite, default=math.nan)
        row[f"{name}_mean"] = mean_and_sd(finite)[0]
    return row
