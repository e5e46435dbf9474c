import hashlib
import random

import numpy as np
import pytest
from deap import tools
from hypothesis import given
from hypothesis import strategies as st

from evo import Individual, founders, mutate, stock, uniform_crossover
from evo.operators import NUDGE

genomes = st.binary(min_size=180, max_size=180)
seeds = st.integers(0, 2**64 - 1)


def parent(genome, value=0.5):
    one = Individual(genome)
    one.record((value,), None, 0)
    return one


def test_crossover_conserves_alleles():
    a, b = parent(bytes(180)), parent(bytes([255]) * 180)
    for seed in range(100):
        c, d = uniform_crossover(a, b, seed)
        assert c.count(255) + d.count(255) == 180
        assert all(x + y == 255 for x, y in zip(c, d, strict=True))
        assert set(c) == set(d) == {0, 255}
    assert bytes(a) == bytes(180)
    assert bytes(b) == bytes([255]) * 180
    assert a.evaluated
    assert b.evaluated


@given(genomes, genomes, seeds)
def test_children_hold_their_parents_alleles(first, second, seed):
    a, b = parent(first), parent(second)
    c, d = uniform_crossover(a, b, seed)
    for locus in range(180):
        assert sorted((c[locus], d[locus])) == sorted((first[locus], second[locus]))
    assert (bytes(a), bytes(b)) == (first, second)


def test_loci_swap_independently():
    a, b = parent(bytes(180)), parent(bytes([1]) * 180)
    swaps = np.array([list(uniform_crossover(a, b, seed)[0]) for seed in range(2000)])
    assert np.abs(swaps.mean(axis=0) - 0.5).max() < 5 * 0.5 / 2000**0.5
    between = np.corrcoef(swaps.T) - np.eye(180)
    assert np.abs(between).max() < 6 / 2000**0.5


def test_children_share_no_memory():
    a, b = parent(bytes(180)), parent(bytes([9]) * 180)
    made = [*uniform_crossover(a, b, 1), mutate(a, 1, rate=0), *uniform_crossover(a, a, 1)]
    before = list(map(bytes, made))
    for locus in range(180):
        a[locus] = b[locus] = 77
    assert list(map(bytes, made)) == before
    assert len({id(one.fitness) for one in (a, b, *made)}) == 7


def test_ten_fitness_objects_for_ten_individuals():
    people = founders("uniform", 10, 1)
    for i, one in enumerate(people):
        one.fitness.values = (float(i),)
    rng = np.random.default_rng(1)
    children = [mutate(one, rng) for one in people]
    crossed = [
        one
        for a, b in zip(people[::2], people[1::2], strict=True)
        for one in uniform_crossover(a, b, rng)
    ]
    assert len({id(one.fitness) for one in [*people, *children, *crossed]}) == 30
    for child, one in zip(children, people, strict=True):
        assert child.fitness.valid == (child == one)
    assert not any(one.fitness.valid for one in crossed)
    assert [one.fitness.values for one in people] == [(float(i),) for i in range(10)]


def test_an_unchanged_child_keeps_its_evaluation():
    a = parent(bytes(180), 0.75)
    for child in (*uniform_crossover(a, a.copy(), 3), mutate(a, 3, rate=0)):
        assert child.evaluated
        assert child.fitness.values == (0.75,)
        assert child.fitness is not a.fitness


def test_children_of_several_objectives_have_as_many():
    a, b = Individual(bytes(180), 3), Individual(bytes([1]) * 180, 3)
    for child in (*uniform_crossover(a, b, 1), mutate(a, 1, rate=1)):
        assert len(child.fitness.weights) == 3


@given(genomes, seeds)
def test_rate_0_is_the_identity(genome, seed):
    assert bytes(mutate(parent(genome), seed, rate=0, creep=1)) == genome


