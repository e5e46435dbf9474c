"""A config small enough to run in a second, and a finished run of it."""

import pytest

from experiments import parse_config, run

TINY = """
name = "tiny"
seed = 5

[evolution]
population = 8
generations = 4
hall_of_fame = 5

[plant]
samples = 2
unseen_samples = 2
max_circles = 3000

[picture]
width = 64
height = 64
px_per_pixel = 16.0

[[fitness]]
name = "coverage"

[[fitness]]
name = "symmetry"

[parallel]
jobs = 1
"""


@pytest.fixture(scope="session")
def tiny():
    return parse_config(TINY)


@pytest.fixture(scope="session")
def finished(tiny, tmp_path_factory):
    return run(tiny, tmp_path_factory.mktemp("runs") / "tiny").path
