"""A search by other values first: what it is shown, until when, and that nothing else changes."""

import numpy as np
import pytest

from evo import Genetic, Guide, Guided, HillClimbing, Separable, evolve
from evo.checkpoint import load, save
from tests.evo.test_loop import shown


def columns(genomes):
    """Return three numbers of each genome, float64 (n, 1, 3)."""
    genes = np.frombuffer(b"".join(genomes), np.uint8).reshape(len(genomes), -1) / 255
    return np.stack([genes[:, :60].mean(1), genes[:, 60:120].mean(1), genes[:, 120:].mean(1)], 1)[
        :, np.newaxis
    ]


def column(i):
    return lambda table: table[:, 0, i]


def run(strategy, generations=9, **keywords):
    return list(
        evolve(columns, strategy, seed=3, generations=generations, combine=column(2), **keywords)
    )


class Listening(Genetic):
    """Notes the values of what it is shown."""

    seen: list  # of the class, as a strategy is frozen

    def ask(self, population, state, rng):
        self.seen.append([one.fitness.values for one in population])
        return super().ask(population, state, rng)

    def tell(self, population, state, children):
        self.seen.append([one.fitness.values for one in (*population, *children)])
        return super().tell(population, state, children)


def test_each_guide_is_looked_at_until_its_end_and_then_the_fitness():
    Listening.seen = []
    guides = (Guide(column(0), 18), Guide(column(1), 34))
    generations = run(Guided(Listening(10, elites=2), guides), 6)
    # 10 evaluations with the founders, 18 after a generation, 26 after two
    looked = [0, 1, 1, 2, 2, 2]
    people = [one.population for one in generations]
    for turn, wanted in enumerate(looked):
        before = columns(people[turn])[:, 0, wanted].tolist()
        assert Listening.seen[2 * turn] == [(value,) for value in before]
        assert Listening.seen[2 * turn + 1][:10] == Listening.seen[2 * turn]
    assert generations[-1].state["evaluations"] == 10 + 6 * 8


@pytest.mark.parametrize("search", [Genetic(8, elites=3, mutation=0.0, crossover=0.0),
                                    HillClimbing(4)])  # fmt: skip
def test_the_fitness_stays_what_it_is(search):
    for generation in run(Guided(search, (Guide(column(0), 10_000),))):
        for one in (*generation.population, *generation.newborn):
            assert one.evaluated
            assert one.fitness.values == (columns([bytes(one)])[0, 0, 2],)
            assert np.array_equal(one.scores, columns([bytes(one)])[0])
        best = max(one.fitness.values[0] for one in generation.population)
        assert generation.statistics["best"] == best
        assert generation.hall_of_fame[0].values[0] == generation.statistics["best_so_far"]


def test_a_copy_of_one_that_was_shown_has_its_own_fitness():
    strategy = Guided(Genetic(8, mutation=0.0, crossover=0.0), (Guide(column(0), 10_000),))
    rng = np.random.Generator(np.random.PCG64(1))
    people, state = strategy.init(rng)
    for one, table in zip(people, columns([bytes(one) for one in people]), strict=True):
        one.record([table[0, 2]], table, 0)
    for child in strategy.ask(people, state, rng):
        assert child.evaluated
        assert child.fitness.values == (columns([bytes(child)])[0, 0, 2],)


def test_the_search_climbs_its_guide():
    def last(guides):
        strategy = Guided(Genetic(20), guides) if guides else Genetic(20)
        return columns([bytes(one) for one in run(strategy, 60)[-1].population]).mean((0, 1))

    by_first, by_second, by_fitness = (
        last((Guide(column(0), 10**6),)),
        last((Guide(column(1), 10**6),)),
        last(()),
    )
    assert [by_first.argmax(), by_second.argmax(), by_fitness.argmax()] == [0, 1, 2]
    both = last((Guide(column(0), 600),))
    assert both[2] > both[1]


def test_behind_its_guides_a_search_is_what_it_is_alone():
    alone = run(Genetic(10), 5)
    guided = run(Guided(Genetic(10), (Guide(column(2), 1),)), 5)
    for one, other in zip(alone, guided, strict=True):
        assert list(map(bytes, one.population)) == list(map(bytes, other.population))
        assert one.statistics == other.statistics


def test_a_guide_that_ends_where_it_begins_is_never_looked_at():
    Listening.seen = []
    guides = (Guide(column(0), 3), Guide(column(1), 18), Guide(column(0), 18))
    generations = run(Guided(Listening(10, elites=2), guides), 2)
    for turn, wanted in enumerate((1, 2)):
        before = columns(generations[turn].population)[:, 0, wanted].tolist()
        assert Listening.seen[2 * turn] == [(value,) for value in before]


def test_going_on_from_a_checkpoint(tmp_path):
    pytest.importorskip("cmaes")
    strategy = Guided(Separable(10, children=7), (Guide(column(0), 20), Guide(column(1), 40)))
    whole = run(strategy, 9)
    for at in (0, 1, 2, 4, 6):
        start = load(save(tmp_path, whole[at])).generation
        assert shown(run(strategy, 9, start=start)) == shown(whole[at + 1 :])


def test_bad_guides_are_refused():
    with pytest.raises(ValueError, match=r"guides must hold at least one guide, got \(\)"):
        Guided(Genetic(), ())
    for ends in ((0,), (5, 4), (5, 5, 4)):
        with pytest.raises(ValueError, match="evaluations of a guide must be .*at least"):
            Guided(Genetic(), tuple(Guide(column(0), end) for end in ends))


def test_a_guide_without_scores_to_look_at():
    strategy = Guided(HillClimbing(2), (Guide(column(0), 9),))
    rng = np.random.Generator(np.random.PCG64(1))
    people, state = strategy.init(rng)
    for one in people:
        one.record([0.5], None, 0)
    with pytest.raises(ValueError, match="population must have the scores that a guide looks at"):
        strategy.ask(people, state, rng)
