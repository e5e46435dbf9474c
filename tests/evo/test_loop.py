import hashlib
import itertools
import math
import random

import numpy as np
import pytest

import evo.loop
from evo import EvaluationError, Genetic, Individual, each, evolve, founders
from tests.evo.scorers import awkward, combine, picky, table, total

SMALL = Genetic(8)


def run(evaluate=None, strategy=SMALL, seed=1, generations=6, **keywords):
    return list(
        evolve(evaluate or each(total), strategy, seed=seed, generations=generations, **keywords)
    )


def shown(generations):
    """All that a run made, in a form that compares."""
    return [
        (
            g.number,
            [(bytes(one), repr(one.fitness.values), one.parents, one.operators, one.born)
             for one in g.population],
            [bytes(one) for one in g.newborn],
            g.hall_of_fame,
            {name: repr(value) for name, value in g.statistics.items()},
            g.improved,
            g.stop,
        )
        for g in generations
    ]  # fmt: skip


def test_a_run_is_pinned():
    # Fails when any draw, order or rule changes, and with it every run ever made.
    strategy = Genetic(11, elites=1, founders="uniform")
    last = run(each(awkward), strategy, seed=42, generations=5)[-1]
    digest = hashlib.sha256(b"".join(last.population))
    digest.update(repr(dict(last.statistics)).encode())
    assert digest.hexdigest()[:16] == "bd4ac1a090235f32"


def test_a_run_climbs():
    first, *_, last = run(strategy=Genetic(40), generations=40)
    assert last.statistics["best"] > first.statistics["best"] + 0.05


def test_numbers_and_sizes():
    generations = run()
    assert [g.number for g in generations] == list(range(7))
    assert [g.stop for g in generations] == [""] * 6 + ["generations"]
    assert [g.statistics["generation"] for g in generations] == list(range(7))
    assert all(len(g.population) == 8 for g in generations)
    assert [len(g.newborn) for g in generations] == [
        g.statistics["evaluations"] for g in generations
    ]
    assert [g.number for g in run(generations=0)] == [0]


@pytest.mark.parametrize("score", [total, awkward])
def test_every_stored_fitness_equals_a_fresh_evaluation(score):
    for generation in run(each(score), Genetic(10, mutation=0.005), generations=15):
        for one in generation.population:
            assert one.evaluated
            assert one.fitness.values == (score(bytes(one)),)
            assert float(one.scores) == score(bytes(one))
        for entry in generation.hall_of_fame:
            assert entry.values == (score(entry.genome),)


def test_only_new_bytes_are_evaluated_and_each_once():
    batches = []

    def evaluate(genomes):
        batches.append(list(genomes))
        return each(total)(genomes)

    before = set()
    for generation in evolve(evaluate, Genetic(10, mutation=0.002), seed=1, generations=20):
        batch = batches[-1] if generation.statistics["evaluations"] else []
        assert all(type(genome) is bytes and len(genome) == 180 for genome in batch)
        assert len(set(batch)) == len(batch)
        assert set(batch) == {bytes(one) for one in generation.newborn}
        assert not set(batch) & before
        before = {bytes(one) for one in generation.population}
    assert 10 < sum(map(len, batches)) < 200


def test_copies_keep_their_history():
    seen = {}
    for generation in run(strategy=Genetic(10, mutation=0.002, crossover=0.5), generations=20):
        for one in generation.newborn:
            seen[bytes(one)] = (one.parents, one.operators, one.born)
        for one in generation.population:
            assert (one.parents, one.operators, one.born) == seen[bytes(one)]
            assert bytes(one) not in one.parents


def test_nothing_is_shared_within_a_population():
    for generation in run(strategy=Genetic(10, mutation=0, crossover=0)):
        assert len({id(one) for one in generation.population}) == 10
        assert len({id(one.fitness) for one in generation.population}) == 10


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_counted_and_never_best(bad):
    def score(genome):
        return bad if genome[9] % 3 == 0 else total(genome)

    counted = 0
    for generation in run(each(score), Genetic(12, mutation=0.1), generations=10):
        expected = sum(one[9] % 3 == 0 for one in generation.newborn)
        assert generation.statistics["non_finite"] == expected
        counted += expected
        for name in ("best", "best_so_far", "mean", "std", "min", "diversity"):
            assert math.isfinite(generation.statistics[name])
        assert all(math.isfinite(entry.values[0]) for entry in generation.hall_of_fame)
        ok = [one.fitness.values[0] for one in generation.population if one[9] % 3]
        assert generation.statistics["best"] == max(ok)
        assert generation.statistics["min"] == min(ok)
    assert counted > 4


