"""Comparing searches: budgets kept to the evaluation, the same trials whoever makes them."""

import csv
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from filelock import FileLock
from PIL import Image

from evo import EvaluationError
from experiments import ConfigError, RunError, parse_config
from experiments.comparison import Comparison, Contender, Trial, compare, contenders
from experiments.comparison.compare import rank_sum
from experiments.comparison.output import write
from experiments.comparison.trial import identity, run_trial
from experiments.config_file import dump_config
from experiments.problem import Problem
from render import read_genome

ALL = "random, hill, ga, ga crossover=0 population=5, cmaes, annealing"


def config_of(tiny, *overrides):
    return parse_config(dump_config(tiny), overrides=overrides)


def files(path):
    return {
        file.relative_to(path): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.name != ".lock"
    }


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def trial(label, seed, *steps):
    return Trial(label, seed, 100, steps, "", "")


def test_a_trial_is_the_run_of_its_seed(tiny, finished):
    found = run_trial("ga", dump_config(tiny), 30)
    rows = read(finished / "log.csv")
    done = np.cumsum([int(row["evaluations"]) for row in rows])
    kept = done <= 30
    assert kept.sum() >= 3
    best = [float(row["best_so_far"]) for row in rows]
    assert found.best_at(done[kept]).tolist() == np.array(best)[kept].tolist()
    problem = Problem(tiny)
    genome = bytes.fromhex(found.genome)
    assert problem.combine(problem.evaluator([genome])).tolist() == [found.best]


def test_only_the_budget_counts(tiny):
    seen = run_trial("random", dump_config(config_of(tiny, "evolution.search=random")), 21)
    text = dump_config(config_of(tiny, "evolution.search=random"))
    for budget in (1, 7, 8, 9, 20):
        short = run_trial("random", text, budget)
        assert short.steps == tuple(step for step in seen.steps if step[0] <= budget)


def test_a_search_that_stands_still_ends(tiny):
    still = config_of(tiny, "evolution.mutation=0.0", "evolution.crossover=0.0")
    assert len(run_trial("ga", dump_config(still), 100).steps) <= 8


def test_where_the_trials_are_made_is_without_effect(tiny, tmp_path):
    one = compare(tiny, ALL, repeats=2, evaluations=20, out=tmp_path / "one")
    two = compare(
        config_of(tiny, "parallel.jobs=2"), ALL, repeats=2, evaluations=20, out=tmp_path / "two"
    )
    assert one.trials == two.trials
    write(one)
    write(two)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_a_comparison_goes_on_with_what_is_missing(tiny, tmp_path):
    said = []
    first = compare(
        tiny, "ga, hill", repeats=2, evaluations=20, out=tmp_path / "a", say=said.append
    )
    assert [line.split(": ")[0] for line in said] == [
        "1/4  ga, seed 5", "2/4  hill, seed 5", "3/4  ga, seed 6", "4/4  hill, seed 6",
    ]  # fmt: skip
    (tmp_path / "a" / "trials" / "hill-6.json").unlink()
    said.clear()
    again = compare(
        tiny, "ga, hill, random", repeats=2, evaluations=20, out=tmp_path / "a", say=said.append
    )
    assert [line.split(": ")[0] for line in said] == [
        "4/6  random, seed 5", "5/6  hill, seed 6", "6/6  random, seed 6",
    ]  # fmt: skip
    assert again.trials[:2] == first.trials


def test_trials_of_another_comparison_are_refused(tiny, tmp_path):
    compare(tiny, "ga", repeats=1, evaluations=10, out=tmp_path)
    before = files(tmp_path)
    changed = ["plant.samples=1", "evolution.mutation=0.5", "fitness.0.weight=2.0"]
    for other in (*(config_of(tiny, one) for one in changed), None):
        with pytest.raises(RunError, match="--out must hold trials of the same comparison alone"):
            compare(other or tiny, "ga", repeats=1, evaluations=10 if other else 11, out=tmp_path)
    for same in ("parallel.jobs=2", "evolution.generations=7", "picture.style=flat"):
        compare(config_of(tiny, same), "ga", repeats=1, evaluations=10, out=tmp_path)
    assert files(tmp_path) == before
    for damaged in (b"", b"[]", b'{"steps": 3}', b'{"steps": [[1]]}', b'{"steps": [], "a": 1}'):
        (tmp_path / "trials" / "ga-5.json").write_bytes(damaged)
        with pytest.raises(RunError, match=r"ga-5\.json: trial must be a file that a comparison"):
            compare(tiny, "ga", repeats=1, evaluations=10, out=tmp_path)


def test_a_folder_in_use_and_one_that_is_a_file(tiny, tmp_path):
    with (
        FileLock(tmp_path / ".lock"),
        pytest.raises(RunError, match="--out must not be in use by another process"),
    ):
        compare(tiny, "ga", repeats=1, evaluations=10, out=tmp_path)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RunError, match="--out must be a folder"):
        compare(tiny, "ga", repeats=1, evaluations=10, out=tmp_path / "file")


@pytest.mark.parametrize(
    ("searches", "words"),
    [
        ("", "searches must be names, with commas between, got 'an empty one'"),
        ("ga,", "searches must be names, with commas between"),
        ("ga, ga", "searches must be one or more that differ, got 'ga'"),
        ("genius", "searches: genius: evolution.search must be 'ga', "),
        ("ga crossover", "searches must have settings of the form KEY=VALUE, got 'crossover'"),
        ("ga wings=2", "evolution.wings must be a known key"),
        ("ga crossover=2", "searches: ga crossover=2: evolution.crossover must be at most 1"),
    ],
)
def test_searches_that_cannot_be(tiny, tmp_path, searches, words):
    with pytest.raises(ConfigError) as caught:
        compare(tiny, searches, out=tmp_path / "out")
    assert words in str(caught.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"repeats": 0}, "repeats must be a whole number from 1"),
        ({"evaluations": 0}, "evaluations must be a whole number from 1"),
        ({"level": math.nan}, "level must be a finite number"),
    ],
)
def test_arguments_out_of_their_range(tiny, tmp_path, arguments, words):
    with pytest.raises(ValueError, match=words):
        compare(tiny, "ga", out=tmp_path / "out", **arguments)
    assert not (tmp_path / "out").exists()


