"""A run: one seed, one result; what stands in its directory; going on with it."""

import csv
import importlib.util
import json
import random

import numpy as np
import pytest

from evo import Individual, from_hex
from experiments import ConfigError, RunError, load_config, parse_config, resume, run
from experiments.config_file import dump_config
from experiments.problem import Problem, draw
from experiments.progress import Silent
from render import read_genome

RESULTS = ("log.csv", "lineage.csv", "hall_of_fame.json")


def results(path):
    return {name: (path / name).read_bytes() for name in RESULTS}


def changed(config, *overrides):
    return parse_config(dump_config(config), overrides=overrides)


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    "overrides",
    [
        ["parallel.jobs=2"],
        ["parallel.jobs=3", "parallel.backend=threading"],
        ["parallel.kernel=numpy"],
        ["parallel.kernel=numpy", "parallel.jobs=2", "parallel.backend=threading"],
        pytest.param(
            ["parallel.kernel=numba"],
            marks=pytest.mark.skipif(
                importlib.util.find_spec("numba") is None, reason="numba is not installed"
            ),
        ),
    ],
)
def test_one_seed_one_result(tiny, finished, tmp_path, overrides):
    other = run(changed(tiny, *overrides), tmp_path / "other").path
    assert results(other) == results(finished)


def test_another_seed_another_result(tiny, finished, tmp_path):
    other = run(changed(tiny, "seed=6"), tmp_path / "other").path
    assert results(other)["log.csv"] != results(finished)["log.csv"]


def test_the_global_random_states_are_neither_read_nor_moved(tiny, finished, tmp_path):
    random.seed(99)
    np.random.seed(99)  # the state that must not matter
    before = random.getstate(), np.random.get_state()[1].tolist()
    path = run(tiny, tmp_path / "again").path
    after = random.getstate(), np.random.get_state()[1].tolist()
    assert before == after
    assert results(path) == results(finished)


def test_going_on_equals_never_having_stopped(tiny, finished, tmp_path):
    path = run(changed(tiny, "evolution.generations=2"), tmp_path / "part").path
    resume(path, generations=3, jobs=2, backend="threading", kernel="numpy")
    resume(path, generations=4)
    assert results(path) == results(finished)
    assert load_config(path / "config.toml") == load_config(finished / "config.toml")


def test_going_on_with_an_ended_run_changes_nothing(tiny, tmp_path):
    path = run(tiny, tmp_path / "ended").path
    before = results(path)
    resume(path)
    assert results(path) == before


@pytest.mark.parametrize("every", [1, 3])
def test_a_run_that_breaks_goes_on_where_it_was(tiny, finished, tmp_path, every):
    class Break(BaseException):
        pass

    class Breaking(Silent):
        def __init__(self, at):
            self.at = at

        def generation(self, generation):
            if generation.number == self.at:
                raise Break

    config = changed(tiny, f"evolution.checkpoint_every={every}")
    with pytest.raises(Break):
        run(config, tmp_path / "broken", Breaking(1))
    with pytest.raises(Break):
        resume(tmp_path / "broken", report=Breaking(2))
    resume(tmp_path / "broken")
    assert results(tmp_path / "broken") == results(finished)


def test_a_log_that_was_cut_is_whole_again(tiny, finished, tmp_path):
    path = run(changed(tiny, "evolution.generations=2"), tmp_path / "cut").path
    log = path / "log.csv"
    log.write_bytes(log.read_bytes()[:-20])
    resume(path, generations=4)
    assert results(path) == results(finished)


def test_a_lineage_that_was_cut_is_said(tiny, tmp_path):
    path = run(changed(tiny, "evolution.generations=2"), tmp_path / "cut").path
    lineage = path / "lineage.csv"
    lineage.write_bytes(lineage.read_bytes()[:-700])

    said = []
    report = Silent()
    report.say = said.append
    resume(path, generations=3, report=report)
    assert "lineage.csv lacks 700 bytes of earlier generations" in said
    assert all(len(row["genome"]) == 360 for row in rows(lineage))


def test_only_the_last_two_checkpoints_are_kept(finished):
    names = sorted(path.name for path in (finished / "checkpoint").iterdir())
    assert names == ["000003.npz", "000004.npz"]


def test_the_log_has_a_row_a_generation_and_no_clock(finished):
    log = rows(finished / "log.csv")
    assert [int(row["generation"]) for row in log] == [0, 1, 2, 3, 4]
    assert list(log[0]) == [
        "generation", "evaluations", "best", "best_so_far", "mean", "std", "min", "non_finite",
        "coverage_best", "coverage_mean", "symmetry_best", "symmetry_mean", "diversity",
        "shape_diversity",
    ]  # fmt: skip
    best = [float(row["best_so_far"]) for row in log]
    assert best == sorted(best)
    assert int(log[0]["evaluations"]) == 8


def test_the_lineage_holds_every_new_individual_with_its_parents(finished):
    lineage, log = rows(finished / "lineage.csv"), rows(finished / "log.csv")
    for row in log:
        born = [r for r in lineage if r["generation"] == row["generation"]]
        assert len(born) == int(row["evaluations"])
    known = set()
    for row in lineage:
        parents = row["parents"].split()
        assert len(parents) in ((0,) if row["generation"] == "0" else (1, 2))
        assert set(parents) <= known
        assert (row["operators"] == "founder") == (row["generation"] == "0")
        known.add(row["genome"])
        assert len(from_hex(row["genome"])) == 180


