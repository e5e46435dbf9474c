import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evo import HallOfFame, Individual


def person(byte, value, born=0, parents=()):
    one = Individual(bytes([byte]) * 180)
    one.record((value,), None, born)
    one.parents = parents
    return one


def shown(hall):
    return [(entry.genome[0], entry.values[0], entry.generation) for entry in hall.entries]


def test_the_order_is_score_then_generation_then_genome():
    hall = HallOfFame(10).updated(
        [
            person(5, 1.0, 2),
            person(4, 1.0, 2),
            person(9, 1.0, 1),
            person(1, 0.5, 0),
            person(2, 2.0, 3),
        ]
    )
    assert shown(hall) == [(2, 2.0, 3), (9, 1.0, 1), (4, 1.0, 2), (5, 1.0, 2), (1, 0.5, 0)]


def test_the_best_ever_stay():
    hall = HallOfFame(2).updated([person(1, 1.0), person(2, 2.0), person(3, 3.0)])
    assert shown(hall) == [(3, 3.0, 0), (2, 2.0, 0)]
    hall = hall.updated([person(4, 0.1, 1), person(5, 2.5, 1)])
    assert shown(hall) == [(3, 3.0, 0), (5, 2.5, 1)]


def test_no_genome_twice_and_the_first_find_counts():
    first, mother = person(1, 1.0, 0), bytes([7]) * 180
    hall = HallOfFame(5).updated([first, person(1, 1.0, 0)])
    hall = hall.updated([person(1, 1.0, 4, (mother,))])
    assert shown(hall) == [(1, 1.0, 0)]
    assert hall.entries[0].parents == ()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_never_enters(value):
    hall = HallOfFame(3)
    for one in (person(3, 3.0), person(2, 2.0), person(9, value), person(1, 1.0)):
        hall = hall.updated([one])
    assert [entry.values[0] for entry in hall.entries] == [3.0, 2.0, 1.0]
    two = Individual(bytes(180), 2)
    two.record((1.0, value), None, 0)
    assert HallOfFame(3).updated([two, Individual(bytes(180))]).entries == ()


def test_size_0_holds_none():
    assert HallOfFame(0).updated([person(1, 1.0)]).entries == ()


def test_entries_are_values_of_their_own():
    one = person(1, 1.0)
    hall = HallOfFame(1).updated([one])
    one[0] = 200
    one.fitness.values = (0.0,)
    assert shown(hall) == [(1, 1.0, 0)]


def gap(a, b):
    return abs(a[0] - b[0])


def test_min_distance_keeps_entries_apart():
    people = [person(10, 5.0), person(11, 4.0), person(20, 3.0), person(13, 2.0), person(40, 1.0)]
    hall = HallOfFame(3, gap, 3.0).updated(people)
    assert [entry.genome[0] for entry in hall.entries] == [10, 20, 13]
    assert [e.genome[0] for e in HallOfFame(3, gap, 0.0).updated(people).entries] == [10, 11, 20]
    better = hall.updated([person(12, 6.0, 1)])
    assert [entry.genome[0] for entry in better.entries] == [12, 20]


def test_a_worse_one_takes_a_place_that_came_free():
    hall = HallOfFame(2, gap, 5.0).updated([person(10, 5.0), person(16, 4.0)])
    hall = hall.updated([person(13, 6.0, 1), person(40, 3.0, 1)])
    assert shown(hall) == [(13, 6.0, 1), (40, 3.0, 1)]


def test_an_older_equal_takes_the_last_place():
    hall = HallOfFame(1).updated([person(7, 1.0, 5)])
    assert shown(hall.updated([person(9, 1.0, 3), person(8, math.nan)])) == [(9, 1.0, 3)]


def test_distance_is_asked_only_of_the_good_enough():
    asked = []

    def counted(a, b):
        asked.append((a[0], b[0]))
        return 1.0

    HallOfFame(2, counted, 0.5).updated([person(i, float(i)) for i in range(50)])
    assert asked == [(48, 49)]


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 30), st.floats(allow_nan=True)), max_size=12), max_size=8
    ),
    st.integers(0, 5),
)
def test_against_brute_force(generations, size):
    value_of = {}
    for generation in generations:
        for byte, value in generation:
            value_of.setdefault(byte, value)
    hall, first = HallOfFame(size), {}
    for number, generation in enumerate(generations):
        people = []
        for byte, _ in generation:
            first.setdefault(byte, number)
            people.append(person(byte, value_of[byte], number))
        hall = hall.updated(people)
    expected = sorted((-v, first[b], b) for b, v in value_of.items() if math.isfinite(v))[:size]
    assert [(-v, g, b) for b, v, g in shown(hall)] == expected


def test_words_of_errors():
    with pytest.raises(ValueError, match="size must be a whole number of at least 0, got -1"):
        HallOfFame(-1)
    with pytest.raises(
        ValueError, match="min_distance must be a finite number of at least 0, got -1"
    ):
        HallOfFame(1, gap, -1)
