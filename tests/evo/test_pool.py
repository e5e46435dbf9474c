import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import joblib
import numpy as np
import psutil
import pytest

import evo.pool
from evo import EvaluationError, Genetic, Pool, WorkerError, each, evolve, founders
from evo.pool import n_jobs
from evo.scoring import GenomeError
from tests.evo.scorers import Dies, DiesAt, Killed, awkward, combine, picky, table, total
from tests.evo.test_loop import shown

GENOMES = [bytes(one) for one in founders("uniform", 23, 1)]


def children():
    """Worker processes alive; joblib's resource tracker, which serves all of them, is none."""
    alive = []
    for process in psutil.Process().children(recursive=True):
        try:
            if process.status() != psutil.STATUS_ZOMBIE and not any(
                "resource_tracker" in word for word in process.cmdline()
            ):
                alive.append(process)
        except psutil.NoSuchProcess:
            continue
    return alive


@pytest.fixture(autouse=True)
def no_worker_is_left():
    yield
    _, alive = psutil.wait_procs(children(), timeout=5)
    assert alive == []


def run(evaluate, **keywords):
    return list(
        evolve(evaluate, Genetic(9), seed=4, generations=3, combine=combine,
               score_names=("a", "b"), **keywords)
    )  # fmt: skip


@pytest.mark.parametrize("backend", ["loky", "threading"])
@pytest.mark.parametrize(("jobs", "chunks"), [(1, 4), (2, 1), (2, 100), (3, 4), (-1, 4)])
def test_jobs_backends_and_chunks_give_the_same(backend, jobs, chunks, monkeypatch):
    monkeypatch.setattr(evo.pool, "CHUNKS_A_JOB", chunks)
    with Pool(table, jobs, backend) as pool:
        assert shown(run(pool)) == shown(run(table))


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_rows_are_in_the_order_of_the_genomes(backend):
    with Pool(each(awkward), 2, backend) as pool:
        for n in (0, 1, 2, 3, 8, 9, 23):
            rows = pool([bytearray(genome) for genome in GENOMES[:n]])
            assert rows.tolist() == [awkward(genome) for genome in GENOMES[:n]]
            assert pool(GENOMES[:n]).tobytes() == rows.tobytes()


def test_chunks_grow_smaller_and_hold_all():
    pool = Pool(table, 2)
    sizes = [len(chunk) for chunk in pool._chunks([b""] * 200)]
    assert sizes == sorted(sizes, reverse=True)
    assert (sum(sizes), len(sizes), sizes[-1]) == (200, 8, 9)
    for n in range(70):
        given = [bytes([i]) for i in range(n)]
        chunks = pool._chunks(given)
        assert [genome for chunk in chunks for genome in chunk] == given
        assert all(chunks)
        assert len(chunks) <= 8


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_a_batch_does_not_wait_for_joblib_to_look(backend, monkeypatch):
    """Joblib sleeps between two looks at whether a task is done: here for long."""
    looks = []

    class Time:
        """The module, as joblib's main loop sees it."""

        sleep = staticmethod(looks.append)

        def __getattr__(self, name):
            return getattr(time, name)

    monkeypatch.setattr("joblib.parallel.time", Time())
    monkeypatch.setattr("evo.pool._LOOK", 60.0)
    with Pool(each(total), 2, backend) as pool:
        for _ in range(20):
            pool(GENOMES)
    assert looks == []


def test_twenty_generations_by_the_same_workers():
    start = time.perf_counter()
    with Pool(each(total), 2) as pool:
        numbers = []
        for generation in evolve(pool, Genetic(64), seed=1, generations=20):
            numbers.append(generation.number)
            assert len(pool.workers) <= 2
        workers = {process.pid for process in children()}
        assert pool.workers <= workers
        assert os.getpid() not in pool.workers
    assert numbers == list(range(21))
    assert time.perf_counter() - start < 15  # about 1 s


def test_one_job_and_threads_stay_in_this_process():
    for jobs, backend in ((1, "loky"), (2, "threading")):
        with Pool(each(total), jobs, backend) as pool:
            pool(GENOMES)
            assert pool.workers == {os.getpid()}
            assert children() == []


def test_two_pools_at_once_keep_to_their_own():
    # joblib has one set of workers a process: the second pool's must not score for the first.
    with Pool(each(total), 2) as one, Pool(each(awkward), 2) as two:
        for _ in range(2):
            assert one(GENOMES).tolist() == [total(genome) for genome in GENOMES]
            assert two(GENOMES).tolist() == [awkward(genome) for genome in GENOMES]


