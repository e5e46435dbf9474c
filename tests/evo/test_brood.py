"""A whole generation bred at once: child for child what the operators make one by one."""

import numpy as np
import pytest

from evo import Genetic, Individual, founders, genetic_toolbox, uniform_crossover


def _population(n):
    population = founders("seedling", n, n)
    for index, individual in enumerate(population):
        individual.record([float(index), 1.0], None, index)
    return population


def _both(population, seed, **keywords):
    """Return the children that both ways ask for, and what is left of chance."""
    n, rate, creep = len(population), keywords["mutation"], keywords["creep"]
    made = []
    alone = genetic_toolbox(3, rate, creep)
    alone.register("mate", lambda a, b, rng: uniform_crossover(a, b, rng))
    for toolbox in (None, alone):
        rng = np.random.Generator(np.random.PCG64(seed))
        children = Genetic(population=n, toolbox=toolbox, **keywords).ask(population, {}, rng)
        made.append((children, rng.bit_generator.state))
    return made


@pytest.mark.parametrize("n", [1, 2, 3, 8, 61])
@pytest.mark.parametrize("rate", [0, 0.001, 0.02, 0.4, 1])
def test_it_is_what_one_by_one_gives(n, rate):
    population = _population(n)
    for seed, (crossover, creep) in enumerate([(0, 0.5), (0.5, 0), (0.9, 0.5), (1, 1)]):
        (at_once, left), (alone, left_alone) = _both(
            population, seed, crossover=crossover, mutation=rate, creep=creep
        )
        assert at_once == alone
        assert left == left_alone  # not a word more
        for a, b in zip(at_once, alone, strict=True):
            assert (a.parents, a.operators) == (b.parents, b.operators)
            assert (a.evaluated, a.fitness.wvalues, a.born) == (
                b.evaluated,
                b.fitness.wvalues,
                b.born,
            )
            assert len(a.fitness.weights) == len(b.fitness.weights) == 2


def test_of_near_twins_too():
    """Children equal to the other parent, redrawn as they were, or mutated back to a parent."""
    genome = bytes(_population(1)[0])
    near = bytes([genome[0] ^ 1, *genome[1:]])
    population = [Individual(one) for one in (genome, near)] * 2000
    for index, individual in enumerate(population):
        individual.record([float(index), 1.0], None, index)
    for creep in (0, 1):
        (at_once, _), (alone, _) = _both(population, 3, crossover=0.9, mutation=0.005, creep=creep)
        for a, b in zip(at_once, alone, strict=True):
            assert (a.operators, a.fitness.wvalues) == (b.operators, b.fitness.wvalues)
        assert 0 < sum(one.evaluated for one in at_once) < 4000


def test_the_parents_stay_and_share_nothing():
    population = _population(12)
    before = [bytes(one) for one in population]
    (children, _), _ = _both(population, 1, crossover=0, mutation=0, creep=0.5)
    for child in children:
        child.fitness.values = (7.0, 7.0)
        child[0] ^= 1
    assert [bytes(one) for one in population] == before
    assert all(one.fitness.values[1] == 1 for one in population)


@pytest.mark.parametrize(("name", "rates"), [("mate", (0, 1)), ("mutate", (1, 0))])
def test_operators_of_a_subclass_are_used(name, rates):
    class Copying(Genetic):
        def tools(self):
            made = super().tools()
            rates = {} if name == "mate" else {"rate": 1, "creep": 0}
            made.register(name, copied, **rates)
            return made

    def copied(*parents, rng, **rates):
        return parents if len(parents) == 2 else parents[0]

    population = _population(20)
    strategy = Copying(population=20, mutation=rates[0], crossover=rates[1])
    children = strategy.ask(population, {}, np.random.Generator(np.random.PCG64(1)))
    known = {bytes(one) for one in population}
    assert all(bytes(one) in known for one in children)
