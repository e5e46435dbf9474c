"""Installations in which numba is missing, broken, or has nowhere to keep what it compiled."""

import importlib.util
import os
import shutil
import subprocess
import sys

import pytest

from tests.faults.conftest import ROOT
from tests.faults.kills import RESULTS

BROKEN = {
    "missing": 'raise ModuleNotFoundError("No module named numba")',
    "too old": 'raise ImportError("Numba needs NumPy 2.0 or less")',
    "without its library": 'raise OSError("libllvm.so: cannot open shared object file")',
    "broken": 'raise AttributeError("module numpy has no attribute long")',
}


def results(path):
    return {name: (path / name).read_bytes() for name in RESULTS}


@pytest.mark.parametrize("kind", BROKEN)
def test_numba_that_does_not_import(command, config_file, whole, tmp_path, kind):
    fake = tmp_path / "fake" / "numba"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text(BROKEN[kind])
    path = tmp_path / "run"
    ended = command("run", config_file, "--out", path, "--jobs", 2,
                    env={"PYTHONPATH": str(fake.parent)})  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert results(path) == results(whole)
    (said,) = ended.stderr.splitlines()
    assert said.startswith("kernel numba does not import (")


def test_numba_asked_for_that_does_not_import(command, config_file, tmp_path):
    fake = tmp_path / "fake" / "numba"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text(BROKEN["missing"])
    ended = command("run", config_file, "--out", tmp_path / "run", "--kernel", "numba",
                    env={"PYTHONPATH": str(fake.parent)})  # fmt: skip
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1] == (
        "evogarden: parallel.kernel must import here (No module named numba), got 'numba'"
    )
    assert not (tmp_path / "run").exists()


needs_numba = pytest.mark.skipif(
    importlib.util.find_spec("numba") is None, reason="numba is not installed"
)


@needs_numba
def test_a_cache_that_cannot_be_made(command, config_file, whole, tmp_path):
    (tmp_path / "file").touch()
    path = tmp_path / "run"
    ended = command("run", config_file, "--out", path, "--jobs", 2, "--kernel", "numba",
                    env={"NUMBA_CACHE_DIR": str(tmp_path / "file" / "cache")})  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert results(path) == results(whole)
    (said,) = ended.stderr.splitlines()
    assert "compiled without a cache" in said


def test_an_install_that_is_read_only_and_no_home(whole, config_file, tmp_path):
    install = tmp_path / "install"
    for name in ("evo", "render", "fitness", "experiments"):
        shutil.copytree(ROOT / name, install / name, ignore=shutil.ignore_patterns("__pycache__"))
    if not bound_read_only(install):
        pytest.skip("needs to mount a folder read-only")
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "experiments", "run", str(config_file),
             "--out", str(tmp_path / "run")],
            cwd=install, env={"PATH": os.environ["PATH"], "HOME": "/proc/none"},
            capture_output=True, text=True, check=False, timeout=250,
        )  # fmt: skip
    finally:
        subprocess.run(["umount", str(install)], check=True)
    assert ended.returncode == 0, ended.stderr
    assert results(tmp_path / "run") == results(whole)


def bound_read_only(folder):
    if shutil.which("mount") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    calls = [["mount", "--bind", str(folder), str(folder)],
             ["mount", "-o", "remount,bind,ro", str(folder)]]  # fmt: skip
    return all(subprocess.run(c, check=False, capture_output=True).returncode == 0 for c in calls)
