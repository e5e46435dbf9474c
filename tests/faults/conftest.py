"""A small config, and a finished run of it that nobody may change."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from experiments import parse_config, run

ROOT = Path(__file__).parents[2]

SMALL = """
name = "small"
seed = 7

[evolution]
population = 8
generations = 5
hall_of_fame = 4

[plant]
samples = 2
unseen_samples = 1
max_circles = 1500

[picture]
width = 48
height = 48
px_per_pixel = 16.0

[[fitness]]
name = "coverage"

[parallel]
jobs = 1
"""


@pytest.fixture(scope="session")
def small():
    return parse_config(SMALL)


@pytest.fixture(scope="session")
def whole(small, tmp_path_factory):
    return run(small, tmp_path_factory.mktemp("runs") / "whole").path


@pytest.fixture
def copied(whole, tmp_path):
    """A finished run of one's own, to do harm to."""
    return Path(shutil.copytree(whole, tmp_path / "copied"))


@pytest.fixture
def config_file(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture
def command():
    """Run `evogarden` in a process of its own."""

    def run_command(*arguments, code=None, timeout=120, env=None, **keywords):
        call = ["-m", "experiments"] if code is None else ["-c", code]
        return subprocess.run(
            [sys.executable, *call, *map(str, arguments)],
            cwd=ROOT, capture_output=True, text=True, timeout=timeout, check=False,
            env={**os.environ, **(env or {})}, **keywords,
        )  # fmt: skip

    return run_command
