"""Runs side by side: each as it would be alone, and the worse half dropped when it is time to."""

import numpy as np
import pytest

from evo import Annealing, Genetic, Individual, Race, RandomSearch, Separable, each, evolve
from evo.chance import stream
from tests.evo.test_separable import near

pytest.importorskip("cmaes")
RUN = Separable(5, children=6)


def generations_of(strategy, n, score=near, seed=3):
    return list(evolve(each(score), strategy, seed=seed, generations=n))


def test_the_first_run_is_that_of_the_search_alone():
    alone = generations_of(RUN, 8)
    raced = generations_of(Race(RUN, 3, 10_000), 8)
    for one, all_ in zip(alone, raced, strict=True):
        first = len(one.population)
        assert [bytes(x) for x in all_.population[:first]] == [bytes(x) for x in one.population]
        assert len(all_.population) == 3 * first
        assert all_.state["0._sigma"] == one.state["_sigma"]
    assert len({bytes(one) for one in raced[0].population}) == 15


def test_the_worse_half_is_dropped_by_the_best_of_each_run():
    raced = generations_of(Race(RUN, 5, 100), 20)
    counts = [len(one.state["left"]) for one in raced]
    used = [int(one.state["evaluations"]) for one in raced]
    # 25 founders and 30 children: 115 in generation 3; two runs: 12 each, 200 from 211 on
    assert counts == [5, 5, 5, *[2] * 8, *[1] * 10]
    assert used[:4] == [25, 55, 85, 115]
    assert used[10:12] == [199, 211]
    bests = generations_of(Race(RUN, 5, 10_000), 3)[-1].state["best"]
    assert raced[3].state["left"].tolist() == sorted(np.argsort(-bests)[:2].tolist())
    assert raced[3].state["best"].tolist() == bests[raced[3].state["left"]].tolist()
    for one in raced:
        assert {key.split(".")[0] for key in one.state if "." in key} == set(
            map(str, one.state["left"].tolist())
        )
        assert one.statistics["best_so_far"] >= one.state["best"].max()


def test_the_best_of_a_run_may_be_in_the_past():
    """A run is judged by the best that it ever had, and not by what it has now."""
    race = Race(RandomSearch(2), 2, 8)
    rng = np.random.Generator(np.random.PCG64(1))
    people, state = race.init(rng)
    scores = iter([0.9, 0.1, 0.5, 0.5])
    for one in people:
        one.record([next(scores)], None, 0)
    children = race.ask(people, state, stream(1, "variation", 1))
    for one, value in zip(children, [0.2, 0.2, 0.8, 0.8], strict=True):
        one.record([value], None, 1)
    left, state = race.tell(people, state, children)
    assert state["left"].tolist() == [0]
    assert state["best"].tolist() == [0.9]
    assert len(left) == 2


def test_runs_that_are_equally_good_stay_by_their_number():
    race = generations_of(Race(RUN, 4, 1), 1, lambda _: 0.5)[-1]
    assert race.state["left"].tolist() == [0, 1]


def test_a_fitness_that_is_no_number_is_the_worst():
    race = generations_of(Race(RUN, 2, 1), 1, lambda _: float("nan"))[-1]
    assert race.state["left"].tolist() == [0]
    assert race.state["best"].tolist() == [-np.inf]


@pytest.mark.parametrize("search", [Annealing(2, 100, 5), Genetic(6), RandomSearch(4)])
def test_any_search_can_race(search):
    last = generations_of(Race(search, 4, 25), 12)[-1]
    assert last.state["left"].size == 1
    assert last.statistics["best_so_far"] == max(last.state["best"])


def test_a_search_with_more_in_one_run_is_refused():
    race = Race(RandomSearch(3), 2, 100)
    people, state = race.init(np.random.Generator(np.random.PCG64(1)))
    with pytest.raises(ValueError, match="search must have as many members and children in each"):
        race.ask(people[:5], state, np.random.Generator(np.random.PCG64(1)))


def test_two_objectives_are_refused():
    race = Race(RandomSearch(1), 1, 100)
    both = Individual(bytes(180), 2)
    both.record([0.5, 0.5], None, 0)
    _, state = race.init(np.random.Generator(np.random.PCG64(1)))
    with pytest.raises(ValueError, match="fitness must be one number, to be raced for"):
        race.tell([both], state, [both])


@pytest.mark.parametrize(("parameter", "value"), [("runs", 0), ("evaluations", 0), ("runs", 1.5)])
def test_a_parameter_out_of_its_range(parameter, value):
    with pytest.raises(ValueError, match=f"^{parameter} must be .*, got {value!r}"):
        Race(**{"search": RUN, "runs": 2, "evaluations": 100, parameter: value})