def test_a_front_has_no_one_best(tiny):
    with pytest.raises(ConfigError, match="objectives must be combined, to be compared"):
        contenders(config_of(tiny, "evolution.objectives=pareto"), "ga", 10)


def test_ends_of_runs_are_no_part_of_it(tiny):
    found = contenders(config_of(tiny, "evolution.target=0.1", "evolution.patience=1"), "ga", 50)
    evolution = found[0].config.evolution
    assert (evolution.target, evolution.patience, evolution.cooling) == (None, None, 50)
    (warm,) = contenders(tiny, ["annealing cooling=9"], 50)
    assert warm.config.evolution.cooling == 9
    assert warm.file_name == "annealing-cooling=9"


def test_the_rank_sum_test():
    p, wins = rank_sum([6, 7, 8, 9, 10], [1, 2, 3, 4, 5])
    assert p == pytest.approx(2 / 252)  # two of the ways to pick 5 ranks of 10
    assert wins == 1
    assert rank_sum([1, 1], [1, 1, 1]) == (1.0, 0.5)
    assert rank_sum([1, 3], [2])[1] == 0.5
    assert rank_sum([1, 1], [1, 2])[1] == 0.25


def test_the_rows_of_the_table(tiny, tmp_path):
    names = ("low", "high", "never")
    ends = {"low": (0.2, 0.4, 0.3), "high": (0.9, 0.5, 0.7), "never": (0.1, 0.1, 0.1)}
    trials = tuple(
        tuple(
            trial(name, seed, (3, 0.05), (10 * (seed + 1), end))
            for seed, end in enumerate(ends[name])
        )
        for name in names
    )
    made = Comparison(tuple(Contender(n, tiny) for n in names), trials, 100, 0.35, tmp_path)
    high, low, never = made.rows()
    assert (high.label, high.median, high.lower, high.upper) == ("high", 0.7, 0.6, 0.8)
    assert math.isnan(high.p)
    assert (high.reached, high.evaluations, high.best) == (3, 20, 0.9)
    assert (low.reached, low.evaluations, low.wins) == (1, math.inf, 0)
    assert low.p == pytest.approx(0.1)
    assert never.reached == 0
    assert trials[0][1].best_at(np.array([1, 2, 3, 19, 20])).tolist()[2:] == [0.05, 0.05, 0.4]
    assert np.isnan(trials[0][1].best_at(np.array([1, 2]))).all()


def test_its_files_can_be_looked_at(tiny, tmp_path):
    found = compare(tiny, ALL, repeats=2, evaluations=20, level=0.01, out=tmp_path / "out")
    write(found)
    table = (tmp_path / "out" / "table.md").read_text()
    for label in ALL.split(", "):
        assert f"| {label} | " in table
    assert "20 evaluations each, seeds 5 to 6." in table
    pairs = read(tmp_path / "out" / "pairs.csv")
    assert len(pairs) == 15
    rows = read(tmp_path / "out" / "trials.csv")
    assert len(rows) == 12
    assert {row["search"] for row in rows} == set(ALL.split(", "))
    with Image.open(tmp_path / "out" / "curves.png") as image:
        assert np.asarray(image.convert("L")).std() > 10
    best = max((t for trials in found.trials for t in trials), key=lambda one: one.best)
    name = best.label.replace(" ", "-")
    assert read_genome(tmp_path / "out" / "best" / f"{name}.png").genome.hex() == best.genome
    assert (tmp_path / "out" / "plants.png").is_file()


def fragile(scene):
    raise RuntimeError("no plant of mine")


def test_a_score_that_raises_leaves_the_trials_that_ended(tiny, tmp_path):
    compare(tiny, "ga", repeats=1, evaluations=10, out=tmp_path / "out")
    before = files(tmp_path / "out")
    name = f"{__name__}:fragile"
    broken = parse_config(dump_config(tiny).replace('"coverage"', f'"{name}"'))
    with pytest.raises(EvaluationError, match="no plant of mine"):
        compare(broken, "hill", repeats=1, evaluations=10, out=tmp_path / "out")
    assert files(tmp_path / "out") == before


def test_nothing_finite_is_the_worst(tiny):
    assert replace(trial("a", 1), steps=()).best == -math.inf
    assert trial("a", 1).best_at(np.array([5])).shape == (1,)


def test_a_file_gives_the_trial_back():
    made = trial("ga", 3, (1, 0.1), (4, 1 / 3))
    assert Trial.from_json(made.to_json()) == made
    assert json.loads(made.to_json())["steps"][1] == [4, 1 / 3]


def test_guides_are_part_of_a_trial_that_looks_at_them_alone():
    def of(search, reach):
        return identity(
            parse_config(
                f"""name = "g"
seed = 1
[evolution]
search = "{search}"
[[fitness]]
name = "coverage"
[[guide]]
name = "coverage"
low = {reach}
until = 0.5
"""
            ),
            100,
        )

    assert of("ga", 0.1) == of("ga", 0.2)
    assert of("guided", 0.1) != of("guided", 0.2)
