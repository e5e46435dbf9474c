"""The choice of a kernel, and what happens where numba or its cache cannot be had."""

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
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


def test_a_cache_saves_compiling(tmp_path):
    pytest.importorskip("numba")
    cache = {"NUMBA_CACHE_DIR": str(tmp_path)}
    first, second = (run("", "from render import warm\nprint(warm())", **cache) for _ in "ab")
    assert first.stdout == expected("numba") + "True\n"
    assert second.stdout == expected("numba") + "False\n"
    assert first.stderr == second.stderr == ""


def test_a_cache_that_cannot_be_written(tmp_path):
    pytest.importorskip("numba")
    (tmp_path / "file").write_text("no folder")
    result = run(NUMBA_CACHE_DIR=str(tmp_path / "file" / "cache"))
    assert result.returncode == 0, result.stderr
    assert result.stdout == expected("numba")
    assert result.stderr.count("compiled without a cache") == 1


def add_one(value: int) -> int:
    return value + 1


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """A maker of a compiled function that is kept in a folder of its own."""
    pytest.importorskip("numba")
    from render.kernels import jit

    monkeypatch.setattr(jit, "_cache_folder", lambda: tmp_path)
    return lambda: jit.Compiled(add_one, (jit.numba.int64,))


COMPILE_IN = """
import logging, pathlib, sys
logging.basicConfig(level=logging.WARNING)
from render.kernels import jit
from tests.render.adding import add_one
jit._cache_folder = lambda: pathlib.Path(sys.argv[1])
one = jit.Compiled(add_one, (jit.numba.int64,))
print(one.compile(), one(3))
"""


def test_processes_that_start_together_compile_once(tmp_path):
    pytest.importorskip("numba")
    command = [sys.executable, "-c", COMPILE_IN, str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    started = [
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    said = [process.communicate(timeout=120) for process in started]
    assert [err for _, err in said] == ["", "", ""]
    assert sorted(out.split() for out, _ in said) == [["False", "4"]] * 2 + [["True", "4"]]


@pytest.mark.parametrize("harm", ["cut", "flip", "empty", "no sums", "wrong sums"])
def test_a_damaged_cache(compiled, tmp_path, harm, caplog):
    assert compiled().compile()
    assert not compiled().compile()
    files = [path for path in tmp_path.rglob("*.nb*") if path.is_file()]
    assert len(files) == 2
    for path in files:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 255
        whole = {"cut": data[: len(data) // 2], "flip": data, "empty": b""}
        path.write_bytes(whole.get(harm, path.read_bytes()))
    if harm == "no sums":
        (tmp_path / "add_one" / "sums.json").unlink()
    if harm == "wrong sums":
        (tmp_path / "add_one" / "sums.json").write_text("[")
    assert caplog.text == ""
    one = compiled()
    assert one(3) == 4
    # Without its sums it was left by a process that was killed: nobody's fault, made anew.
    assert caplog.text.count("is damaged") == (harm != "no sums")
    assert not compiled().compile()  # it was made anew


def test_a_disk_that_is_full(compiled, monkeypatch, caplog):
    from render.kernels import jit

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(jit, "write_atomic", full)
    assert compiled()(3) == 4
    assert "add_one is compiled without a cache: OSError" in caplog.text


def test_threads_share_nothing():
    pytest.importorskip("numba")
    jobs = [(uniform(number), number) for number in range(60)]
    expected_plants = [grow(genome, seed, 3000).x.tobytes() for genome, seed in jobs]
    with ThreadPoolExecutor(4) as pool:
        plants = list(pool.map(lambda job: grow(*job, 3000).x.tobytes(), jobs))
    assert plants == expected_plants