@given(genomes, seeds)
def test_a_nudge_is_a_short_step(genome, seed):
    child = mutate(parent(genome), seed, rate=1, creep=1)
    steps = np.array(list(child)) - np.array(list(genome))
    assert np.abs(steps).max() <= NUDGE
    # A reflected step may end where it began, so zero is possible near the ends alone.
    inner = [NUDGE <= byte <= 255 - NUDGE for byte in genome]
    assert (steps[inner] != 0).all()


def mutated(genes, rate, creep, n=600):
    one = parent(genes)
    return np.array([list(mutate(one, seed, rate, creep)) for seed in range(n)]).reshape(n, 10, 18)


def chi_square(counts):
    expected = counts.sum() / counts.size
    return ((counts - expected) ** 2 / expected).sum()


def test_redrawn_bytes_are_uniform_and_independent():
    made = mutated(bytes([128]) * 180, 1.0, 0.0)
    counts = np.bincount(made.ravel(), minlength=256)
    assert len(counts) == 256
    assert counts.min() > 0
    assert 170 < chi_square(counts) < 350
    flat = made.reshape(600, 180)
    assert np.abs(np.corrcoef(flat.T) - np.eye(180)).max() < 6 / 600**0.5
    # Neither whole rows nor whole columns are one.
    assert (made.std(axis=1) > 20).all()
    assert (made.std(axis=2) > 20).all()


def test_mutated_loci_are_independent():
    hit = mutated(bytes([128]) * 180, 0.5, 1.0, 2000).reshape(2000, 180) != 128
    assert np.abs(hit.mean(axis=0) - 0.5).max() < 5 * 0.5 / 2000**0.5
    assert np.abs(np.corrcoef(hit.T) - np.eye(180)).max() < 6 / 2000**0.5


@pytest.mark.parametrize("rate", [0.02, 0.3, 1.0])
def test_the_share_of_mutated_bytes(rate):
    n = 400 * 180
    nudged = (mutated(bytes([128]) * 180, rate, 1.0, 400) != 128).mean()
    assert abs(nudged - rate) < 4 * (rate * (1 - rate) / n) ** 0.5 + 1e-12
    redrawn = (mutated(bytes([128]) * 180, rate, 0.0, 400) != 128).mean()
    assert abs(redrawn - rate * 255 / 256) < 4 * (rate / n) ** 0.5 + 1e-12


def test_creep_divides_nudges_from_redraws():
    steps = mutated(bytes([128]) * 180, 1.0, 0.75).ravel() - 128
    far = (np.abs(steps) > NUDGE).mean()
    assert abs(far - 0.25 * (256 - 33) / 256) < 0.006


def test_nudges_take_every_step_alike():
    steps = mutated(bytes([128]) * 180, 1.0, 1.0).ravel() - 128
    counts = np.bincount(steps + NUDGE, minlength=33)
    assert counts[NUDGE] == 0
    assert 5 < chi_square(np.delete(counts, NUDGE)) < 70  # 31 degrees of freedom


def test_nudges_alone_favor_no_value():
    # One of each byte stays uniform: nudges at the ends must not pile up there.
    genomes = np.tile(np.arange(256, dtype=np.uint8), 180).reshape(256, 180)
    rng = np.random.default_rng(5)
    for _ in range(30):
        genomes = np.array([list(mutate(parent(bytes(g.tolist())), rng, 1, 1)) for g in genomes])
    counts = np.bincount(genomes.ravel(), minlength=256)
    assert chi_square(counts[:NUDGE]) < 50
    assert chi_square(counts[-NUDGE:]) < 50
    assert 170 < chi_square(counts) < 350


@pytest.mark.parametrize("byte", [0, 255])
def test_bytes_never_wrap(byte):
    made = mutated(bytes([byte]) * 180, 1.0, 1.0, 100)
    assert np.abs(made - byte).max() <= NUDGE
    assert (made != byte).mean() > 0.9


