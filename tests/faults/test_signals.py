"""Ctrl-C and SIGTERM end a run within five seconds, with a checkpoint and no process left."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from evo.clusters import needs_package
from experiments import parse_config, resume, run
from tests.faults.conftest import ROOT
from tests.faults.kills import RESULTS

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of another kind there")

LONG = """
name = "long"
seed = 3

[evolution]
population = 12
generations = {generations}

[plant]
samples = 4
max_circles = 30000
unseen_samples = 1

[picture]
width = 128
height = 128
px_per_pixel = 16.0

[[fitness]]
name = "coverage"
"""


def wait_for(condition, seconds=90):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("backend", ["loky", "dask", "ray"])
@pytest.mark.parametrize(
    ("number", "to_all"),
    [(signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGINT, True)],
    ids=["SIGINT", "SIGTERM", "SIGINT to all, as Ctrl-C"],
)
def test_a_signal_while_two_workers_are_busy(tmp_path, number, to_all, backend):
    if needs_package(backend):
        pytest.skip(needs_package(backend))
    config = tmp_path / "long.toml"
    config.write_text(LONG.format(generations=100_000))
    path = tmp_path / "run"
    process = subprocess.Popen(
        [sys.executable, "-m", "experiments", "run", str(config), "--out", str(path),
         "--jobs", "2", "--kernel", "numpy", "--backend", backend],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    checkpoint = path / "checkpoint"
    wait_for(lambda: checkpoint.exists() and len(list(checkpoint.glob("*.npz"))) == 2)
    family = psutil.Process(process.pid).children(recursive=True)
    began = time.monotonic()
    if to_all:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    _, said = process.communicate(timeout=60)
    took = time.monotonic() - began
    assert process.returncode == 128 + number
    assert took < 5
    name = signal.Signals(number).name
    assert said.decode().splitlines() == [
        f"evogarden: stopped by {name}; `evogarden resume` goes on with a run"
    ]
    _, alive = psutil.wait_procs(family, timeout=5)
    assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []
    last = max(int(file.stem) for file in checkpoint.glob("*.npz"))
    log = (path / "log.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in log[1:]] == list(map(str, range(last + 1)))
    if number == signal.SIGTERM:
        return
    # What it left goes on to the same end as a run that was never stopped.
    text = (path / "config.toml").read_text()
    end = text.replace("generations = 100000", f"generations = {last + 1}")
    whole = run(parse_config(end, overrides=["parallel.kernel=auto"]), tmp_path / "whole").path
    (path / "config.toml").write_text(end)
    data = {name: (whole / name).read_bytes() for name in RESULTS}
    shorten(checkpoint, last + 1)
    resume(path, kernel="auto", jobs=1)
    assert {name: (path / name).read_bytes() for name in RESULTS} == data


def shorten(checkpoint, generations):
    """Let the checkpoints say that fewer generations were asked for."""
    import json

    import numpy as np

    for file in checkpoint.glob("*.npz"):
        with np.load(file, allow_pickle=False) as arrays:
            held = {name: arrays[name] for name in arrays.files}
        text = json.loads(held["text"].tobytes())
        text["extra"]["config"]["evolution"]["generations"] = generations
        held["text"] = np.frombuffer(json.dumps(text).encode(), np.uint8)
        np.savez(file, **held)


def test_a_signal_that_was_wrapped_in_an_error_is_said_once():
    """As libraries do that catch everything, or fail over a child that heard Ctrl-C, too."""
    code = (
        "import os, signal, experiments.cli.app as app\n"
        "def wrapped():\n"
        "    try: os.kill(os.getpid(), signal.SIGINT)\n"
        "    except BaseException as error: raise RuntimeError('in between') from error\n"
        "app.run_command = wrapped\n"
        "from experiments.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 130
    assert done.stderr == "evogarden: stopped by SIGINT; `evogarden resume` goes on with a run\n"


@pytest.mark.skipif(bool(needs_package("ray")), reason="needs ray")
@pytest.mark.parametrize("delay", [0.1, 1.8, 2.3])
def test_ctrl_c_while_ray_starts(tmp_path, delay):
    """Ray, interrupted there, left processes behind or crashed."""
    config = tmp_path / "long.toml"
    config.write_text(LONG.format(generations=100_000))
    process = subprocess.Popen(
        [sys.executable, "-m", "experiments", "run", str(config), "--out", str(tmp_path / "run"),
         "--jobs", "2", "--kernel", "numpy", "--backend", "ray"],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    family = psutil.Process(process.pid)
    wait_for(family.children)
    time.sleep(delay)
    children = family.children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.decode().splitlines() == [
        "evogarden: stopped by SIGINT; `evogarden resume` goes on with a run"
    ]
    _, alive = psutil.wait_procs(children, timeout=5)
    assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("delay", [0.0, 0.1, 0.3, 0.6])
def test_a_signal_while_libraries_are_imported(number, delay):
    """From the moment that the command is entered: before, there is only Python itself."""
    code = (
        "import sys, time; from experiments.cli import main; import experiments.cli.signals as s\n"
        "heard = s.signal.signal\n"
        "def said(*a):\n"
        "    old = heard(*a); print('ready', flush=True); return old\n"
        "s.signal.signal = said\n"
        "sys.argv = ['evogarden', 'fitness']\n"
        "assert 'numpy' not in sys.modules\n"
        "main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline() == b"ready\n"
    assert process.stdout.readline() == b"ready\n"
    time.sleep(delay)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    name = signal.Signals(number).name
    assert said.decode() in (
        f"evogarden: stopped by {name}; `evogarden resume` goes on with a run\n",
        "",  # it had ended already
    )
    assert process.returncode == (128 + number if said else 0)
    assert said or delay > 0


def test_the_names_of_the_package():
    import experiments

    assert dir(experiments) == sorted(experiments.__all__)
    for name in experiments.__all__:
        assert getattr(experiments, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = experiments.nothing
