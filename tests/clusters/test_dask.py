"""Against a real scheduler and two worker processes on loopback."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evo import ClusterError, EvaluationError, Genetic, Pool, each, evolve, founders
from experiments import parse_config, resume, run
from experiments.config_file import dump_config
from tests.evo.scorers import combine, picky, table, total
from tests.faults.conftest import SMALL

pytest.importorskip("distributed")

ROOT = Path(__file__).parents[2]
GENOMES = [bytes(one) for one in founders("uniform", 23, 1)]
RESULTS = ("log.csv", "lineage.csv", "hall_of_fame.json")


def slow(genome):
    time.sleep(0.02)
    return total(genome)


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, n_workers):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.scheduler = self.start(
            "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"
        )
        self.workers = [self.add_worker() for _ in range(n_workers)]

    def add_worker(self):
        return self.start(
            "worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
            "--host", "127.0.0.1",
        )  # fmt: skip

    def start(self, *command):
        path = f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + command[0], *command[1:]],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": path},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def close(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster():
    made = Cluster(2)
    yield made
    made.close()


def config(scheduler=None):
    small = parse_config(SMALL, overrides=["evolution.generations=6"])
    if scheduler is None:
        return small
    given = ["parallel.backend=dask", f"parallel.scheduler={scheduler}", "parallel.jobs=-1"]
    return parse_config(dump_config(small), overrides=given)


def results(path):
    return {name: (path / name).read_bytes() for name in RESULTS}


def waited_for_two(pool):
    deadline = time.monotonic() + 30
    while pool._cluster.cores < 2 and time.monotonic() < deadline:
        pool._cluster.look()
        time.sleep(0.1)
    assert pool._cluster.cores == 2


def test_a_run_is_byte_equal_to_one_job(cluster, tmp_path):
    alone = run(config(), tmp_path / "alone").path
    assert results(run(config(cluster.address), tmp_path / "dask").path) == results(alone)


def test_both_workers_a_worker_killed_and_a_score_that_raises(cluster):
    with Pool(each(slow), -1, "dask", scheduler=cluster.address) as pool:
        waited_for_two(pool)
        expected = [total(genome) for genome in GENOMES]
        assert pool(GENOMES).tolist() == expected
        assert len(pool.workers) == 2
        assert not any(worker.endswith(f":{os.getpid()}") for worker in pool.workers)
        kill = cluster.workers[0]
        pool.progress = lambda _: kill.send_signal(signal.SIGKILL)
        assert pool(GENOMES).tolist() == expected
        kill.wait()
        cluster.workers.append(cluster.add_worker())
        pool.progress = None
        waited_for_two(pool)
        assert pool(GENOMES).tolist() == expected
    with (
        Pool(each(picky), 2, "dask", scheduler=cluster.address) as pool,
        pytest.raises(Exception, match=r"index \d+, genome .*ValueError: no plant of"),
    ):
        list(evolve(pool, Genetic(20), seed=1, generations=0))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere"])
def test_a_scheduler_that_is_not_there(address):
    start = time.monotonic()
    with pytest.raises(ClusterError, match=r"^scheduler must be the address of a dask scheduler"):
        Pool(table, -1, "dask", scheduler=address).__enter__()
    assert time.monotonic() - start < 10


def test_a_scheduler_that_goes_away(cluster, tmp_path):
    small = config(cluster.address)

    class Ends:
        """Kills the scheduler after two generations."""

        def __getattr__(self, _):
            return lambda *_: None

        def generation(self, generation):
            if generation.number == 2:
                cluster.scheduler.kill()
                self.killed = time.monotonic()

    ends = Ends()
    with pytest.raises(EvaluationError, match=r"^generation \d+: the dask scheduler tcp"):
        run(small, tmp_path / "cut", ends)
    assert time.monotonic() - ends.killed < 20
    other = resume(tmp_path / "cut", jobs=1, backend="loky")
    assert other.generation.number == 6
    assert results(other.path) == results(run(config(), tmp_path / "whole").path)


def test_a_cluster_of_this_machine():
    with Pool(table, 2, "dask") as pool:
        rows = pool(GENOMES)
    assert rows.tobytes() == table(GENOMES).tobytes()
    assert combine(rows).shape == (23,)


class Failing:
    """What can be awaited, and fails then. (A coroutine warns when nobody awaits it.)"""

    def __init__(self, first):
        self.first = first

    def __await__(self):
        yield from self.first.__await__()
        raise AssertionError


def test_a_client_that_fails_to_close_stands_in_nobodys_way(monkeypatch):
    import distributed

    close = distributed.Client.close

    def closed_in_between(self, *arguments, **keywords):
        closed = self.status == "closed"  # a client that is collected closes once more
        closing = close(self, *arguments, **keywords)
        return closing if closed else Failing(closing)

    monkeypatch.setattr(distributed.Client, "close", closed_in_between)
    with Pool(table, 1, "dask") as pool:
        assert pool(GENOMES[:2]).tobytes() == table(GENOMES[:2]).tobytes()


def deadly(genome):
    """End the worker at one of the genomes."""
    if genome == GENOMES[3]:
        os._exit(1)
    return total(genome)


def test_a_genome_that_kills_every_worker_is_given_up():
    with (
        Pool(each(deadly), 1, "dask") as pool,
        pytest.raises(ClusterError, match=r"workers died again and again over a chunk"),
    ):
        pool(GENOMES)


def test_a_cluster_whose_workers_are_all_gone(cluster, monkeypatch):
    monkeypatch.setattr("evo.clusters.dask.FIRST_WORKER", 2.0)
    with Pool(each(slow), -1, "dask", scheduler=cluster.address) as pool:
        waited_for_two(pool)
        for worker in cluster.workers:
            worker.kill()
        cluster.workers.append(cluster.add_worker())
        assert pool(GENOMES).tolist() == [total(genome) for genome in GENOMES]
        cluster.workers[-1].kill()
        with pytest.raises(ClusterError, match=r"scheduler tcp.* had no worker for 2 s"):
            pool(GENOMES)