def test_a_run_of_nothing_finite_goes_on():
    generations = run(each(lambda genome: math.nan), patience=3)
    assert generations[-1].number == 3
    assert generations[-1].hall_of_fame == ()
    assert math.isnan(generations[-1].statistics["best_so_far"])


def test_the_first_finite_score_counts_as_progress():
    calls = []

    def evaluate(genomes):
        calls.append(1)
        return np.full(len(genomes), math.nan if len(calls) < 3 else -5.0)

    generations = run(evaluate, generations=20, patience=4)
    assert [g.improved for g in generations][:3] == [0, 0, 2]
    assert generations[-1].stop == "patience"
    assert generations[-1].number == 6


def test_huge_scores():
    generations = run(each(lambda genome: total(genome) * 1.7e308))
    assert all(math.isfinite(v) for g in generations for v in g.statistics.values())


def test_tables_are_combined():
    generations = run(table, combine=combine, score_names=("first", "second"))
    for generation in generations:
        for one in generation.population:
            assert one.scores.shape == (3, 3)
            assert not one.scores.flags.writeable
            assert np.array_equal(one.scores, table([one])[0])
            assert one.fitness.values == (combine(table([one]))[0],)
        row = generation.statistics
        assert row["second_best"] == pytest.approx(max(map(total, generation.population)))
        assert list(row)[-5:] == [
            "first_best", "first_mean", "second_best", "second_mean", "diversity",
        ]  # fmt: skip


def test_several_objectives():
    def evaluate(genomes):
        return np.array([[one[0] / 255, one[1] / 255] for one in genomes])

    for generation in run(evaluate):
        assert all(len(one.fitness.values) == 2 for one in generation.population)
        assert all(one.fitness.weights == (1.0, 1.0) for one in generation.population)
        best = max(math.sqrt(one[0] * one[1]) / 255 for one in generation.population)
        assert generation.statistics["best"] == pytest.approx(best)


def test_target():
    free = run(generations=30)
    goal = free[12].statistics["best_so_far"]
    generations = run(generations=30, target=goal)
    assert generations[-1].stop == "target"
    assert generations[-1].statistics["best_so_far"] >= goal
    assert all(g.statistics["best_so_far"] < goal for g in generations[:-1])
    assert shown(generations)[:-1] == shown(free)[: len(generations) - 1]
    assert len(run(target=-1.0)) == 1
    assert list(evolve(each(total), SMALL, seed=1, target=goal, start=generations[-1])) == []


def test_patience():
    generations = run(each(lambda genome: 1.0), generations=30, patience=4)
    assert [g.improved for g in generations] == [0] * 5
    assert generations[-1].stop == "patience"
    rising = run(strategy=Genetic(30), generations=15, patience=15)
    assert rising[-1].stop == "generations"
    for before, after in itertools.pairwise(rising):
        rose = after.statistics["best_so_far"] > before.statistics["best_so_far"]
        assert after.improved == (after.number if rose else before.improved)


@pytest.mark.parametrize("at", range(7))
def test_going_on_equals_the_unbroken_run(at):
    keywords = {"min_distance": 40.0, "distance": gap, "hall_of_fame": 5}
    whole = run(generations=6, **keywords)
    start = run(generations=at, **keywords)[-1]
    assert shown(whole[: at + 1])[:-1] == shown(run(generations=at, **keywords))[:-1]
    assert shown(whole[at + 1 :]) == shown(run(generations=6, start=start, **keywords))


def gap(a, b):
    return float(sum(x != y for x, y in zip(a, b, strict=True)))


def test_a_loop_that_is_stopped_and_gone_on_with():
    loop = evolve(each(total), SMALL, seed=1, generations=6)
    first = [next(loop) for _ in range(3)]
    loop.close()
    rest = list(evolve(each(total), SMALL, seed=1, generations=6, start=first[-1]))
    assert shown(first + rest) == shown(run())


def test_the_population_must_stay_as_it_was():
    loop = evolve(each(total), SMALL, seed=1)
    next(loop).population[3][5] ^= 1
    with pytest.raises(ValueError, match="population must stay as it was evaluated"):
        next(loop)


def test_the_seed_is_all_of_chance():
    assert shown(run()) == shown(run())
    assert run()[0].population != run(seed=2)[0].population
    states = random.getstate(), np.random.get_state()
    random.seed(99)
    np.random.seed(99)
    seeded = random.getstate(), np.random.get_state()[1].tolist()
    other = run()
    assert (random.getstate(), np.random.get_state()[1].tolist()) == seeded
    random.setstate(states[0])
    np.random.set_state(states[1])
    assert shown(other) == shown(run())


