"""One search after another: what is handed over, when, and that both are what they are alone."""

from itertools import pairwise

import numpy as np
import pytest

from evo import Annealing, HillClimbing, Individual, RandomSearch, Relay, Separable, each, evolve
from tests.evo.test_separable import near

pytest.importorskip("cmaes")


def generations_of(strategy, n, score=near, seed=3):
    return list(evolve(each(score), strategy, seed=seed, generations=n))


def genomes(people):
    return [bytes(one) for one in people]


def test_the_first_search_is_what_it_is_alone_and_its_best_is_kept():
    alone = generations_of(Annealing(2, 100, 10, temperature=0.1), 30)
    relay = Relay(Annealing(2, 100, 10, temperature=0.1), Separable(1), 10_000)
    together = generations_of(relay, 30)
    for one, both in zip(alone[1:], together[1:], strict=True):
        assert genomes(both.population[:-1]) == genomes(one.population)
        assert both.population[-1].fitness.values[0] == both.statistics["best_so_far"]
        assert both.statistics["best_so_far"] == one.statistics["best_so_far"]
    lost = [max(near(x) for x in one.population[:-1]) for one in together[1:]]
    assert any(a > b for a, b in pairwise(lost))  # it did step back


def test_the_second_search_goes_on_from_the_best_alone():
    together = generations_of(Relay(RandomSearch(10), Separable(1, children=7), 30), 6)
    assert [len(one.population) for one in together] == [10, 11, 1, 7, 7, 7, 7]
    handed = together[2]
    assert handed.population[0].fitness.values[0] == handed.statistics["best_so_far"]
    assert handed.statistics["best_so_far"] == max(one.statistics["best"] for one in together[:3])
    center = np.frombuffer(handed.population[0], np.uint8)
    children = np.array([np.frombuffer(one, np.uint8) for one in together[3].population])
    assert np.abs(children.astype(float) - center).mean() < 30  # widths of 25, mirrored
    assert together[3].state["1._g"] == 1
    assert together[-1].state["1._g"] == 4
    assert together[-1].state["evaluations"] == together[2].state["evaluations"] == 30


def test_the_best_may_be_a_founder():
    relay = Relay(RandomSearch(3), HillClimbing(1), 6)
    rng = np.random.Generator(np.random.PCG64(1))
    people, state = relay.init(rng)
    for one, value in zip(people, [0.1, 0.9, 0.3], strict=True):
        one.record([value], None, 0)
    children = relay.ask(people, state, rng)
    for one in children:
        one.record([0.2], None, 1)
    now, state = relay.tell(people, state, children)
    assert genomes(now) == genomes([people[1]])
    assert state["turn"] == 2


def test_a_relay_gets_further_than_its_first_search_alone():
    first = Annealing(1, 200, 20)
    relay = generations_of(Relay(first, Separable(1, sigma=8.0), 200), 380)
    alone = generations_of(Annealing(1, 4000, 20), 4000)
    used = sum(one.statistics["evaluations"] for one in relay)
    assert used <= 4000
    assert relay[-1].statistics["best_so_far"] > alone[-1].statistics["best_so_far"]


def test_two_objectives_are_refused():
    relay = Relay(Annealing(1, 10, 1), Separable(1), 1)
    rng = np.random.Generator(np.random.PCG64(1))
    people, state = relay.init(rng)
    both = [Individual(one, 2) for one in people]
    for one in both:
        one.record([0.5, 0.5], None, 0)
    children = relay.ask(both, state, rng)
    for one in children:
        one.record([0.5, 0.5], None, 1)
    with pytest.raises(ValueError, match="fitness must be one number"):
        relay.tell(both, state, children)


def test_a_budget_out_of_its_range():
    with pytest.raises(ValueError, match="^evaluations must be .*, got 0"):
        Relay(RandomSearch(1), RandomSearch(1), 0)