def test_the_hall_of_fame_is_what_a_fresh_evaluation_gives(tiny, finished):
    fame = json.loads((finished / "hall_of_fame.json").read_text())
    problem = Problem(tiny)
    assert fame["growth_seeds"] == [str(seed) for seed in problem.seeds]
    assert not set(fame["growth_seeds"]) & set(fame["unseen_growth_seeds"])
    scores = [entry["score"] for entry in fame["entries"]]
    assert scores == sorted(scores, reverse=True)
    assert len({entry["genome"] for entry in fame["entries"]}) == len(scores) == 5
    genomes = [from_hex(entry["genome"]) for entry in fame["entries"]]
    table = problem.evaluator(genomes)
    assert scores == problem.combine(table).tolist()
    unseen = problem.combine(problem.unseen(genomes)).tolist()
    assert [entry["unseen_score"] for entry in fame["entries"]] == unseen
    means = table.mean(axis=1)
    for entry, mean in zip(fame["entries"], means, strict=True):
        assert list(entry["scores"]) == ["coverage", "symmetry", "frame"]
        assert list(entry["scores"].values()) == pytest.approx(mean.tolist(), rel=1e-12)


def test_each_picture_is_what_its_genome_draws(finished):
    from PIL import Image

    fame = json.loads((finished / "hall_of_fame.json").read_text())
    paths = sorted((finished / "hall_of_fame").iterdir())
    assert [path.name for path in paths] == [f"00{n}.png" for n in range(1, 6)]
    for path, entry in zip(paths, fame["entries"], strict=True):
        recipe = read_genome(path)
        assert recipe.genome.hex() == entry["genome"]
        assert str(recipe.seed) == fame["growth_seeds"][0]
        with Image.open(path) as picture:
            assert np.array_equal(np.asarray(picture), draw(recipe))
            assert np.asarray(picture)[..., 3].any()


def test_an_existing_directory_is_refused_and_left_alone(tiny, finished):
    before = {p: p.read_bytes() for p in finished.rglob("*") if p.is_file()}
    with pytest.raises(RunError, match="--out must not exist yet, got "):
        run(tiny, finished)
    assert {p: p.read_bytes() for p in finished.rglob("*") if p.is_file()} == before


def test_runs_of_one_name_get_folders_of_their_own(tiny, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = changed(tiny, "evolution.generations=0")
    names = [run(config).path.as_posix() for _ in range(3)]
    assert names == ["runs/tiny-5", "runs/tiny-5-2", "runs/tiny-5-3"]


def test_a_changed_config_is_refused_with_key_old_and_new(tiny, tmp_path):
    path = run(changed(tiny, "evolution.generations=1"), tmp_path / "run").path
    text = (path / "config.toml").read_text()
    (path / "config.toml").write_text(
        text.replace("mutation = 0.02", "mutation = 0.1").replace("seed = 5", "seed = 6")
    )
    with pytest.raises(ConfigError) as caught:
        resume(path, generations=2)
    said = str(caught.value).splitlines()
    assert [line.split(": ", 1)[1] for line in said] == [
        "evolution.mutation must stay 0.02 as the run began, got 0.1",
        "seed must stay 5 as the run began, got 6",
    ]
    (path / "config.toml").write_text(text)
    with pytest.raises(ConfigError, match=r"evolution\.generations must be at least 1, got 0"):
        resume(path, generations=0)
    with pytest.raises(ConfigError, match=r"parallel\.jobs must be at least 1"):
        resume(path, jobs=0)


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(RunError, match="run must be a folder that a run has made"):
        resume(tmp_path)
    with pytest.raises(RunError, match="run must be a folder that a run has made"):
        resume(tmp_path / "none")


def test_a_run_in_use_is_refused(finished):
    from experiments.rundir import RunDirectory

    with (
        RunDirectory(finished).locked(),
        pytest.raises(RunError, match="run must not be in use by another process"),
    ):
        resume(finished)


@pytest.mark.parametrize(("key", "ended"), [("target=0.0", "target"), ("patience=1", "patience")])
def test_early_stops(tiny, tmp_path, key, ended):
    config = changed(tiny, f"evolution.{key}", "evolution.generations=200")
    result = run(config, tmp_path / "early")
    assert result.generation.stop == ended
    assert result.generation.number < 200


def test_small_populations_run(tiny, tmp_path):
    for population in (1, 2, 3, 5):
        config = changed(tiny, f"evolution.population={population}")
        result = run(config, tmp_path / str(population))
        assert len(result.generation.population) == population


def test_uniform_founders_run(tiny, tmp_path):
    result = run(changed(tiny, "evolution.founders=uniform"), tmp_path / "uniform")
    assert all(isinstance(one, Individual) for one in result.generation.population)


def test_plants_of_no_circle_score_zero(tiny, tmp_path):
    result = run(changed(tiny, "plant.max_circles=0"), tmp_path / "empty")
    assert {one.fitness.values for one in result.generation.population} == {(0.0,)}
    assert result.contact_sheet.exists()
