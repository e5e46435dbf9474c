import copy
import math
import multiprocessing
import pickle

import joblib
import numpy as np
import pytest
from deap import tools

from evo import Fitness, Individual, founders
from evo.individual import check_length

FLOATS = [0.1, 1 / 3, -0.0, 5e-324, 1.7976931348623157e308, 0.30000000000000004, -2.5, float("inf")]


def evaluated(genome=None, values=(0.5,)):
    individual = Individual(bytes(180) if genome is None else genome, len(values))
    individual.record(values, np.array([[0.25, 0.75]]), 3)
    individual.parents = (bytes(180),)
    individual.operators = "mutation"
    return individual


def same(a, b):
    assert type(a) is type(b) is Individual
    assert a == b
    assert a is not b
    assert a.fitness is not b.fitness
    assert a.fitness.values == b.fitness.values
    assert a.fitness.weights == b.fitness.weights
    assert a.evaluated == b.evaluated
    assert np.array_equal(a.scores, b.scores)
    assert (a.parents, a.operators, a.born) == (b.parents, b.operators, b.born)


@pytest.mark.parametrize("value", FLOATS)
def test_fitness_gives_back_its_floats(value):
    for number in (value, np.float64(value)):
        held = Fitness((number, 1.0, number)).values
        assert [np.float64(v).tobytes() for v in held] == [
            np.float64(v).tobytes() for v in (value, 1.0, value)
        ]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_fitness_keeps_its_objectives(n):
    empty = Fitness(n=n)
    assert not empty.valid
    full = Fitness([0.25] * n)
    for fitness in (empty, full):
        for twin in (
            copy.copy(fitness),
            copy.deepcopy(fitness),
            pickle.loads(pickle.dumps(fitness)),
        ):
            assert type(twin) is Fitness
            assert twin is not fitness
            assert twin.weights == (1.0,) * n
            assert twin.values == fitness.values
    del full.values
    assert not full.valid
    assert full.weights == (1.0,) * n
    full.values = [0.5] * n
    assert full.values == (0.5,) * n


def test_fitness_compares_as_deap_does():
    assert Fitness((0.5,)) > Fitness((0.25,))
    assert Fitness((0.5, 0.5)).dominates(Fitness((0.5, 0.25)))
    with pytest.raises(ValueError, match="n must be a whole number of at least 1, got 0"):
        Fitness(n=0)


def test_copies_share_nothing():
    one = evaluated()
    for twin in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one)), one.copy()):
        same(one, twin)
        twin[0] = 255
        twin.fitness.values = (9.0,)
        assert one[0] == 0
        assert one.fitness.values == (0.5,)


def test_a_changed_byte_ends_the_evaluation():
    one = evaluated()
    assert one.evaluated
    one[7] = 1
    assert not one.evaluated
    one[7] = 0
    assert one.evaluated
    one.forget()
    assert not one.evaluated
    assert not one.fitness.valid
    assert one.scores is None


def test_fitness_set_by_hand_is_not_an_evaluation():
    one = Individual(bytes(180))
    one.fitness.values = (1.0,)
    assert one.fitness.valid
    assert not one.evaluated


def test_genes_are_a_read_only_view():
    one = Individual(bytes(range(180)))
    assert one.genes.shape == (10, 18)
    assert one.genes[1, 2] == 20
    with pytest.raises(ValueError, match="read-only"):
        one.genes[0, 0] = 1
    one[20] = 99
    assert one.genes[1, 2] == 99


def test_the_genome_is_copied():
    genes = np.zeros((10, 18), np.uint8)
    one = Individual(genes)
    genes[0, 0] = 5
    assert one[0] == 0


def test_another_length_is_refused():
    with pytest.raises(ValueError, match="genome must hold 180 bytes, got 179 bytes"):
        Individual(bytes(179))
    with pytest.raises(ValueError, match="genome must be a uint8 array"):
        Individual(np.zeros((10, 18)))
    short = Individual(bytes(180))
    del short[0]
    with pytest.raises(ValueError, match="individual must hold 180 bytes, got '179 bytes'"):
        check_length(short)


def test_repr():
    assert repr(Individual(bytes(180))) == "<Individual 00000000... not evaluated>"
    assert repr(evaluated()) == "<Individual 00000000... (0.5,)>"


def there_and_back(individual):
    return individual


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_individuals_travel_twice():
    # DEAP's creator classes come back as another class, or not at all, the second time.
    people = [evaluated(bytes([i]) * 180, (i / 7, 0.5, 0.25)) for i in range(5)]
    once = joblib.Parallel(n_jobs=2, backend="loky")(
        joblib.delayed(there_and_back)(one) for one in people
    )
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        twice = pool.map(there_and_back, once)
    for one, other in zip(people, twice, strict=True):
        same(one, other)
    joblib.externals.loky.get_reusable_executor().shutdown(wait=True)


def test_deaps_tools_work_on_them():
    people = founders("uniform", 20, 1)
    for i, one in enumerate(people):
        one.fitness = Fitness((i / 20, (20 - i) / 20))
    statistics = tools.Statistics(lambda one: one.fitness.values[0])
    statistics.register("max", max)
    logbook = tools.Logbook()
    logbook.record(generation=0, **statistics.compile(people))
    assert logbook.select("max") == [0.95]
    chosen = tools.selNSGA2(people, 5)
    assert len(chosen) == 5
    assert all(hasattr(one.fitness, "crowding_dist") for one in chosen)
    hall = tools.HallOfFame(3)
    hall.update(people)
    assert [one.fitness.values[0] for one in hall] == [0.95, 0.9, 0.85]
    assert all(type(one) is Individual for one in hall)
    front = tools.ParetoFront()
    front.update(people)
    assert len(front) == 20


@pytest.mark.parametrize("values", [[0.5], [math.nan], [0.25, math.inf], [-0.0]])
def test_a_fitness_from_outside_is_not_an_evaluation(values):
    one = Individual(bytes(180), len(values))
    one.record(values, None, 0)
    assert one.evaluated
    assert one.copy().evaluated
    one.fitness.values = tuple(2 + value for value in range(len(values)))
    assert not one.evaluated


def test_recorded_scores_do_not_change():
    scores = np.array([0.5, 0.25])
    one = Individual(bytes(180))
    one.record([0.5], scores, 0)
    scores[0] = 9
    assert one.scores.tolist() == [0.5, 0.25]
    assert not one.scores.flags.writeable
