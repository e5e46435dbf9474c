"""What the log says of a generation: a row of numbers from a population.

Sums are `math.fsum`, so that a row does not depend on the order of summing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from evo.front import MOST_FOR_VOLUME, front, hypervolume
from evo.genome import GENOME_SIZE
from evo.individual import Individual

__all__ = [
    "diversity",
    "mean_and_sd",
    "mean_of",
    "scalar",
    "score_rows",
    "shape_diversity",
    "summary",
]


def summary(
    number: int,
    population: Sequence[Individual],
    newborn: Sequence[Individual],
    best_before: float,
    score_names: Sequence[str] = (),
) -> dict[str, float]:
    """Return the row of the log of one generation.

    Parameters
    ----------
    number : int
        Of the generation.
    population, newborn : sequences of Individual
        All evaluated; an individual that was born and not kept is in the second alone.
    best_before : float
        Best of the generations before; NaN when there is none.
    score_names : sequence of str
        See `score_rows`.

    Returns
    -------
    dict with generation, evaluations (the newborn), best, best_so_far, mean, std, min (over
    what is finite of the population; NaN of nothing), non_finite (how many newborn have a
    fitness that is not), best and mean of each score, diversity. Of several objectives best,
    mean, std and min are of their geometric mean, and front (how many nothing in the population
    dominates) and hypervolume (up to five objectives) stand before diversity.
    """
    finite = list(filter(math.isfinite, _fitnesses(population)))
    newborn_values = _fitnesses(newborn)
    seen = list(filter(math.isfinite, (best_before, *finite, *newborn_values)))
    mean, sd = mean_and_sd(finite)
    return {
        "generation": number,
        "evaluations": len(newborn),
        "best": max(finite, default=math.nan),
        "best_so_far": max(seen, default=math.nan),
        "mean": mean,
        "std": sd,
        "min": min(finite, default=math.nan),
        "non_finite": sum(not math.isfinite(value) for value in newborn_values),
        **score_rows(population, score_names),
        **_front_rows(population),
        "diversity": diversity(population),
    }


def _front_rows(population: Sequence[Individual]) -> dict[str, float]:
    values = [individual.fitness.values for individual in population]
    objectives = len(values[0]) if values else 1
    if objectives < 2:
        return {}
    best = [values[index] for index in front(values)]
    volume = {"hypervolume": hypervolume(best)} if objectives <= MOST_FOR_VOLUME else {}
    return {"front": len(best), **volume}


def _fitnesses(population: Sequence[Individual]) -> list[float]:
    return [scalar(individual.fitness.wvalues) for individual in population]


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


def mean_of(values: Sequence[float]) -> float:
    """Return the mean of finite values; NaN of no values."""
    if not values:
        return math.nan
    try:
        return math.fsum(values) / len(values)
    except OverflowError:  # halved twice or more often, without rounding
        shift = len(values).bit_length()
        total = math.fsum(math.ldexp(value, -shift) for value in values)
        return math.ldexp(total / len(values), shift)


def mean_and_sd(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation (ddof 0) of finite values; NaN of no values."""
    mean = mean_of(values)
    if not values:
        return mean, math.nan
    # Squares of huge values overflow, and those of tiny ones vanish; a power of two scales
    # without rounding.
    _, exponent = math.frexp(max(map(abs, values)))
    center = math.ldexp(mean, -exponent)
    squares = [(math.ldexp(value, -exponent) - center) ** 2 for value in values]
    return mean, math.ldexp(math.sqrt(math.fsum(squares) / len(values)), exponent)


def diversity(population: Sequence[Individual]) -> float:
    """Return the chance that two individuals differ at a locus, mean over the 180 loci.

    1 - sum c (c - 1) / (n (n - 1)) over the alleles of a locus, c of n individuals with each
    (Nei's gene diversity, 1973, from a sample without replacement); 0 for fewer than two.
    """
    n = len(population)
    if n < 2:
        return 0.0
    genomes = np.frombuffer(b"".join(population), np.uint8).reshape(n, GENOME_SIZE)
    address = genomes.astype(np.int64) + 256 * np.arange(GENOME_SIZE)
    counts = np.bincount(address.ravel(), minlength=256 * GENOME_SIZE)
    same = int((counts * (counts - 1)).sum())
    return 1.0 - same / (n * (n - 1) * GENOME_SIZE)


SAMPLE = 4
"""Individuals whose shapes are compared in each generation, drawn for it: 6 pairs."""


def shape_diversity(
    population: Sequence[Individual], distance: Callable[[bytes, bytes], float]
) -> float:
    """Return the mean distance between some individuals, each with each of the others.

    Those at up to 4 evenly spaced places of the population; 0 for fewer than two.
    """
    n = min(SAMPLE, len(population))
    sample = [bytes(population[i * len(population) // n]) for i in range(n)]
    return mean_of([distance(a, b) for a, b in combinations(sample, 2)]) if n > 1 else 0.0


def score_rows(population: Sequence[Individual], names: Sequence[str]) -> dict[str, float]:
    """Return the best and the mean of each score over a population.

    Parameters
    ----------
    population : sequence of Individual
        `scores` of shape (..., k) or more columns; the k named ones are read.
    names : sequence of k str

    Returns
    -------
    dict with "<name>_best" and "<name>_mean"; an individual's score is the mean over its
    samples. What is not finite is left out; NaN where nothing is left.
    """
    held = [individual.scores for individual in population if individual.scores is not None]
    table = np.array(held, np.float64) if names and held else np.empty((0, 1, len(names)))
    table = table.reshape(len(table), math.prod(table.shape[1:-1]), table.shape[-1])
    row = {}
    for column, name in enumerate(names):
        samples = table[:, :, column]
        rows = samples[np.isfinite(samples).all(axis=1)].tolist()
        finite = [mean_of(values) for values in rows]
        row[f"{name}_best"] = max(finite, default=math.nan)
        row[f"{name}_mean"] = mean_of(finite)
    return row
