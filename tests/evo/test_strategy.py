import itertools

import numpy as np
import pytest
from deap import tools

from evo import (
    Genetic,
    Individual,
    each,
    evolve,
    founders,
    genetic_toolbox,
    mutate,
    stock,
    uniform_crossover,
)
from tests.evo.scorers import total


def run(strategy, seed=1, generations=5, score=total):
    return list(evolve(each(score), strategy, seed=seed, generations=generations))


def test_children_know_their_parents():
    before = None
    for generation in run(Genetic(20, elites=2)):
        if before is None:
            assert {one.operators for one in generation.population} == {"founder"}
        else:
            known = {bytes(one) for one in before.population}
            for child in generation.newborn:
                assert len(child.parents) in (1, 2)
                assert set(child.parents) <= known
                assert child.operators in ("crossover", "mutation", "crossover+mutation")
                assert child.born == generation.number
                if child.operators == "crossover":
                    a, b = child.parents
                    assert all(c in pair for c, *pair in zip(child, a, b, strict=True))
                assert ("crossover" in child.operators) == (len(child.parents) == 2)
        before = generation


@pytest.mark.parametrize("population", [1, 2, 3, 5])
@pytest.mark.parametrize("elites", [0, 1, 2, 9])
def test_small_populations(population, elites):
    strategy = Genetic(population, elites=elites)
    for generation in run(strategy, generations=4):
        assert len(generation.population) == population
        assert len(generation.newborn) <= population
    assert strategy.n_elites == min(elites, population - 1)
    # There is always a child, however many elites are asked for.
    assert sum(g.statistics["evaluations"] for g in run(strategy, generations=20)) > population


@pytest.mark.parametrize("elites", [1, 2, 5])
def test_with_elites_the_best_never_falls(elites):
    for seed in range(5):
        best = [g.statistics["best"] for g in run(Genetic(8, elites=elites), seed, 25)]
        assert best == sorted(best)


def test_without_elites_the_best_may_fall_and_the_best_so_far_does_not():
    rows = [g.statistics for g in run(Genetic(8, elites=0, mutation=0.3), 1, 25)]
    best, so_far = ([row[name] for row in rows] for name in ("best", "best_so_far"))
    assert best != sorted(best)
    assert so_far == list(np.maximum.accumulate(best))


def test_elites_come_first_and_are_the_same_individuals():
    generations = run(Genetic(10, elites=3))
    for before, after in itertools.pairwise(generations):
        ranked = sorted(before.population, key=lambda one: -one.fitness.values[0])
        assert [id(one) for one in after.population[:3]] == [id(one) for one in ranked[:3]]


def test_degenerate_rates():
    # Without crossover and mutation a generation is copies of the one before.
    generations = run(Genetic(10, elites=0, crossover=0, mutation=0))
    for before, after in itertools.pairwise(generations):
        assert set(map(bytes, after.population)) <= set(map(bytes, before.population))
        assert after.statistics["evaluations"] == 0
    # With crossover alone no locus gets an allele that it did not have.
    first, *_, last = run(Genetic(10, elites=0, crossover=1, mutation=0), generations=10)
    had = [set(column) for column in zip(*first.population, strict=True)]
    assert all(
        byte in alleles for one in last.population for byte, alleles in zip(one, had, strict=True)
    )
    # A tournament of one picks at random: the mean does not rise.
    rates = {"elites": 0, "crossover": 0.9, "mutation": 0}
    flat = run(Genetic(200, tournament=1, **rates), generations=5)
    steep = run(Genetic(200, tournament=5, **rates), generations=5)
    assert abs(flat[-1].statistics["mean"] - flat[0].statistics["mean"]) < 0.01
    assert steep[-1].statistics["mean"] > steep[0].statistics["mean"] + 0.02


def test_the_share_of_crossovers():
    people = founders("uniform", 200, 1)
    for one in people:
        one.record((0.5,), None, 0)
    children = Genetic(2000, elites=0, crossover=0.7).ask(people, {}, np.random.default_rng(1))
    assert len(children) == 2000
    share = np.mean(["crossover" in child.operators for child in children])
    assert abs(share - 0.7) < 5 * (0.7 * 0.3 / 1000) ** 0.5


