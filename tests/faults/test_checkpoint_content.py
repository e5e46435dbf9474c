"""Checkpoints that are whole archives with a content that no run can have written."""

import json
import shutil

import numpy as np
import pytest

from evo import CheckpointError
from experiments import resume
from experiments.rundir import RunError


def changed(path, change):
    """Write a checkpoint again with other content, as whole as before."""
    with np.load(path, allow_pickle=False) as arrays:
        held = {name: arrays[name] for name in arrays.files}
    text = json.loads(held["text"].tobytes())
    change(text, held)
    held["text"] = np.frombuffer(json.dumps(text).encode(), np.uint8)
    np.savez(path, **held)


def put(*keys, value):
    def change(text, _):
        place = text
        for key in keys[:-1]:
            place = place[key]
        if value is None:
            place.pop(keys[-1])
        else:
            place[keys[-1]] = value

    return change


def array(name, make):
    def change(_, held):
        held[name] = make(held[name])

    return change


CHANGES = {
    "no config": put("extra", "config", value=None),
    "config a text": put("extra", "config", value="x"),
    "config without evolution": put("extra", "config", value={"evolution": 3}),
    "generations a text": put("extra", "config", "evolution", "generations", value="9"),
    "no lengths": put("extra", "lengths", value=None),
    "lengths a list": put("extra", "lengths", value=[1, 2]),
    "no length of a log": put("extra", "lengths", "lineage.csv", value=None),
    "length below 0": put("extra", "lengths", "log.csv", value=-5),
    "length a float": put("extra", "lengths", "timing.csv", value=1.5),
    "length huge": put("extra", "lengths", "timing.csv", value=10**400),
    "log end a number": put("extra", "log_end", value=7),
    "log end longer than the log": put("extra", "log_end", value="x" * 100_000),
    "inputs a list": put("extra", "inputs", value=["a"]),
    "digest a number": put("extra", "inputs", value={"fitness.0.image": 5}),
    "length beyond a file": put("extra", "lengths", "log.csv", value=2**62),
    "scores with fewer samples": array("scores", lambda a: a[:, :1]),
    "scores with fewer columns": array("hall_scores", lambda a: a[:, :, :1]),
    "another generation's number": put("number", value=4),
    "number huge": put("number", value=10**400),
    "improved huge": put("improved", value=10**400),
    "statistic huge": put("statistics", "best_so_far", value=10**400),
    "statistic a text": put("statistics", "best_so_far", value="high"),
    "born huge": put("born", 0, value=10**400),
    "no extra": put("extra", value=None),
    "extra a list": put("extra", value=[]),
    "values of one axis": array("values", lambda a: a[:, 0]),
    "values of three axes": array("values", lambda a: a[:, :, np.newaxis]),
    "no values": array("values", lambda a: a[:, :0]),
    "fewer values": array("values", lambda a: a[1:]),
    "scores of one axis": array("scores", lambda a: a.reshape(len(a), -1)[:, 0]),
    "fewer scores": array("scores", lambda a: a[1:]),
    "genomes of another dtype": array("genomes", lambda a: a.astype(np.int16)),
    "genomes too short": array("genomes", lambda a: a[:, 1:]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_checkpoint_before_is_used(copied, name, caplog):
    path = copied
    before = {log: (path / log).read_bytes() for log in ("log.csv", "lineage.csv")}
    newest = path / "checkpoint" / "000005.npz"
    changed(newest, CHANGES[name])
    resume(path)
    assert "checkpoint 000005.npz is damaged" in caplog.text
    assert {log: (path / log).read_bytes() for log in before} == before


def test_a_run_that_lost_its_checkpoints_is_left_as_it_is(copied):
    for file in (copied / "checkpoint").iterdir():
        file.unlink()
    before = {file: file.read_bytes() for file in copied.rglob("*") if file.is_file()}
    with pytest.raises(RunError, match=r"run must have a checkpoint, since its log\.csv holds"):
        resume(copied)
    assert {file: file.read_bytes() for file in before} == before


def test_two_of_them_end_with_a_message_and_all_files_as_they_were(copied):
    path = copied
    for file in (path / "checkpoint").glob("*.npz"):
        changed(file, CHANGES["no lengths"])
    before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    with pytest.raises(CheckpointError, match="checkpoint must have one file that can be read"):
        resume(path)
    assert {file: file.read_bytes() for file in before} == before


def test_a_run_without_its_folder_of_checkpoints_is_left_as_it_is(copied):
    path = copied
    shutil.rmtree(path / "checkpoint")
    before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    with pytest.raises(RunError, match="run must have its folder of checkpoints"):
        resume(path)
    assert {file: file.read_bytes() for file in before} == before
