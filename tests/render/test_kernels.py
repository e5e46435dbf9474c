"""The choice of a kernel, and what happens where numba or its cache cannot be had."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from render import default_kernel, grow, rasterize
from tests.render.plants import uniform

ROOT = Path(__file__).parents[2]

PROGRAM = """
import hashlib, logging, sys
{before}
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
import numpy as np
from render import default_kernel, grow, rasterize
genome = np.random.default_rng(6).integers(0, 256, (10, 18), np.uint8)
picture = rasterize(grow(genome, 3, 900), 40, 30)
print(default_kernel(), hashlib.sha256(picture.tobytes()).hexdigest())
{after}
"""


def run(before: str = "", after: str = "", **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM.format(before=before, after=after)],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )


def expected(kernel: str) -> str:
    picture = rasterize(grow(uniform(6), 3, 900), 40, 30)
    return f"{kernel} {hashlib.sha256(picture.tobytes()).hexdigest()}\n"


def test_without_numba():
    result = run(
        "sys.modules['numba'] = None",
        "try: grow(genome, kernel='numba')\nexcept ValueError as error: print(error)",
    )
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines(keepends=True)
    assert lines[0] == expected("numpy")
    assert lines[1].startswith("kernel must import here")
    assert lines[1].endswith("got 'numba'\n")


def test_default_kernel():
    pytest.importorskip("numba")
    assert default_kernel() == "numba"
    a = grow(uniform(1), 1, 50)
    assert np.array_equal(a.x, grow(uniform(1), 1, 50, "numba").x)


def test_a_damaged_cache(tmp_path):
    pytest.importorskip("numba")
    cache = {"NUMBA_CACHE_DIR": str(tmp_path)}
    assert run(**cache).stdout == expected("numba")
    files = [path for path in tmp_path.rglob("*.nb*") if path.is_file()]
    assert files
    for path in files:
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
    result = run(**cache)
    assert result.returncode == 0, result.stderr
    assert result.stdout == expected("numba")