def test_two_pools_in_two_threads_take_turns():
    found = {}

    def score(function):
        with Pool(each(function), 2) as pool:
            found[function] = [pool(GENOMES).tolist() for _ in range(2)]

    threads = [threading.Thread(target=score, args=(f,)) for f in (total, awkward)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for function, rows in found.items():
        assert rows == [[function(genome) for genome in GENOMES]] * 2
    assert len(found) == 2


def test_a_users_own_joblib_in_between():
    with Pool(each(total), 2) as pool:
        first = pool(GENOMES)
        own = joblib.Parallel(n_jobs=2)(joblib.delayed(abs)(-i) for i in range(9))
        assert own == list(range(9))
        assert pool(GENOMES).tolist() == first.tolist()


def daemon_run(queue):
    with Pool(each(total), 2) as pool:
        queue.put(pool(GENOMES).tolist())


def test_within_a_daemon_that_may_have_no_children():
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=daemon_run, args=(queue,), daemon=True)
    process.start()
    assert queue.get(timeout=60) == [total(genome) for genome in GENOMES]
    process.join()
    queue.close()


@pytest.mark.parametrize("dying", [Dies, Killed])
def test_a_worker_that_dies_once(tmp_path, caplog, dying):
    (tmp_path / "fuse").touch()
    counts = []
    with (
        caplog.at_level(logging.WARNING),
        Pool(each(dying(tmp_path)), 2, progress=counts.append) as pool,
    ):
        assert pool(GENOMES).tolist() == [total(genome) for genome in GENOMES]
        assert pool(GENOMES).tolist() == [total(genome) for genome in GENOMES]
    assert [r.message[:13] for r in caplog.records if r.name == "evo.pool"] == ["a worker died"]
    assert sum(counts) == 2 * len(GENOMES)


def test_what_was_finished_before_a_death_is_kept(tmp_path):
    (tmp_path / "fuse").touch()
    counts = []
    with Pool(each(DiesAt(tmp_path, GENOMES[-1])), 2, progress=counts.append) as pool:
        assert pool(GENOMES).tolist() == [total(genome) for genome in GENOMES]
    assert list(tmp_path.iterdir()) == []
    assert sum(counts) == len(GENOMES)


def test_a_worker_that_dies_between_generations(caplog):
    with caplog.at_level(logging.WARNING), Pool(each(total), 2) as pool:
        pool(GENOMES)
        for process in children():
            process.kill()
        assert pool(GENOMES).tolist() == [total(genome) for genome in GENOMES]
    assert len([r for r in caplog.records if r.name == "evo.pool"]) == 1


def test_a_worker_that_dies_again_stops_the_run(tmp_path):
    def light():
        for i in range(50):
            (tmp_path / f"fuse{i}").touch()

    made = []
    with Pool(each(Dies(tmp_path)), 2) as pool:
        with pytest.raises(EvaluationError, match="^generation 2: workers died twice") as raised:
            for generation in evolve(pool, Genetic(9), seed=4, generations=5):
                made.append(generation)
                if generation.number == 1:
                    light()
        assert isinstance(raised.value.__cause__, WorkerError)
        assert [generation.number for generation in made] == [0, 1]
        for fuse in tmp_path.iterdir():
            fuse.unlink()
        rest = list(evolve(pool, Genetic(9), seed=4, generations=5, start=made[-1]))
    alone = list(evolve(each(total), Genetic(9), seed=4, generations=5))
    assert shown(made + rest) == shown(alone)


@pytest.mark.parametrize(("jobs", "backend"), [(1, "loky"), (2, "loky"), (2, "threading")])
def test_a_score_that_raises(jobs, backend):
    index = next(i for i, genome in enumerate(GENOMES) if genome[3] % 8 == 0)
    with Pool(each(picky), jobs, backend) as pool:
        for _ in range(2):
            with pytest.raises(GenomeError) as raised:
                pool(GENOMES)
            assert raised.value.index == index
            assert raised.value.genome == GENOMES[index]
            assert raised.value.reason == f"ValueError: no plant of {GENOMES[index][3]}"
            assert "in picky" in "".join(raised.value.__cause__.__notes__)
        good = [genome for genome in GENOMES if genome[3] % 8]
        assert pool(good).tolist() == [total(genome) for genome in good]


class UnpicklableError(Exception):
    def __init__(self):
        super().__init__("holds a lock")
        self.lock = threading.Lock()


def raises_what_cannot_travel(genome):
    raise UnpicklableError