def test_a_seed_in_the_middle_changes_nothing():
    generations = []
    for generation in evolve(each(total), SMALL, seed=1, generations=6):
        random.seed(99)
        np.random.seed(generation.number)
        generations.append(generation)
    assert shown(generations) == shown(run())


def test_a_score_that_raises_is_named():
    with pytest.raises(EvaluationError) as raised:
        run(each(picky), Genetic(30), seed=3)
    people = founders("seedling", 30, evo.loop.stream(3, "founders", 0))
    index = next(i for i, one in enumerate(people) if one[3] % 8 == 0)
    genome = bytes(people[index]).hex()
    assert str(raised.value) == (
        f"generation 0, index {index}, genome {genome}: ValueError: no plant of {people[index][3]}"
    )


def test_a_later_generation_that_fails_is_named_and_the_last_is_left():
    made = []

    def evaluate(genomes):
        if len(made) == 3:
            raise OSError("disk on fire")
        return each(total)(genomes)

    loop = evolve(evaluate, SMALL, seed=1)
    with pytest.raises(EvaluationError, match="^generation 3, index 0, .*: OSError: disk on fire$"):
        made.extend(loop)
    assert [g.number for g in made] == [0, 1, 2]


@pytest.mark.parametrize(
    ("evaluate", "combined", "message"),
    [
        (lambda genomes: [0.5], None, "<lambda> must return numbers with a first axis of 8"),
        (
            lambda genomes: None,
            None,
            "<lambda> must return numbers with a first axis of 8, got None",
        ),
        (lambda genomes: ["3"] * 8, None, "<lambda> must return numbers"),
        (lambda genomes: np.zeros((8, 2, 2)), None, r"fitness must have shape \(n,\)"),
        (each(total), lambda rows: rows[:3], "<lambda> must return numbers with a first axis of 8"),
        (each(total), lambda rows: rows[:, 9], "too many indices"),
        (each(lambda genome: None), None, "must return a number, got None"),
        (each(lambda genome: (1, 2)), None, r"must return a number, got \(1, 2\)"),
    ],
)
def test_wrong_tables(evaluate, combined, message):
    with pytest.raises(EvaluationError, match=f"^generation 0.*{message}"):
        run(evaluate, combine=combined)


def test_too_few_columns():
    with pytest.raises(EvaluationError, match="must return a column for each of 4 scores"):
        run(table, combine=combine, score_names=("a", "b", "c", "d"))
    with pytest.raises(EvaluationError, match="evaluate must return a column for each of 1 scores"):
        run(score_names=("a",))


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"seed": -1}, "seed must be a whole number from 0 to"),
        ({"seed": 1.0}, "seed must be a whole number from 0 to"),
        ({"generations": -1}, "generations must be a whole number of at least 0, got -1"),
        ({"generations": 1.5}, "generations must be a whole number of at least 0, got 1.5"),
        ({"hall_of_fame": -1}, "size must be a whole number of at least 0, got -1"),
        ({"min_distance": -0.1}, "min_distance must be a finite number of at least 0, got -0.1"),
        ({"target": math.nan}, "target must be a finite number, got nan"),
        ({"patience": 0}, "patience must be a whole number of at least 1, got 0"),
    ],
)
def test_arguments_are_refused_before_anything_is_evaluated(keywords, message):
    def never(genomes):
        raise AssertionError("evaluated")

    with pytest.raises(ValueError, match=message):
        evolve(never, SMALL, **{"seed": 1, **keywords})


def test_a_strategy_that_makes_a_short_individual_is_refused():
    class Short(Genetic):
        def ask(self, population, state, rng):
            children = super().ask(population, state, rng)
            children[0].pop()
            return children

    with pytest.raises(ValueError, match="individual must hold 180 bytes, got '179 bytes'"):
        run(strategy=Short(8))


def test_a_fitness_that_a_strategy_made_up_is_not_believed():
    class Liar(Genetic):
        def ask(self, population, state, rng):
            children = super().ask(population, state, rng)
            for child in children:
                child[0] ^= 1
                child.fitness.values = (99.0,)
            new = Individual(bytes(180))
            new.fitness.values = (99.0,)
            return [*children[:-1], new]

    for generation in run(strategy=Liar(8)):
        assert all(one.fitness.values == (total(one),) for one in generation.population)


def test_a_generation_is_frozen():
    generation = run(generations=0)[0]
    with pytest.raises(AttributeError):
        generation.number = 3
    assert type(generation.population) is type(generation.newborn) is tuple
