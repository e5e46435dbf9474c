"""Searches to compare with: each climbs, keeps its best, and goes on from any generation."""

import itertools

import pytest

from evo import HillClimbing, RandomSearch, each, evolve

SEARCHES = {
    "random": RandomSearch(population=12),
    "hill": HillClimbing(n_founders=6, mutation=0.01),
}


def total(genome):
    return sum(genome) / (180 * 255)


def run(name, generations=30, start=None):
    return list(evolve(each(total), SEARCHES[name], seed=4, generations=generations, start=start))


def rows(generations):
    return [(g.number, g.population, dict(g.statistics), g.hall_of_fame) for g in generations]


@pytest.mark.parametrize("name", SEARCHES)
def test_the_best_never_falls_and_stays_in_the_population(name):
    generations = run(name)
    best = [g.statistics["best"] for g in generations]
    assert best == sorted(best)
    assert best[-1] > best[0]
    assert [g.statistics["best_so_far"] for g in generations] == best


@pytest.mark.parametrize("name", SEARCHES)
def test_going_on_gives_what_an_unbroken_run_gives(name):
    whole = run(name, 8)
    start = run(name, 3)[-1]
    assert rows(run(name, 8, start)) == rows(whole[4:])


def test_random_search_draws_new_founders_beside_its_best():
    first, second, *_ = run("random", 3)
    assert len(second.population) == 12
    kept = set(map(bytes, first.population)) & set(map(bytes, second.population))
    assert kept <= {max(map(bytes, first.population), key=total)}
    assert {one.operators for one in second.newborn} == {"founder"}


def test_a_hill_climb_asks_for_one_mutant_that_differs():
    generations = run("hill", 20)
    for before, after in itertools.pairwise(generations):
        assert len(after.population) == 1
        parent = max(before.population, key=total)
        (now,) = after.population
        if bytes(now) != bytes(parent):
            assert now.parents == (bytes(parent),)
            assert total(now) >= total(parent)


def test_an_equal_mutant_takes_its_parents_place():
    climb = HillClimbing(n_founders=1, mutation=0.5)
    *_, last = evolve(each(lambda genome: 0.5), climb, seed=1, generations=1)
    (now,) = last.population
    assert now.operators == "mutation"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RandomSearch(population=0), "population must be a whole number of at least 1"),
        (lambda: HillClimbing(n_founders=0), "n_founders must be a whole number of at least 1"),
        (lambda: HillClimbing(mutation=0.0), "mutation must be a finite number from 0.0001 to 1"),
        (lambda: HillClimbing(creep=2), "creep must be a finite number from 0 to 1"),
    ],
)
def test_words_of_errors(make, message):
    with pytest.raises(ValueError, match=message):
        make()
