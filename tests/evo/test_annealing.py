"""Annealing: its rules against their formulas, and runs that go on from anywhere."""

import math

import numpy as np
import pytest

from evo import Annealing, Genetic, Individual, each, evolve
from evo.annealing import patience_of, temperature_at


def total(genome):
    return sum(genome) / (180 * 255)


def traps(genome):
    """Steps up that end below a higher one: a climb by single bytes stays where it is."""
    return sum(byte % 32 for byte in genome[:20]) / 620 + sum(b // 32 for b in genome[:20]) / 140


def run(strategy, generations=60, start=None, score=total, **keywords):
    return list(
        evolve(each(score), strategy, seed=4, generations=generations, start=start, **keywords)
    )


def rows(generations):
    return [
        (g.number, g.population, dict(g.statistics), g.hall_of_fame,
         {name: array.tolist() for name, array in g.state.items()})
        for g in generations
    ]  # fmt: skip


def test_the_temperature_falls_geometrically_to_its_end():
    assert temperature_at(0.5, 3, 0) == 0.5
    assert [temperature_at(1, 4, k / 4) for k in range(5)] == [1, 1 / 2, 1 / 4, 1 / 8, 1 / 16]
    assert temperature_at(1, 4, 7.5) == 1 / 16
    assert temperature_at(2, 0, 0.7) == 2
    shares = np.linspace(0, 1, 1001)
    exact = 2.0 ** (-5.5 * shares)
    found = np.array([temperature_at(1, 5.5, share) for share in shares])
    assert (np.diff(found) < 0).all()
    assert (found / exact >= 1).all()
    assert (found / exact).max() < 1.062  # a chord over half a power of two


def test_patience_is_exponential_at_powers_of_two_and_a_line_between():
    words = np.random.default_rng(1).integers(0, 2**64, 40_000, np.uint64).tolist()
    found = np.array(list(map(patience_of, words))) / math.log(2)
    for k in range(6):
        assert np.mean(found > k) == pytest.approx(2.0**-k, abs=4 * 0.5 / 200)
    assert np.mean(found[found < 1]) == pytest.approx(0.5, abs=0.01)
    assert patience_of(2**64 - 1) == pytest.approx(0)
    assert patience_of(2**63) == pytest.approx(math.log(2))
    assert math.isfinite(patience_of(0))


@pytest.mark.parametrize("chains", [1, 3])
def test_a_generation_has_a_child_of_each_chain(chains):
    generations = run(Annealing(chains, 200, n_founders=5))
    assert len(generations[0].population) == 5
    best = sorted(map(total, generations[0].population))[::-1][:chains]
    before = sorted(generations[0].population, key=total)[::-1][:chains]
    assert [total(one) for one in before] == best
    for generation in generations[1:]:
        assert len(generation.population) == chains
        for parent, now in zip(before, generation.population, strict=True):
            assert bytes(now) == bytes(parent) or now.parents == (bytes(parent),)
        before = generation.population
    assert int(generations[-1].state["evaluations"]) == 5 + 60 * chains


def test_it_climbs_where_steps_are_small():
    generations = run(Annealing(1, 700, n_founders=10, temperature=1e-4), 700)
    assert generations[-1].statistics["best_so_far"] > generations[0].statistics["best"] + 0.1


def test_a_worse_child_is_taken_as_often_as_the_temperature_says():
    """Two values a whole loss apart: taken from above with 2^-k when it is k ln 2 temperatures."""
    strategy = Annealing(1, 10**9, n_founders=1, temperature=0.01, halvings=0)
    better, worse = Individual(bytes(180)), Individual(bytes([1] + [0] * 179))
    for doublings in (1, 2, 3):
        better.record([1.0], None, 0)
        worse.record([1.0 - doublings * math.log(2) * 0.01 * 0.9999999], None, 0)
        _, state = strategy.init(np.random.Generator(np.random.PCG64(5)))
        taken = 0
        for _ in range(4000):
            (now,), state = strategy.tell([better], state, [worse])
            taken += now is worse
        assert taken / 4000 == pytest.approx(2.0**-doublings, abs=0.03)
        (now,), _ = strategy.tell([worse], state, [better])
        assert now is better


def test_loci_without_effect_are_drawn_more_rarely():
    def first_level(genome):
        return sum(genome[:18]) / (18 * 255)

    last = run(Annealing(1, 500, n_founders=1), 500, score=first_level)[-1]
    weights = last.state["weights"][0]
    assert weights[:18].mean() > 3 * weights[18:].mean()
    assert weights.min() >= 16
    assert weights.max() <= 256


@pytest.mark.parametrize("loci", [1, 3, 180])
def test_the_number_of_changed_bytes_is_geometric(loci):
    strategy = Annealing(1, n_founders=1, loci=loci)
    rng = np.random.Generator(np.random.PCG64(3))
    (founder,), state = strategy.init(rng)
    n = [
        sum(a != b for a, b in zip(strategy.ask([founder], state, rng)[0], founder, strict=True))
        for _ in range(1000 if loci < 180 else 300)
    ]
    assert min(n) >= 1
    if loci == 1:
        assert set(n) == {1}
    elif loci == 3:
        assert np.mean(n) == pytest.approx(3, abs=0.3)
    else:
        assert np.mean(n) == pytest.approx(180 * (1 - math.exp(-1)), abs=12)  # 180 at most


def test_bytes_move_by_1_to_127_and_scales_are_alike():
    strategy = Annealing(1, n_founders=1, loci=1)
    rng = np.random.Generator(np.random.PCG64(3))
    (_,), state = strategy.init(rng)
    middle = Individual(bytes([128]) * 180)
    steps = np.array([
        int(np.abs(np.frombuffer(strategy.ask([middle], state, rng)[0], np.uint8) - 128.0).max())
        for _ in range(3000)
    ])  # fmt: skip
    assert steps.min() == 1
    assert 120 < steps.max() <= 127
    counts = np.bincount(np.floor(np.log2(steps)).astype(int), minlength=7)
    assert np.allclose(counts / 3000, 1 / 7, atol=0.03)


@pytest.mark.parametrize("chains", [1, 2])
def test_going_on_gives_what_an_unbroken_run_gives(chains):
    strategy = Annealing(chains, 100, n_founders=4)
    whole = run(strategy, 40, score=traps)
    start = run(strategy, 17, score=traps)[-1]
    assert rows(run(strategy, 40, start, score=traps)) == rows(whole[18:])


def test_a_fitness_that_is_not_finite_is_left():
    def score(genome):
        return math.nan if genome[0] % 2 else total(genome)

    last = run(Annealing(1, 300, n_founders=20), 300, score=score)[-1]
    assert last.population[0][0] % 2 == 0


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"chains": 0}, "chains must"),
        ({"evaluations": 0}, "evaluations must"),
        ({"n_founders": 3, "chains": 4}, r"n_founders must be at least chains \(4\), got 3"),
        ({"temperature": 0}, "temperature must"),
        ({"temperature": math.nan}, "temperature must"),
        ({"halvings": -1}, "halvings must"),
        ({"loci": 0.5}, "loci must"),
        ({"founders": "weed"}, "founders must"),
    ],
)
def test_bad_arguments(keywords, message):
    with pytest.raises(ValueError, match=message):
        Annealing(**keywords)


def test_several_objectives_are_refused():
    def two(genomes):
        return np.ones((len(genomes), 2))

    with pytest.raises(ValueError, match="fitness must be one number"):
        list(evolve(two, Annealing(1, 10, n_founders=2), seed=1, generations=2))


def test_it_is_a_search_beside_the_genetic_one():
    assert hash(Annealing()) != hash(Genetic())
