"""Runs of several objectives, and runs that go on from picked plants."""

import csv
import json

import pytest

from experiments import ConfigError, load_config, parse_config, resume, run
from experiments.config_file import dump_config
from experiments.picking import picked
from experiments.report import write_report
from tests.experiments.command_line import Command

RESULTS = ("log.csv", "lineage.csv", "hall_of_fame.json", "front.csv")


def changed(config, *overrides):
    return parse_config(dump_config(config), overrides=overrides)


def results(path):
    return {name: (path / name).read_bytes() for name in RESULTS}


@pytest.fixture
def command(monkeypatch, capsys):
    return Command(monkeypatch, capsys)


@pytest.fixture(scope="module")
def pareto(tiny):
    return changed(tiny, "evolution.objectives=pareto")


@pytest.fixture(scope="module")
def done(pareto, tmp_path_factory):
    return run(pareto, tmp_path_factory.mktemp("front") / "run").path


def test_one_seed_one_result_and_going_on(pareto, done, tmp_path):
    two = run(changed(pareto, "parallel.jobs=2", "parallel.backend=threading"), tmp_path / "two")
    assert results(two.path) == results(done)
    part = run(changed(pareto, "evolution.generations=2"), tmp_path / "part").path
    resume(part, generations=4)
    assert results(part) == results(done)


def test_the_table_of_the_front(done, command):
    with (done / "front.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    entries = json.loads((done / "hall_of_fame.json").read_bytes())["entries"]
    assert len(rows) == len(entries) > 0
    for row, entry in zip(rows, entries, strict=True):
        assert [float(row["coverage"]), float(row["symmetry"])] == entry["score"]
        assert [float(row["coverage_unseen"]), float(row["symmetry_unseen"])] == (
            entry["unseen_score"]
        )
    code, shown, _ = command("show", done)
    assert code == 0
    assert "the front" in shown
    assert "[" not in shown  # bold is a style, and no word
    assert command("verify", done)[0] == 0


def test_the_report_has_the_front(done, finished):
    page = write_report(done).read_text()
    assert "The front of coverage and symmetry" in page
    n = len(json.loads((done / "hall_of_fame.json").read_bytes())["entries"])
    assert f"<dt>on the front</dt><dd>{n} plants</dd>" in page
    assert "<dt>on unseen seeds</dt>" not in page  # several figures under one word
    assert "<dt>on unseen seeds</dt>" in write_report(finished).read_text()
    assert (done / "plots" / "front.svg").is_file()


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("evolution.target=0.9", "target must be left out with pareto"),
        ("evolution.patience=3", "patience must be left out with pareto"),
        ("fitness=[{name='coverage'}]", "objectives must be combined for a single score"),
    ],
)
def test_what_does_not_go_with_pareto(pareto, override, words):
    with pytest.raises(ConfigError, match=words):
        changed(pareto, override)


def test_picking_starts_a_run_from_the_plants(finished, tmp_path, command):
    entries = json.loads((finished / "hall_of_fame.json").read_bytes())["entries"]
    out = tmp_path / "next"
    code, _, said = command("pick", finished, 3, 1, "-o", out, "--generations", 1, "--jobs", 1)
    assert code == 0, said
    config, before = load_config(out / "config.toml"), load_config(finished / "config.toml")
    assert config.seed == before.seed + 1
    assert config.fitness == before.fitness
    with (out / "lineage.csv").open(newline="") as file:
        born = [row for row in csv.DictReader(file) if row["generation"] == "0"]
    chosen = [entries[2]["genome"], entries[0]["genome"]]
    assert [row["genome"] for row in born[:2]] == chosen
    assert all(set(row["parents"].split()) <= set(chosen) and row["parents"] for row in born[2:])


def test_picking_into_a_config(finished, tmp_path, command):
    out = tmp_path / "next.toml"
    assert command("pick", finished, 2, "-o", out, "--seed", 77)[0] == 0
    config = load_config(out)
    assert (config.seed, config.evolution.fill) == (77, "children")
    assert config == picked(finished, [2], 77)


@pytest.mark.parametrize(
    ("ranks", "words"),
    [([0], "rank must be"), ([6], "rank must be"), ([2, 2], "rank must be given once each, got 2")],
)
def test_wrong_ranks(finished, tmp_path, command, ranks, words):
    assert words in command.refused("pick", finished, *ranks, "--out", tmp_path / "no")
    assert not (tmp_path / "no").exists()


def test_not_a_run(tmp_path, command):
    assert "run must be a folder that a run has made" in command.refused("pick", tmp_path, 1)
