"""Against a ray cluster of this machine."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from evo import ClusterError, Pool, founders
from evo.clusters.ray import Ray, _in_time
from experiments import parse_config, resume, run
from tests.clusters.test_dask import results
from tests.evo.scorers import table
from tests.faults.conftest import SMALL
from tests.faults.test_signals import shorten

pytest.importorskip("ray")
# ray leaves files and sockets to the collector, and so warns of them
pytestmark = pytest.mark.filterwarnings("default")

ROOT = Path(__file__).parents[2]
GENOMES = [bytes(one) for one in founders("uniform", 23, 1)]


def test_the_same_table_by_the_same_workers():
    with Pool(table, 2, "ray") as pool:
        for _ in range(5):
            assert pool(GENOMES).tobytes() == table(GENOMES).tobytes()
        assert 1 <= len(pool.workers) <= 2


def test_a_cluster_that_is_not_there():
    with pytest.raises(ClusterError, match=r"^scheduler must be the address of a ray cluster"):
        Pool(table, -1, "ray", scheduler="127.0.0.1:1").__enter__()


@pytest.fixture
def head():
    """Start a head of two workers, and return its address, its environment and its processes."""
    environment = os.environ | {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    port = "26379"  # outside of the ranges that ray gives to workers and the system to clients
    quiet = {"env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = (sys.executable, "-m", "ray.scripts.scripts")
    began = time.time() - 1
    folder = tempfile.mkdtemp(prefix="ray")  # short: sockets have paths of 107 characters at most
    subprocess.run(
        [*command, "start", "--head", "--port", port, "--num-cpus", "2",
         "--include-dashboard", "false", "--temp-dir", folder],
        check=True, **quiet,
    )  # fmt: skip
    family = [one for one in psutil.process_iter() if started_by_ray(one, began)]
    yield f"127.0.0.1:{port}", environment, family
    for one in [*family, *(o for o in psutil.process_iter() if started_by_ray(o, began))]:
        if one.is_running():
            one.kill()
    psutil.wait_procs(family, timeout=10)
    shutil.rmtree(folder, ignore_errors=True)


def started_by_ray(process, since):
    try:
        words = " ".join(process.cmdline())
        return process.create_time() >= since and ("/ray/" in words or words.startswith("ray::"))
    except psutil.Error:
        return False


@pytest.mark.parametrize(
    ("dies", "said"),
    [
        (("gcs_server", "raylet"), r"the ray cluster 127\.0\.0\.1:26379 does not answer$"),
        (("gcs_server",), r"the ray cluster 127\.0\.0\.1:26379 does not answer$"),
        # A task that fails, or the node that is lost: whichever is seen first.
        (
            ("raylet",),
            r"(ray: LocalRayletDied|the ray cluster .* lost the node that the run is at$)",
        ),
    ],
    ids=["head", "control service", "node"],
)
def test_a_head_that_goes_away(head, tmp_path, dies, said):
    """Ray would end the process after a minute, without a message of ours."""
    address, environment, family = head
    path = tmp_path / "cut"
    (tmp_path / "small.toml").write_text(SMALL.replace("generations = 5", "generations = 5000"))
    process = subprocess.Popen(
        [sys.executable, "-m", "experiments", "run", str(tmp_path / "small.toml"), "--quiet",
         "--out", str(path), "--backend", "ray", "--scheduler", address, "--jobs", "-1"],
        cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not (path / "checkpoint" / "000002.npz").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    for one in family:
        if one.name() in dies:
            one.kill()
    killed = time.monotonic()
    _, heard = process.communicate(timeout=100)
    assert time.monotonic() - killed < 45
    assert process.returncode == 1
    last = int(max((path / "checkpoint").glob("*.npz")).stem)
    assert re.search(f"^evogarden: generation {last + 1}: {said}", heard, re.MULTILINE)
    # What it left goes on, here, to the same end as a run that was never stopped.
    assert resume_for(path, last + 2) == results(whole(tmp_path, last + 2))


def resume_for(path, generations):
    shorten(path / "checkpoint", generations)
    config = path / "config.toml"
    config.write_text(config.read_text().replace("= 5000", f"= {generations}"))
    return results(resume(path, jobs=1, backend="loky").path)


def whole(folder, generations):
    config = parse_config(SMALL, overrides=[f"evolution.generations={generations}"])
    return run(config, folder / "whole").path


def test_a_cluster_of_ones_own_beside_one_that_is_there(head):
    """Ray by itself joins the one that was started on this machine, and refuses `num_cpus`."""
    code = (
        "from evo import Pool; from tests.evo.scorers import table\n"
        "with Pool(table, 1, 'ray') as pool: print(pool(GENOMES).tolist(), pool._cluster.cores)"
    ).replace("GENOMES", repr(GENOMES[:2]))
    environment = head[1] | {"RAY_ADDRESS": head[0]}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.stdout.strip() == f"{table(GENOMES[:2]).tolist()} 1", done.stderr


def test_a_node_that_is_lost_while_others_stay():
    cluster = object.__new__(Ray)
    cluster._where, cluster._node = "there", "mine"
    nodes = [{"NodeID": "mine", "Alive": True}, {"NodeID": "other", "Alive": True}]
    cluster._ray = SimpleNamespace(nodes=lambda: nodes)
    cluster.look()
    nodes[0] = {"NodeID": "mine", "Alive": False}
    with pytest.raises(ClusterError, match=r"^the ray cluster there lost the node"):
        cluster.look()


def test_a_call_that_takes_too_long_is_left_behind():
    assert _in_time(lambda: 3, 5.0) == 3
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        _in_time(lambda: time.sleep(2), 0.1)
    assert time.monotonic() - began < 1
    with pytest.raises(ZeroDivisionError):
        _in_time(lambda: 1 / 0, 5.0)
