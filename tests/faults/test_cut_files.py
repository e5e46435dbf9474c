"""Files that lost their ends, or all of it, in the night."""

import csv
import logging
import os

import pytest

from evo import CheckpointError
from experiments import RunError, parse_config, resume, run
from experiments.config_file import dump_config
from experiments.progress import Silent
from tests.faults.kills import RESULTS


def results(path):
    return {name: (path / name).read_bytes() for name in RESULTS}


def part(small, tmp_path, generations=3):
    config = parse_config(dump_config(small), overrides=[f"evolution.generations={generations}"])
    return run(config, tmp_path / "part").path


class Heard(Silent):
    def __init__(self):
        self.lines = []

    def say(self, text):
        if "lacks" in text:
            self.lines.append(text)


@pytest.mark.parametrize("left", ["0", "10", "half", "all but one"])
def test_the_checkpoint_before_a_cut_one_is_used(small, whole, tmp_path, caplog, left):
    path = part(small, tmp_path)
    newest = max((path / "checkpoint").iterdir())
    data = newest.read_bytes()
    size = {"0": 0, "10": 10, "half": len(data) // 2, "all but one": len(data) - 1}[left]
    newest.write_bytes(data[:size])
    with caplog.at_level(logging.WARNING):
        resume(path, generations=5)
    (said,) = (r.message for r in caplog.records if r.name == "evo.checkpoint")
    assert said.startswith(f"checkpoint {newest.name} is damaged: ")
    assert results(path) == results(whole)


def test_no_good_checkpoint_is_left(small, tmp_path):
    path = part(small, tmp_path)
    for file in (path / "checkpoint").iterdir():
        file.write_bytes(b"")
    before = results(path)
    with pytest.raises(CheckpointError, match="checkpoint must have one file that can be read"):
        resume(path)
    assert results(path) == before


def test_a_run_that_came_to_no_checkpoint_begins_anew(small, whole, tmp_path):
    path = part(small, tmp_path, 0)
    for file in (path / "checkpoint").iterdir():
        file.unlink()
    (path / "manifest.json").unlink()
    (path / "log.csv").write_text("generation,eval")
    resume(path, generations=5)
    assert results(path) == results(whole)
    assert (path / "manifest.json").exists()


@pytest.mark.parametrize("cut", [1, 30, 100, 10_000])
def test_a_log_that_was_cut_is_whole_again(small, whole, tmp_path, cut):
    path = part(small, tmp_path)
    log = path / "log.csv"
    log.write_bytes(log.read_bytes()[:-cut])
    heard = Heard()
    resume(path, generations=5, report=heard)
    assert results(path) == results(whole)
    assert heard.lines == []
    with log.open(newline="") as file:
        rows = list(csv.reader(file))
    assert [row[0] for row in rows] == ["generation", "0", "1", "2", "3", "4", "5"]
    assert len({len(row) for row in rows}) == 1


def test_a_long_log_loses_only_what_no_checkpoint_holds(small, tmp_path, monkeypatch):
    monkeypatch.setattr("experiments.rundir.LOG_END", 150)
    path = part(small, tmp_path)
    log = path / "log.csv"
    before = log.read_bytes()
    log.write_bytes(before[:-120])
    heard = Heard()
    resume(path, report=heard)
    assert heard.lines == []
    assert log.read_bytes() == before
    log.write_bytes(before[:-290])
    resume(path, report=heard)
    assert len(heard.lines) == 1
    assert heard.lines[0].startswith("log.csv lacks ")


def test_a_power_cut_loses_nothing_of_the_logs(small, whole, tmp_path, monkeypatch):
    """The disk is taken to hold of each log what it was last asked to hold, and no byte more."""
    monkeypatch.setattr("experiments.rundir.LOG_END", 250)  # about two generations
    real, held = os.fsync, {}

    def fsync(handle):
        real(handle)
        status = os.fstat(handle)
        held.setdefault(status.st_ino, []).append(status.st_size)

    monkeypatch.setattr("os.fsync", fsync)
    path = part(small, tmp_path)
    sizes = {}
    for name in ("log.csv", "lineage.csv", "timing.csv"):
        sizes[name] = held.get((path / name).stat().st_ino, [0])
        os.truncate(path / name, sizes[name][-1])
    assert 1 <= len(sizes["log.csv"]) < len(sizes["lineage.csv"])
    heard = Heard()
    resume(path, generations=5, report=heard)
    assert heard.lines == []
    assert results(path) == results(whole)


@pytest.mark.parametrize("name", ["lineage.csv", "timing.csv"])
def test_other_logs_that_were_cut_are_said(small, tmp_path, name):
    path = part(small, tmp_path)
    (path / name).write_bytes((path / name).read_bytes()[:-9])
    heard = Heard()
    resume(path, generations=5, report=heard)
    assert heard.lines == [f"{name} lacks 9 bytes of earlier generations"]
    (path / name).unlink()
    resume(path, generations=6, report=heard)
    assert len(heard.lines) == 2


def test_logs_that_ran_ahead_are_cut_back(small, whole, tmp_path):
    path = part(small, tmp_path)
    with (path / "log.csv").open("a") as file:
        file.write("4,8,0.1")
    with (path / "lineage.csv").open("a") as file:
        file.write("4,00ff\n4,")
    resume(path, generations=5)
    assert results(path) == results(whole)


def test_what_a_killed_writer_left_is_swept(small, whole, tmp_path):
    path = part(small, tmp_path)
    left = [path / ".hall_of_fame.json.0a0b.part", path / "checkpoint" / ".000004.npz.0c.part",
            path / "hall_of_fame" / ".001.png.0d.part"]  # fmt: skip
    for file in left:
        file.write_bytes(b"half")
    resume(path, generations=5)
    assert not any(file.exists() for file in left)
    assert results(path) == results(whole)


@pytest.mark.parametrize("name", ["hall_of_fame.json", "contact_sheet.png", "hall_of_fame/002.png"])
def test_outputs_that_were_lost_are_made_again(copied, whole, name):
    (copied / name).unlink()
    resume(copied)
    assert (copied / name).read_bytes() == (whole / name).read_bytes()


def test_a_run_without_its_config_is_refused(copied):
    (copied / "config.toml").unlink()
    with pytest.raises(RunError, match="run must be a folder that a run has made"):
        resume(copied)