def returns_a_pair(genome):
    return (1, 2)


def batch_of_wrong_length(genomes):
    return np.zeros(len(genomes) + 1)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("evaluate", "message"),
    [
        (each(raises_what_cannot_travel), "UnpicklableError: holds a lock"),
        (each(returns_a_pair), r"returns_a_pair must return a number, got \(1, 2\)"),
        (batch_of_wrong_length, "batch_of_wrong_length must return numbers with a first axis of"),
    ],
)
def test_other_failures(jobs, evaluate, message):
    with Pool(evaluate, jobs) as pool, pytest.raises(EvaluationError, match=message):
        pool(GENOMES)


def test_a_run_names_generation_index_and_genome():
    with Pool(each(picky), 2) as pool, pytest.raises(EvaluationError) as raised:
        list(evolve(pool, Genetic(30, founders="uniform"), seed=3))
    assert str(raised.value).startswith("generation 0, index ")
    assert "ValueError: no plant of " in str(raised.value)


ORPHANS = """
import os, signal, sys
from evo import Pool, each
from tests.evo.scorers import total
pool = Pool(each(total), 2)
while len(pool.workers) < 2:
    pool([bytes([i]) * 180 for i in range(200)])
print(*pool.workers, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL there")
def test_workers_do_not_outlive_a_parent_that_was_killed():
    ended = subprocess.run(
        [sys.executable, "-c", ORPHANS], stdout=subprocess.PIPE, timeout=60, check=False
    )
    assert ended.returncode == -signal.SIGKILL
    workers = list(map(int, ended.stdout.split()))
    assert len(workers) == 2
    deadline = time.monotonic() + 10
    while any(map(is_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, workers))


def is_alive(number):
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_an_interrupt_ends_the_workers():
    def stop(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Pool(each(total), 2, progress=stop) as pool:
        pool(GENOMES)


def test_a_lambda_travels():
    factor = 3.0
    with Pool(each(lambda genome: genome[0] * factor), 2) as pool:
        assert pool(GENOMES).tolist() == [genome[0] * factor for genome in GENOMES]


@pytest.mark.parametrize("backend", ["loky", "threading"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_counts_finished_evaluations(jobs, backend):
    counts = []
    with Pool(each(total), jobs, backend, counts.append) as pool:
        pool(GENOMES)
    assert sum(counts) == len(GENOMES)
    assert all(count > 0 for count in counts)
    assert len(counts) > 1


def threads_of_libraries(genomes):
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    return np.array([[float(os.environ.get(name, "0")) for name in names] for _ in genomes])


def test_a_worker_has_one_thread_a_library(monkeypatch):
    monkeypatch.setattr("joblib._parallel_backends.cpu_count", lambda *_, **__: 8)
    with Pool(threads_of_libraries, 2) as pool:
        assert np.unique(pool(GENOMES)).tolist() == [1.0]


def test_closing_twice_and_using_again():
    pool = Pool(each(total), 2)
    pool.kill()
    with pool:
        first = pool(GENOMES).tolist()
    assert children() == []
    with pool:
        assert pool(GENOMES).tolist() == first
    pool.kill()


def test_ending_workers_while_tasks_wait_for_them_leaves_no_failed_thread(monkeypatch):
    failed = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    with Pool(each(total), 2) as pool:
        pool(GENOMES)
        executor = pool._parallel._backend._workers
        tasks = [executor.submit(time.sleep, 5) for _ in range(50)]
    assert failed == []
    assert all(task.done() for task in tasks)


def test_n_jobs(monkeypatch):
    assert [n_jobs(jobs) for jobs in (1, 7)] == [1, 7]
    monkeypatch.setattr(joblib, "cpu_count", lambda: 4)
    assert [n_jobs(jobs) for jobs in (-1, -2, -4, -9)] == [4, 3, 1, 1]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity here")
def test_minus_one_follows_the_affinity():
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert n_jobs(-1) == 1
    finally:
        os.sched_setaffinity(0, before)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"jobs": 0}, "jobs must be at least 1, or below 0 to count from all processors, got 0"),
        ({"jobs": 2.0}, "jobs must be a whole number, got 2.0"),
        ({"jobs": None}, "jobs must be a whole number, got None"),
        ({"backend": "lokey"}, r"backend must be one of .* \(nearest: 'loky'\), got 'lokey'"),
    ],
)
def test_words_of_errors(keywords, message):
    with pytest.raises(ValueError, match=message):
        Pool(each(total), **keywords)
