"""Folders that are taken, shared, or cannot be written."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from experiments import RunError, resume, run
from tests.faults.conftest import ROOT
from tests.faults.kills import RESULTS


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_existing_directory_is_left_alone(command, config_file, copied):
    before = contents(copied)
    ended = command("run", config_file, "--out", copied)
    assert ended.returncode == 2
    assert ended.stderr == f"evogarden: --out must not exist yet, got '{copied}'\n"
    assert contents(copied) == before


def test_two_runs_started_together_never_share_a_folder(config_file, whole, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    call = [sys.executable, "-m", "experiments", "run", str(config_file), "--quiet"]
    both = [subprocess.Popen(call, cwd=tmp_path, env=environment) for _ in range(2)]
    assert [one.wait(120) for one in both] == [0, 0]
    paths = sorted((tmp_path / "runs").iterdir())
    assert [path.name for path in paths] == ["small-7", "small-7-2"]
    for path in paths:
        for name in RESULTS:
            assert (path / name).read_bytes() == (whole / name).read_bytes()


def test_two_that_go_on_with_one_run(config_file, command, tmp_path):
    path = tmp_path / "run"
    assert command("run", config_file, "--out", path, "--quiet").returncode == 0
    call = [sys.executable, "-m", "experiments", "resume", str(path), "--generations", "60"]
    both = [subprocess.Popen(call, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            for _ in range(2)]  # fmt: skip
    said = [one.communicate(timeout=120)[1].decode() for one in both]
    codes = [one.returncode for one in both]
    assert 0 in codes
    assert set(codes) <= {0, 2}  # both, if the second came after the first had ended
    for code, text in zip(codes, said, strict=True):
        assert code == 0 or "run must not be in use by another process" in text
    lines = (path / "log.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == list(map(str, range(61)))


def test_a_file_where_a_folder_should_be(small, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="--out must not exist yet, got "):
        run(small, tmp_path / "file")
    with pytest.raises(RunError, match=r"--out must be a folder that can be made \(Not a dir"):
        run(small, tmp_path / "file" / "run")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").touch()
    with pytest.raises(RunError, match="runs must be a folder"):
        run(small)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "runs"]


@pytest.fixture
def read_only(copied):
    """A run in a folder that nobody may write, not even root."""
    if shutil.which("mount") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("needs to mount a folder read-only")
    calls = [["mount", "--bind", str(copied), str(copied)],
             ["mount", "-o", "remount,bind,ro", str(copied)]]  # fmt: skip
    if any(subprocess.run(c, check=False, capture_output=True).returncode for c in calls):
        pytest.skip("needs to mount a folder read-only")
    yield copied
    subprocess.run(["umount", str(copied)], check=True)


def test_read_only_folders(read_only, small, command):
    with pytest.raises(RunError, match=r"run must be a folder that can be written \(Read-only"):
        resume(read_only)
    with pytest.raises(RunError, match=r"--out must be a folder that can be made \(Read-only"):
        run(small, read_only / "within")
    shown = command("show", read_only)
    assert (shown.returncode, shown.stderr) == (0, "")
    proved = command("verify", read_only)
    assert (proved.returncode, proved.stderr) == (0, "")


def test_verify_ends_with_1_at_a_difference(copied, command):
    good = command("verify", copied)
    assert good.returncode == 0
    assert good.stdout.endswith("every plant is what its genome gives, pixels and scores\n")
    (copied / "hall_of_fame" / "001.png").write_bytes(b"")
    bad = command("verify", copied)
    assert bad.returncode == 1
    assert bad.stdout.startswith("hall_of_fame/001.png must be a picture that can be read, got ")
    assert command("verify", copied / "none").returncode == 2


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs to see open files")
@pytest.mark.parametrize(
    ("log_end", "logs"),
    [
        (0, ["log.csv", "lineage.csv", "timing.csv"]),
        (65_536, ["lineage.csv", "timing.csv"]),  # the checkpoint holds all of log.csv
    ],
)
def test_logs_are_on_the_disk_before_the_checkpoint_that_counts_on_them(
    small, tmp_path, monkeypatch, log_end, logs
):
    monkeypatch.setattr("experiments.rundir.LOG_END", log_end)
    synced = []
    sync = os.fsync

    def seen(handle):
        synced.append(Path(f"/proc/self/fd/{handle}").readlink().name)
        sync(handle)

    monkeypatch.setattr("os.fsync", seen)
    every = small.model_copy(
        update={"evolution": small.evolution.model_copy(update={"checkpoint_every": 3})}
    )
    path = run(every, tmp_path / "run").path
    saved = [i for i, name in enumerate(synced) if ".npz" in name]
    assert len(saved) == 3  # generations 0, 3 and the last, 5
    for at in saved:
        assert synced[at - len(logs) : at] == logs
    assert ("log.csv" in synced) == ("log.csv" in logs)
    assert (path / "log.csv").read_text().count("\n") == 7