def test_chance_is_pinned():
    a, b = founders("uniform", 2, 42)
    digest = hashlib.sha256(b"".join(uniform_crossover(a, b, 7)))
    digest.update(mutate(a, 7, rate=0.3, creep=0.5))
    assert digest.hexdigest()[:16] == "344b4235d617de66"


def test_one_seed_one_child_and_a_generator_goes_on():
    a = parent(bytes(180))
    assert mutate(a, 5) == mutate(a, np.random.default_rng(5))
    rng = np.random.default_rng(5)
    assert mutate(a, rng, 0.5) != mutate(a, rng, 0.5)


def test_words_of_errors():
    a = parent(bytes(180))
    with pytest.raises(
        ValueError, match="probability must be a finite number from 0 to 1, got 1.5"
    ):
        mutate(a, 1, rate=1.5)
    with pytest.raises(ValueError, match="creep must be a finite number from 0 to 1, got nan"):
        mutate(a, 1, creep=float("nan"))
    with pytest.raises(
        ValueError, match="rng must be a numpy Generator or a whole number, got None"
    ):
        uniform_crossover(a, a, None)


STOCK = {
    "cxOnePoint": (tools.cxOnePoint, 2, {}),
    "cxTwoPoint": (tools.cxTwoPoint, 2, {}),
    "cxUniform": (tools.cxUniform, 2, {"indpb": 0.5}),
    "mutUniformInt": (tools.mutUniformInt, 1, {"low": 0, "up": 255, "indpb": 0.1}),
    "mutFlipBit": (tools.mutFlipBit, 1, {"indpb": 0.1}),
    "mutShuffleIndexes": (tools.mutShuffleIndexes, 1, {"indpb": 0.1}),
    "mutInversion": (tools.mutInversion, 1, {}),
}


@pytest.mark.parametrize("name", STOCK)
def test_stock_operators(name):
    operator, n_parents, keywords = STOCK[name]
    people = founders("uniform", n_parents, 1)
    for one in people:
        one.fitness.values = (0.5,)  # by hand, as DEAP's users do
    before = list(map(bytes, people))
    random.seed(99)
    state = random.getstate()
    made = stock(operator, **keywords)(*people, rng=3)
    again = stock(operator, **keywords)(*people, rng=3)
    assert random.getstate() == state
    assert made == again
    assert list(map(bytes, people)) == before
    assert all(one.fitness.valid for one in people)
    children = [made] if n_parents == 1 else list(made)
    assert [type(child) for child in children] == [Individual] * n_parents
    assert any(bytes(child) not in before for child in children)
    for child in children:
        assert child.fitness.valid == (bytes(child) in before)
        assert all(child.fitness is not one.fitness for one in people)


def test_stock_selection_picks_members():
    people = founders("uniform", 10, 1)
    for i, one in enumerate(people):
        one.fitness.values = (float(i),)
    picked = stock(tools.selTournament, tournsize=3)(people, 6, rng=1)
    assert len(picked) == 6
    assert all(any(one is member for member in people) for one in picked)
    assert all(one.fitness.valid for one in picked)


def test_stock_takes_an_operator_that_returns_one():
    def first_byte(individual):
        individual[0] ^= 255
        return individual

    one = parent(bytes(180))
    child = stock(first_byte)(one, rng=1)
    assert child[0] == 255
    assert not child.fitness.valid
    assert one[0] == 0


def test_stock_refuses_another_length_and_restores_chance_when_it_raises():
    def shorten(individual):
        random.random()
        del individual[0]
        return (individual,)

    def broken(individual):
        random.random()
        raise RuntimeError("broken")

    random.seed(5)
    state = random.getstate()
    with pytest.raises(ValueError, match="individual must hold 180 bytes, got '179 bytes'"):
        stock(shorten)(parent(bytes(180)), rng=1)
    with pytest.raises(RuntimeError, match="broken"):
        stock(broken)(parent(bytes(180)), rng=1)
    assert random.getstate() == state
