"""Every search that a config may name: it runs, goes on from anywhere, and improves."""

import json

import numpy as np
import pytest

from evo import founders
from experiments import ConfigError, parse_config, resume, run, verify
from experiments.problem import Problem
from experiments.searches import SEARCHES, make_strategy

CONFIG = """
name = "search"
seed = 5

[evolution]
population = 6
generations = {generations}
search = "{search}"
chains = 2
cooling = 40
hall_of_fame = 4

[plant]
samples = 1
unseen_samples = 0
max_circles = 2000

[picture]
width = 32
height = 32
px_per_pixel = 16.0

[[fitness]]
name = "coverage"

[[guide]]
name = "symmetry"
until = 0.4

[[guide]]
name = "coverage"
low = 0.1
until = 0.8

[parallel]
jobs = {jobs}
"""
RESULTS = ("log.csv", "lineage.csv", "hall_of_fame.json")


def config_of(search, generations=12, jobs=1, **changes):
    text = CONFIG.format(search=search, generations=generations, jobs=jobs)
    return parse_config(text, overrides=[f"evolution.{k}={v}" for k, v in changes.items()])


def results(path):
    return {name: (path / name).read_bytes() for name in RESULTS}


@pytest.mark.parametrize("search", SEARCHES)
def test_going_on_with_other_jobs_gives_the_unbroken_run(search, tmp_path):
    cooling = 340 if search == "race" else 160  # race and relay change in generations 6 and 7
    whole = run(config_of(search, cooling=cooling), tmp_path / "whole")
    broken = run(config_of(search, 5, cooling=cooling), tmp_path / "broken").path
    resume(broken, generations=12, jobs=2)
    assert results(broken) == results(whole.path)
    assert whole.generation.number == 12
    assert len(whole.hall_of_fame) == 4


@pytest.mark.parametrize("search", SEARCHES)
def test_a_row_says_how_many_children_a_generation_has(search, tmp_path):
    config = config_of(search, 4, cooling=4000)  # a race has not dropped a run by then
    strategy = make_strategy(config)
    children = SEARCHES[search].children(config.evolution)
    done = run(config, tmp_path / "run").generation
    asked = strategy.ask(done.population, done.state, np.random.default_rng(1))
    assert len(asked) == children


@pytest.mark.parametrize("search", [name for name in SEARCHES if name != "ga"])
def test_only_the_genetic_search_begins_with_files(search):
    with pytest.raises(ConfigError, match=f"be a kind of founders for the search {search}, got"):
        config_of(search, founders='["a.png"]')


def test_more_chains_than_founders():
    with pytest.raises(
        ConfigError, match=r"evolution.*chains must be at most population, 6, got 7"
    ):
        config_of("annealing", chains=7)


def test_an_unknown_search_is_refused():
    with pytest.raises(ConfigError, match="evolution.search must be 'ga', 'random', '"):
        config_of("genius")


def test_the_settings_of_a_race_reach_it():
    race = make_strategy(config_of("race", runs=3, sigma=9.0, cooling=1000))
    assert (race.runs, race.evaluations) == (3, 650)
    assert (race.search.n_founders, race.search.sigma, race.search.learning) == (6, 9.0, 4.0)
    assert make_strategy(config_of("race", learning=2.5)).search.learning == 2.5
    assert make_strategy(config_of("cmaes")).learning == 1.0
    assert make_strategy(config_of("cmaes", learning=2.5)).learning == 2.5


def test_the_settings_of_a_relay_reach_it():
    relay = make_strategy(config_of("relay", cooling=1000, chains=3, temperature=0.5, sigma=9.0))
    assert relay.evaluations == relay.first.evaluations == 120
    assert (relay.first.chains, relay.first.n_founders, relay.first.temperature) == (3, 6, 0.5)
    assert (relay.second.n_founders, relay.second.sigma, relay.second.learning) == (1, 9.0, 2.0)
    assert make_strategy(config_of("relay")).second.sigma == 8.0
    assert make_strategy(config_of("cmaes")).sigma == 25.0
    with pytest.raises(ConfigError, match="chains must be at most population, 6, got 7"):
        config_of("relay", chains=7)


def test_the_settings_of_a_guided_search_reach_it():
    guided = make_strategy(config_of("guided", cooling=1000, sigma=9.0))
    assert [guide.evaluations for guide in guided.guides] == [400, 800]
    search = guided.search
    assert (search.n_founders, search.sigma, search.learning) == (6, 9.0, 2.0)
    table = np.array([[[0.9, 0.1, 0.4, 0.5]], [[0.9, 0.3, 0.2, 1.0]]])
    assert guided.guides[0].values(table).tolist() == pytest.approx([0.05, 0.3])
    assert guided.guides[1].values(table).tolist() == pytest.approx([0.2, 0.2])


def test_guides_are_evaluated_for_the_search_that_looks_at_them_alone():
    genomes = [bytes(one) for one in founders("seedling", 3, 1)]
    alone, guided = Problem(config_of("ga")), Problem(config_of("guided"))
    assert [score.name for score in alone.evaluator.columns] == ["coverage"]
    scores = [score.name for score in guided.evaluator.columns]
    assert scores == ["coverage", "symmetry", "coverage"]
    one, other = alone.evaluator(genomes), guided.evaluator(genomes)
    assert one.shape == (3, 1, 2)
    assert other.shape == (3, 1, 4)
    assert np.array_equal(guided.without_guides(other), one)
    assert np.array_equal(guided.combine(other), alone.combine(one))


def test_what_a_guided_run_leaves_speaks_of_its_fitness(tmp_path):
    path = run(config_of("guided", 4), tmp_path / "run").path
    saved = json.loads((path / "hall_of_fame.json").read_text())
    assert {tuple(entry["scores"]) for entry in saved["entries"]} == {("coverage", "frame")}
    assert verify(path) == []
    head = (path / "log.csv").read_text().splitlines()[0]
    assert "coverage_best" in head
    assert "symmetry" not in head


def test_guides_that_cannot_lead():
    without = CONFIG[: CONFIG.index("[[guide]]")].format(search="guided", generations=1)
    with pytest.raises(ConfigError, match="guide must have at least one score for the search"):
        parse_config(without)
    with pytest.raises(ConfigError, match="guide must have an `until` above that of the guide be"):
        parse_config(
            CONFIG.format(search="ga", generations=1, jobs=1), overrides=["guide.1.until=0.4"]
        )
    for until in (0, 1.01):
        with pytest.raises(ConfigError, match="guide.0.until must be "):
            parse_config(
                CONFIG.format(search="ga", generations=1, jobs=1),
                overrides=[f"guide.0.until={until}"],
            )
    with pytest.raises(ConfigError, match=r"guide must be a list, each score headed \[\[guide\]\]"):
        parse_config(f'{without.replace("guided", "ga")}\n[guide]\nname = "coverage"\nuntil = 1')
    with pytest.raises(ConfigError, match="guide.0"):
        parse_config(f'{without}\n[[guide]]\nname = "covrage"\nuntil = 1.0')


def test_the_settings_of_annealing_reach_it():
    strategy = make_strategy(config_of("annealing", temperature=0.5, chains=3))
    assert (strategy.chains, strategy.evaluations, strategy.temperature) == (3, 40, 0.5)
    assert strategy.n_founders == 6
