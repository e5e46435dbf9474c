import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evo import Fitness, Individual, elites, tournament
from evo.selection import rank


def people(*values):
    made = []
    for i, value in enumerate(values):
        one = Individual(bytes([i % 256]) * 180)
        one.fitness = Fitness(value if isinstance(value, tuple) else (value,))
        made.append(one)
    return made


def test_rank_orders_and_breaks_ties_by_place():
    assert rank(people(0.1, 0.9, 0.9, 0.5)).tolist() == [3, 0, 1, 2]
    assert rank(people((1.0, 0.0), (1.0, 0.5), (0.0, 9.0))).tolist() == [1, 0, 2]
    assert rank([]).tolist() == []


def test_what_is_not_finite_ranks_last():
    mixed = people(math.nan, 3.0, math.inf, -1e300, -math.inf, 2.0)
    assert rank(mixed).tolist() == [3, 0, 4, 2, 5, 1]
    assert [one.fitness.values[0] for one in elites(mixed, 3)] == [3.0, 2.0, -1e300]
    fresh = [*people(0.5), Individual(bytes(180))]
    assert rank(fresh).tolist() == [0, 1]


@given(st.lists(st.floats(allow_nan=True), min_size=1, max_size=30), st.integers(0, 40))
def test_elites_against_sorting(values, n):
    kept = elites(people(*values), n)
    finite = sorted((v for v in values if math.isfinite(v)), reverse=True)
    assert len(kept) == min(n, len(values))
    got = [one.fitness.values[0] for one in kept]
    assert got[: len(finite)] == finite[:n]
    assert not any(map(math.isfinite, got[len(finite) :]))


def test_tournament_gives_members():
    population = people(0.1, 0.2, 0.3)
    picked = tournament(population, 50, 2, 1)
    assert len(picked) == 50
    assert {id(one) for one in picked} <= {id(one) for one in population}
    assert picked == tournament(population, 50, 2, np.random.default_rng(1))
    assert tournament(population, 0, 2, 1) == []


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_chances_of_a_tournament(size):
    # The one of place r of n wins with ((n - r)^k - (n - r - 1)^k) / n^k.
    n, tries = 10, 100_000
    population = people(*range(n))
    wins = np.zeros(n)
    for winner in tournament(population, tries, size, 11):
        wins[n - 1 - int(winner.fitness.values[0])] += 1
    places = np.arange(n)
    expected = ((n - places) ** size - (n - places - 1) ** size) / n**size
    assert np.abs(wins / tries - expected).max() < 5 * 0.5 / tries**0.5


def test_a_tournament_larger_than_the_population():
    assert {one.fitness.values for one in tournament(people(1.0, 2.0), 20, 64, 1)} == {(2.0,)}
    assert len(tournament(people(1.0), 5, 3, 1)) == 5


def test_nan_never_wins_against_a_number():
    population = people(math.nan, 0.0, math.nan)
    winners = tournament(population, 200, 20, 1)
    assert all(one is population[1] for one in winners)


def test_words_of_errors():
    with pytest.raises(ValueError, match="population must hold at least one individual, got 0"):
        tournament([], 1, 3, 1)
    with pytest.raises(ValueError, match="size must be a whole number of at least 1, got 0"):
        tournament(people(1.0), 1, 0, 1)
    with pytest.raises(ValueError, match="n must be a whole number of at least 0, got -1"):
        elites(people(1.0), -1)
    with pytest.raises(ValueError, match="n must be a whole number of at least 0, got -2"):
        tournament(people(1.0), -2, 3, 1)
