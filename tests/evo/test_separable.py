"""The evolution strategy: its bytes, what it learns, and that it goes on from its state alone."""

import importlib.util

import numpy as np
import pytest

from evo import Individual, Separable, each, evolve
from evo.separable import _bytes_of
from experiments import ConfigError, parse_config, run

cmaes = pytest.importorskip("cmaes")

TARGET = np.arange(180) % 97 + 60


def near(genome):
    """One minus the mean distance to a genome, of which the first level counts ten times."""
    off = np.abs(np.frombuffer(genome, np.uint8).astype(float) - TARGET)
    return 1 - (off[:18].sum() * 10 + off[18:].sum()) / (255 * (180 + 162))


def generations_of(strategy, n, score=near):
    return list(evolve(each(score), strategy, seed=3, generations=n))


def test_numbers_become_bytes_mirrored_at_both_ends():
    points = np.array([-0.6, -0.5, 0.49, 0.5, 7.0, 254.6, 255.49, 255.6, 300.0, -300.0, 512.0])
    assert _bytes_of(points).tolist() == [0, 0, 0, 1, 7, 255, 255, 255, 211, 212, 0]
    assert _bytes_of(np.array([-0.5 - 1e-18, 1e6, -1e6])).max() <= 255
    assert (_bytes_of(np.arange(256.0)) == np.arange(256)).all()
    assert (np.abs(np.diff(_bytes_of(np.arange(-2000.0, 2000.0)).astype(int))) <= 1).all()


def test_it_finds_what_a_distance_leads_to_and_learns_steps_of_its_own():
    last = generations_of(Separable(20), 400)[-1]
    assert last.statistics["best_so_far"] > 0.96
    widths = last.state["_C"]
    assert widths[:18].mean() < widths[18:].mean()


def test_faster_learning_parts_the_widths_sooner():
    def parted(learning):
        last = generations_of(Separable(20, learning=learning), 60)[-1]
        return last.state["_C"].max() / last.state["_C"].min()

    assert parted(4.0) > 1.5 * parted(1.0)
    strategy = Separable(learning=1000)._strategy(np.zeros(180), 0)
    assert strategy._c1 + strategy._cmu <= 1
    assert Separable()._strategy(np.zeros(180), 0)._cmu == cmaes.SepCMA(np.zeros(180), 1)._cmu


def test_its_steps_are_those_of_the_package_alone():
    strategy = Separable(10, sigma=12.5, children=9)
    rng = np.random.Generator(np.random.PCG64(1))
    population, state = strategy.init(rng)
    alone = None
    for number in range(6):
        for one in population:
            if not one.evaluated:
                one.record([near(bytes(one))], None, 0)
        children = strategy.ask(population, state, rng)
        if alone is None:
            best = np.frombuffer(max(population, key=near), np.uint8).astype(float)
            alone = cmaes.SepCMA(best, 12.5, population_size=9)
        going_on = strategy._going_on(population, state)
        alone._rng = going_on._rng
        assert alone.generation == number
        points = [alone.ask() for _ in range(9)]
        assert [bytes(child) for child in children] == [_bytes_of(x).tobytes() for x in points]
        alone.tell([(x, -near(bytes(c))) for x, c in zip(points, children, strict=True)])
        for child in children:
            child.record([near(bytes(child))], None, number)
        population, state = strategy.tell(population, state, children)
    assert state["_sigma"] == alone._sigma
    assert state["_C"].tolist() == alone._C.tolist()


def test_asking_and_telling_leave_the_state_as_it_was():
    strategy = Separable(6, children=5)
    rng = np.random.Generator(np.random.PCG64(1))
    population, state = strategy.init(rng)
    for one in population:
        one.record([near(bytes(one))], None, 0)
    before = {name: array.copy() for name, array in state.items()}
    children = strategy.ask(population, state, rng)
    assert children == strategy.ask(population, state, rng)
    assert all(len(child.parents) == 1 for child in children)
    for child in children:
        child.record([near(bytes(child))], None, 1)
    now, new = strategy.tell(population, state, children)
    assert [bytes(one) for one in now] == [bytes(one) for one in children]
    assert {name: array.tolist() for name, array in state.items()} == {
        name: array.tolist() for name, array in before.items()
    }
    assert new["_g"] == 1


def test_a_fitness_that_is_no_number_counts_as_the_worst():
    def patchy(genome):
        return float("nan") if genome[0] % 3 == 0 else near(genome)

    last = generations_of(Separable(20), 60, patchy)[-1]
    assert np.isfinite(last.state["_mean"]).all()
    assert last.statistics["best_so_far"] > generations_of(Separable(20), 0)[0].statistics["best"]


def test_two_objectives_are_refused():
    strategy = Separable(3, children=2)
    rng = np.random.Generator(np.random.PCG64(1))
    population, state = strategy.init(rng)
    both = [Individual(one, 2) for one in population]
    for one in both:
        one.record([0.5, 0.5], None, 0)
    children = strategy.ask(both, state, rng)
    for child in children:
        child.record([0.5, 0.5], None, 1)
    with pytest.raises(ValueError, match="fitness must be one number, to be searched by sep-CMA"):
        strategy.tell(both, state, children)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("n_founders", 0),
        ("sigma", 0),
        ("sigma", 256),
        ("children", 1),
        ("founders", "oak"),
        ("learning", 0),
    ],
)
def test_a_parameter_out_of_its_range(parameter, value):
    with pytest.raises(ValueError, match=f"^{parameter} must be .*, got {value!r}"):
        Separable(**{parameter: value})


def test_a_missing_package_names_its_extra(monkeypatch, tmp_path):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "cmaes" else find(name)
    )
    config = parse_config(
        "name='x'\nseed=1\n[evolution]\nsearch='cmaes'\n[[fitness]]\nname='coverage'"
    )
    words = r"search must have its package installed \(pip install 'evogarden\[cmaes\]'\)"
    with pytest.raises(ConfigError, match=rf"evolution\.{words}"):
        run(config, tmp_path / "out")
    assert not (tmp_path / "out").exists()
