"""NSGA-II and fronts: against brute force, and what ends a front must keep."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evo import Genetic, HallOfFame, Individual, Pareto, evolve
from evo.front import front, hypervolume, spread
from evo.pareto import crowded_tournament
from evo.statistics import shape_diversity

ROWS = st.lists(st.tuples(*[st.integers(0, 6).map(float)] * 3), max_size=20)


def person(byte, *values):
    one = Individual(bytes([byte]) * 180)
    one.record(values, None, 0)
    return one


def two(genomes):
    """Two scores that pull apart: large first bytes, small ones."""
    rows = np.array([list(genome[:4]) for genome in genomes], float) / 255
    return np.stack([rows.mean(axis=1), 1 - rows.mean(axis=1) ** 2], axis=1)


@given(ROWS)
def test_a_front_against_brute_force(rows):
    def beaten(row):
        return any(o != row and all(a >= b for a, b in zip(o, row, strict=True)) for o in rows)

    expected = [i for i, row in enumerate(rows) if not beaten(row) and row not in rows[:i]]
    assert front(rows) == expected


@given(ROWS)
def test_a_hypervolume_against_counting_cells(rows):
    cells = {
        (x, y, z)
        for a, b, c in rows
        for x in range(int(a))
        for y in range(int(b))
        for z in range(int(c))
    }
    assert hypervolume(rows) == len(cells)


def test_what_is_not_finite_is_on_no_front():
    assert front([(float("nan"), 9.0), (1.0, 1.0), (float("inf"), 0.0)]) == [1]


def test_a_front_is_cut_to_its_ends_and_what_lies_apart():
    line = [(i / 10, 1 - i / 10) for i in range(11)]
    assert sorted(spread(line, 3)) == [0, 5, 10]
    assert sorted(spread(line, 99)) == list(range(11))
    assert sorted(spread(line, 99, lambda i, kept: all(abs(i - j) > 3 for j in kept))) == [0, 5, 10]


def test_the_hall_of_fame_is_the_front_without_twins():
    people = [person(1, 0.1, 0.9), person(2, 0.9, 0.1), person(3, 0.5, 0.5), person(4, 0.4, 0.5)]
    hall = HallOfFame(9).updated([*people, person(5, 0.5, 0.5), person(1, 0.1, 0.9)])
    assert [entry.genome[0] for entry in hall.entries] == [2, 3, 1]
    assert [e.genome[0] for e in hall.updated([person(6, 0.5, 0.95)]).entries] == [2, 6]
    near = HallOfFame(9, lambda a, b: abs(a[0] - b[0]), 2.0).updated(people)
    assert [entry.genome[0] for entry in near.entries] in ([2], [3, 1])


def test_tournaments_prefer_the_first_front_then_the_lonely():
    crowd = [person(i, 0.5 + i / 1000, 0.5 - i / 1000) for i in range(5)]
    ends = [person(8, 1.0, 0.0), person(9, 0.0, 1.0)]
    weak = [person(10, 0.1, 0.1), person(11, float("nan"), 5.0)]
    won = crowded_tournament([*weak, *crowd, *ends], 50, 60, 3)
    assert {one[0] for one in won} == {8, 9}


def test_survivors_are_deaps_choice_and_twins_come_last():
    population = [person(1, 1.0, 0.0), person(2, 0.4, 0.4), person(3, 0.0, 1.0)]
    children = [person(1, 1.0, 0.0), person(4, 0.5, 0.5), person(5, float("nan"), 9.0)]
    kept, _ = Pareto(3).tell(population, {}, children)
    assert {one[0] for one in kept} == {1, 3, 4}
    kept, _ = Pareto(6).tell(population, {}, children)
    assert [one[0] for one in kept][-2:] == [5, 1]


def test_it_spreads_over_a_front_and_leaves_the_global_state_alone():
    state = random.getstate()
    *_, last = evolve(two, Pareto(20), seed=1, generations=30, hall_of_fame=8)
    assert random.getstate() == state
    assert len(last.population) == 20
    assert len(last.hall_of_fame) == 8
    values = [entry.values for entry in last.hall_of_fame]
    assert max(a for a, _ in values) > 0.7
    assert min(a for a, _ in values) < 0.2
    assert values == sorted(values, reverse=True)
    assert last.statistics["front"] >= 15
    *_, again = evolve(two, Pareto(20), seed=1, generations=30, hall_of_fame=8)
    assert again.hall_of_fame == last.hall_of_fame


@pytest.mark.parametrize("population", [1, 2, 3, 5])
def test_small_populations(population):
    *_, last = evolve(two, Pareto(population), seed=1, generations=3)
    assert len(last.population) == population


def test_children_fill_the_places_of_given_founders():
    given_ = [bytes([7]) * 180, bytes([200]) * 180]
    people, _ = Genetic(9, founders=given_, mutation=0.0, fill="children").init(
        np.random.default_rng(1)
    )
    assert len(people) == 9
    assert [bytes(one) for one in people[:2]] == given_
    for child in people[2:]:
        assert set(child) <= {7, 200}
        assert child.parents
    people, _ = Genetic(4, founders=given_[:1], mutation=1.0, fill="children").init(
        np.random.default_rng(1)
    )
    assert all(one.parents == (given_[0],) and bytes(one) != given_[0] for one in people[1:])
    with pytest.raises(ValueError, match="fill must be one of"):
        Genetic(fill="weeds")


def test_shape_diversity_is_the_mean_over_pairs():
    people = [person(i, 0.0) for i in (0, 10, 40)]
    assert shape_diversity(people, lambda a, b: abs(a[0] - b[0])) == pytest.approx(80 / 3)
    assert shape_diversity(people[:1], lambda a, b: 1.0) == 0.0
    asked = []
    shape_diversity([person(i, 0.0) for i in range(100)], lambda a, b: asked.append(a) or 0.5)
    assert len(asked) == 6
