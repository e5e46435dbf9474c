"""Founders from pictures and run directories."""

import json

import pytest

from evo import from_hex
from experiments import ConfigError, parse_config, resume, run
from experiments.ancestors import ancestors
from experiments.config_file import dump_config


def with_founders(config, *places, population=8):
    return parse_config(
        dump_config(config),
        overrides=[
            f"evolution.founders={json.dumps(places)}",
            f"evolution.population={population}",
        ],
    )


def genomes(finished):
    fame = json.loads((finished / "hall_of_fame.json").read_text())
    return [from_hex(entry["genome"]) for entry in fame["entries"]]


def test_pictures_and_runs_give_each_genome_once(finished):
    best = genomes(finished)
    picture = str(finished / "hall_of_fame" / "003.png")
    assert ancestors([str(finished)]) == best
    assert ancestors([picture]) == [best[2]]
    assert ancestors([picture, str(finished), picture]) == [best[2], best[0], best[1], *best[3:]]


def test_a_run_begins_with_them(tiny, finished, tmp_path):
    config = with_founders(tiny, finished.as_posix())
    assert config.evolution.founders == (finished.as_posix(),)
    assert parse_config(dump_config(config)) == config
    result = run(config, tmp_path / "next")
    first = [
        line.split(",") for line in (tmp_path / "next/lineage.csv").read_text().splitlines()[1:9]
    ]
    assert [from_hex(row[1]) for row in first[:5]] == genomes(finished)
    assert {(row[0], row[2], row[3]) for row in first} == {("0", "", "founder")}
    assert len({row[1] for row in first}) == 8
    before = json.loads((finished / "hall_of_fame.json").read_text())["entries"][0]["score"]
    assert result.hall_of_fame[0].values[0] >= before
    resume(tmp_path / "next", generations=5)


def test_more_than_the_population_holds(tiny, finished, tmp_path):
    config = with_founders(tiny, finished.as_posix(), population=2)
    assert len(run(config, tmp_path / "few").generation.population) == 2


def test_founders_are_not_needed_once_there_is_a_checkpoint(tiny, finished, tmp_path):
    import shutil

    old = shutil.copytree(finished, tmp_path / "old")
    config = with_founders(tiny, old.as_posix())
    run(config, tmp_path / "next")
    shutil.rmtree(old)
    assert resume(tmp_path / "next", generations=5).generation.number == 5


def broken(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "hall_of_fame.json").write_text('{"entries": [{"genome": "00"}]}')
    (tmp_path / "text.png").write_text("no picture")
    return {
        "none.png": "none.png",
        "empty": "run must have a whole hall of fame",
        "bad": "hall_of_fame.json must be a whole hall of fame, got ",
        "text.png": "text.png",
    }


@pytest.mark.parametrize("name", ["none.png", "empty", "bad", "text.png"])
def test_what_cannot_be_read_is_refused_before_anything_is_made(tiny, tmp_path, name):
    said = broken(tmp_path)[name]
    with pytest.raises(ConfigError, match=r"^evolution\.founders: ") as caught:
        run(with_founders(tiny, str(tmp_path / name)), tmp_path / "run")
    assert said in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("value", ["3", "true", "[]", "[3]", '[""]', "{a = 1}"])
def test_other_founders_are_refused(tiny, value):
    with pytest.raises(ConfigError, match=r"evolution\.founders must be a kind of founders or a"):
        parse_config(dump_config(tiny), overrides=[f"evolution.founders={value}"])
