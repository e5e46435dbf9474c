import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evo import Individual, founders
from evo.statistics import diversity, mean_and_sd, scalar, score_rows, summary

finite = st.floats(allow_nan=False, allow_infinity=False)


def person(value, scores=None, byte=0):
    one = Individual(bytes([byte]) * 180)
    one.record(value if isinstance(value, tuple) else (value,), scores, 0)
    return one


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_mean_and_sd_against_the_standard_library(values):
    mean, sd = mean_and_sd(values)
    assert mean == pytest.approx(statistics.fmean(values), rel=1e-14, abs=1e-300)
    assert sd == pytest.approx(statistics.pstdev(values), rel=1e-6, abs=1e-9)
    assert (mean, sd) == mean_and_sd(values[::-1])


@given(st.lists(finite, min_size=1, max_size=10))
def test_mean_and_sd_never_overflow(values):
    mean, sd = mean_and_sd(values)
    assert math.isfinite(mean)
    assert min(values) - abs(min(values)) * 1e-15 <= mean <= max(values) + abs(max(values)) * 1e-15
    assert sd >= 0


def test_mean_and_sd_of_special_cases():
    assert all(map(math.isnan, mean_and_sd([])))
    assert mean_and_sd([0.3]) == (0.3, 0.0)
    assert mean_and_sd([1.0, 3.0]) == (2.0, 1.0)
    assert mean_and_sd([1.5e308, 1.5e308]) == (1.5e308, 0.0)
    assert mean_and_sd([2e-200, 4e-200])[1] == pytest.approx(1e-200)
    assert mean_and_sd([0.0, 0.0]) == (0.0, 0.0)


def test_scalar():
    assert scalar((0.1,)) == 0.1
    assert scalar((-3.0,)) == -3.0
    assert scalar((0.25, 1.0)) == pytest.approx(0.5)
    assert scalar((0.0, 1.0)) == scalar((-1.0, 2.0)) == 0.0
    for wrong in ((), (math.nan,), (math.inf,), (0.5, math.nan), (0.5, math.inf)):
        assert math.isnan(scalar(wrong))


def brute_force_diversity(people):
    n = len(people)
    differ = [
        sum(a[locus] != b[locus] for i, a in enumerate(people) for b in people[:i])
        for locus in range(180)
    ]
    return sum(differ) / 180 / (n * (n - 1) / 2)


@given(st.integers(2, 9), st.integers(0, 1000), st.integers(1, 255))
def test_diversity_against_brute_force(n, seed, top):
    people = [
        Individual(bytes(byte % (top + 1) for byte in one)) for one in founders("uniform", n, seed)
    ]
    assert diversity(people) == pytest.approx(brute_force_diversity(people), abs=1e-12)


def test_diversity_of_special_cases():
    assert diversity([]) == diversity([person(1.0)]) == 0.0
    assert diversity([person(1.0)] * 5) == 0.0
    assert diversity([person(1.0, byte=b) for b in range(256)]) == 1.0
    assert diversity([person(1.0), person(1.0), person(1.0, byte=1)]) == pytest.approx(2 / 3)


def test_score_rows():
    samples = np.array([[0.2, 1.0, 9.0], [0.4, 0.0, 9.0]])
    people = [person(1.0, samples), person(1.0, samples / 2)]
    assert score_rows(people, ["a", "b"]) == {
        "a_best": pytest.approx(0.3),
        "a_mean": pytest.approx(0.225),
        "b_best": 0.5,
        "b_mean": 0.375,
    }
    assert score_rows(people, []) == {}


def test_score_rows_leave_out_what_is_not_finite():
    people = [person(1.0, np.array([0.5])), person(1.0, np.array([math.nan])), person(1.0)]
    assert score_rows(people, ["a"]) == {"a_best": 0.5, "a_mean": 0.5}
    row = score_rows(people[1:], ["a"])
    assert all(map(math.isnan, row.values()))


def test_summary():
    population = [person(0.5), person(math.nan), person(1.5), person(math.inf)]
    lost = person(9.0)
    row = summary(4, population, [*population[1:3], lost], 2.0)
    assert list(row) == [
        "generation", "evaluations", "best", "best_so_far", "mean", "std", "min", "non_finite",
        "diversity",
    ]  # fmt: skip
    assert row == {
        "generation": 4, "evaluations": 3, "best": 1.5, "best_so_far": 9.0, "mean": 1.0,
        "std": 0.5, "min": 0.5, "non_finite": 1, "diversity": 0.0,
    }  # fmt: skip


def test_summary_of_nothing_finite():
    population = [person(math.nan), person(-math.inf)]
    row = summary(0, population, population, math.nan)
    assert row["non_finite"] == 2
    for name in ("best", "best_so_far", "mean", "std", "min"):
        assert math.isnan(row[name])
    assert summary(1, population, [], 0.25)["best_so_far"] == 0.25