def test_own_founders():
    given = [bytes([i]) * 180 for i in range(3)]
    old = Individual(given[0])
    old.record((9.0,), None, 7)
    old.parents, old.operators = (bytes(180),), "mutation"
    strategy = Genetic(5, founders=[old, given[1], np.full((10, 18), 2, np.uint8)])
    first = run(strategy, generations=0)[0]
    assert [bytes(one) for one in first.population[:3]] == given
    assert len({bytes(one) for one in first.population}) == 5
    assert {one.operators for one in first.population} == {"founder"}
    assert {one.parents for one in first.population} == {()}
    assert {one.born for one in first.population} == {0}
    assert first.population[0].fitness.values == (0.0,)
    assert old.fitness.values == (9.0,)
    assert len(run(Genetic(2, founders=given), generations=1)[0].population) == 2


def test_a_toolbox_of_ones_own():
    toolbox = genetic_toolbox()
    toolbox.register("mate", stock(tools.cxTwoPoint))
    toolbox.register("mutate", stock(tools.mutUniformInt, low=0, up=255, indpb=0.02))
    toolbox.register("select", stock(tools.selTournament, tournsize=3))
    generations = run(Genetic(12, toolbox=toolbox), generations=6)
    for generation in generations:
        for one in generation.population:
            assert one.fitness.values == (total(one),)
    assert generations[-1].statistics["best"] > generations[0].statistics["best"]
    again = run(Genetic(12, toolbox=toolbox), generations=6)
    assert [g.population for g in again] == [g.population for g in generations]


def test_operators_that_return_their_argument():
    toolbox = genetic_toolbox()
    toolbox.register("mate", lambda a, b, rng: (a, b))
    toolbox.register("mutate", lambda individual, rng: individual)
    generations = run(Genetic(6, elites=0, toolbox=toolbox))
    last = generations[-1].population
    assert len({id(one) for one in last}) == len({id(one.fitness) for one in last}) == 6


def test_an_operator_that_changes_its_parents_is_found_out():
    def in_place(individual, rng):
        individual[0] ^= 255
        return individual

    toolbox = genetic_toolbox()
    toolbox.register("mutate", in_place)
    with pytest.raises(
        ValueError, match="population must stay as it was evaluated, got .a change at index "
    ):
        run(Genetic(6, elites=0, crossover=0, toolbox=toolbox))


def test_a_mutation_of_deaps_needs_stock():
    toolbox = genetic_toolbox()
    toolbox.register("mutate", lambda individual, rng: (individual,))
    with pytest.raises(ValueError, match=r"mutate must return an Individual \(see evo.stock\)"):
        run(Genetic(6, toolbox=toolbox))


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"population": 0}, "population must be a whole number of at least 1, got 0"),
        ({"population": 5.0}, "population must be a whole number of at least 1, got 5.0"),
        ({"elites": -1}, "elites must be a whole number of at least 0, got -1"),
        ({"tournament": 0}, "tournament must be a whole number of at least 1, got 0"),
        ({"crossover": 1.1}, "crossover must be a finite number from 0 to 1, got 1.1"),
        ({"mutation": "0.1"}, "mutation must be a finite number from 0 to 1, got '0.1'"),
        ({"creep": float("nan")}, "creep must be a finite number from 0 to 1, got nan"),
        ({"founders": "sedling"}, "founders must be one of 'seedling', 'uniform'"),
        ({"founders": [bytes(179)]}, "genome must hold 180 bytes, got 179 bytes"),
        ({"founders": [3]}, "genome must be a uint8 array"),
    ],
)
def test_words_of_errors(keywords, message):
    with pytest.raises(ValueError, match=message):
        Genetic(**keywords)


def test_operators_agree_with_the_default_toolbox():
    toolbox = genetic_toolbox(3, 0.02, 0.5)
    a, b = founders("uniform", 2, 1)
    assert toolbox.mate(a, b, rng=1) == uniform_crossover(a, b, 1)
    assert toolbox.mutate(a, rng=1) == mutate(a, 1, 0.02, 0.5)
    assert [g.population for g in run(Genetic(9, toolbox=toolbox))] == [
        g.population for g in run(Genetic(9))
    ]
