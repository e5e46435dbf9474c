"""A disk that fills up: the run stops with a message, and its last checkpoint is good."""

import errno
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import evo.files
from experiments import parse_config, resume, run
from experiments.config_file import dump_config
from tests.faults.test_cut_files import results


class Disk:
    """Opens files that take no more than so many bytes in all."""

    def __init__(self, monkeypatch, room):
        self.room = room
        really = Path.open

        def limited(path, mode="r", *arguments, **keywords):
            file = really(path, mode, *arguments, **keywords)
            return Limited(file, self) if set(mode) & set("wax") and "b" in mode else file

        monkeypatch.setattr(Path, "open", limited)


class Limited:
    """Writes what there is room for, and raises as the system does."""

    def __init__(self, file, disk):
        self.file, self.disk = file, disk

    def write(self, data):
        fits = data[: max(0, self.disk.room)]
        self.disk.room -= len(data)
        self.file.write(fits)
        if len(fits) < len(data):
            self.file.flush()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return len(data)

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


@pytest.mark.parametrize("share", [0.35, 0.5, 0.7, 0.9])
def test_a_run_goes_on_once_there_is_room_again(small, whole, tmp_path, share):
    size = sum(file.stat().st_size for file in whole.rglob("*") if file.is_file())
    with pytest.MonkeyPatch.context() as patched:
        Disk(patched, int(share * size * 1.5))
        with pytest.raises(OSError, match="No space left on device"):
            run(small, tmp_path / "full")
    assert not list((tmp_path / "full").rglob("*.part"))
    resume(tmp_path / "full")
    assert results(tmp_path / "full") == results(whole)


def test_every_write_may_be_the_one_that_fails(small, whole, tmp_path, monkeypatch):
    calls, codes = [], []
    really = evo.files.write_atomic

    def counted(path, data):
        calls.append(path)
        if len(calls) == at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        really(path, data)

    names = ("evo.checkpoint", "experiments.rundir", "render.png")
    short = parse_config(dump_config(small), overrides=["evolution.generations=1"])
    expected = results(run(short, tmp_path / "short").path)
    for at in range(2, 12):
        calls.clear()
        path = tmp_path / f"at{at}"
        with monkeypatch.context() as patched:
            for name in names:
                patched.setattr(f"{name}.write_atomic", counted)
            try:
                run(short, path)
            except OSError as error:
                codes.append(error.errno)
            else:
                break
        resume(path)
        assert results(path) == expected
    assert at > 6
    assert set(codes) == {errno.ENOSPC}


def can_mount(folder):
    if shutil.which("mount") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", str(folder)],
                          check=False, capture_output=True)  # fmt: skip
    return made.returncode == 0


def test_a_small_file_system(small, whole, tmp_path, command, config_file):
    place = tmp_path / "small"
    place.mkdir()
    if not can_mount(place):
        pytest.skip("needs to mount a small file system")
    try:
        ended = command("run", config_file, "--out", place / "run", "--quiet",
                        "--set", "evolution.generations=5")  # fmt: skip
        assert ended.returncode == 1
        assert "No space left on device" in ended.stderr
        assert "Traceback" not in ended.stderr
        shutil.copytree(place / "run", tmp_path / "rescued")
    finally:
        subprocess.run(["umount", str(place)], check=True)
    resume(tmp_path / "rescued")
    assert results(tmp_path / "rescued") == results(whole)
