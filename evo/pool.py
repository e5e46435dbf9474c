"""Evaluation side by side: one joblib pool for a whole run.

Workers are handed the evaluation once; after that they get bytes and give floats. Results do not
depend on jobs, backend or chunks, since a row of the table belongs to one genome alone.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Generator, Sequence
from concurrent.futures.process import BrokenProcessPool
from itertools import pairwise
from typing import Any, Self, TypeAlias
from uuid import uuid4

import joblib
import numpy as np
from joblib.externals.loky.process_executor import ShutdownExecutorError
from numpy.typing import NDArray

from evo.backends import Processes, Threads
from evo.checks import choice, must, whole
from evo.clusters import CLUSTERS, Cluster, ClusterError, connect, gathered, needs_package
from evo.scoring import Evaluate, EvaluationError, GenomeError, attempt

__all__ = ["BACKENDS", "ClusterError", "Pool", "WorkerError", "follow_parent", "n_jobs"]

BACKENDS = ("loky", "threading", *CLUSTERS)
"""Ways to evaluate in parallel: on this machine by joblib, and past it."""

CHUNKS_A_JOB = 4
"""Chunks that a batch is cut into, for each job: more balance better, fewer travel less."""

_LOOK = 1.0
"""Seconds until joblib is asked what became of a chunk that nothing was heard of."""

_log = logging.getLogger(__name__)
_turn = threading.Lock()
"""joblib keeps one set of worker processes, so that two pools take turns with it."""

_received: dict[str, Evaluate] = {}
"""Evaluations by pool: in a worker the one that it was handed, else those of this process."""


class WorkerError(EvaluationError):
    """Worker processes died twice over the same batch."""


class _OtherPoolError(Exception):
    """A task reached worker processes of another pool."""


_Outcome: TypeAlias = NDArray[np.float64] | Exception
"""What a chunk gave: a table, or what was raised, in a form that can be pickled."""


def n_jobs(jobs: int) -> int:
    """Return how many jobs a number of jobs means.

    Parameters
    ----------
    jobs : int
        At least 1, or -1 for the processors that this process may use (its affinity and its
        container's limit), -2 for one fewer, and so on; 0 is refused.
    """
    jobs = whole("jobs", jobs)
    if jobs == 0:
        raise must("jobs", "be at least 1, or below 0 to count from all processors", jobs)
    return jobs if jobs > 0 else max(1, joblib.cpu_count() + 1 + jobs)


def follow_parent(parent: int) -> None:
    """Prepare a worker process: it leaves Ctrl-C to its parent, and does not outlive it.

    Parameters
    ----------
    parent : int
        The process id of whoever started it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _receive(pool: str, evaluate: Evaluate, parent: int) -> None:
    follow_parent(parent)
    _received.clear()
    _received[pool] = evaluate


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _in_worker(pool: str, genomes: Sequence[bytes]) -> tuple[int, _Outcome]:
    if pool not in _received:
        return os.getpid(), _OtherPoolError()
    return _evaluated(_received[pool], genomes)


def _outcome(evaluate: Evaluate, genomes: Sequence[bytes]) -> _Outcome:
    return _evaluated(evaluate, genomes)[1]


def _evaluated(evaluate: Evaluate, genomes: Sequence[bytes]) -> tuple[int, _Outcome]:
    """Return the process and the outcome; over a raised one joblib would end every worker."""
    try:
        return os.getpid(), attempt(evaluate, genomes)
    except GenomeError as error:
        failure: EvaluationError = error
        cause = error.__cause__
    except Exception as error:  # noqa: BLE001  # raised by the parent
        failure = EvaluationError(f"{type(error).__name__}: {error}")
        cause = error
    failure.add_note("".join(traceback.format_exception(cause)))  # a cause is not pickled
    return os.getpid(), failure


class Pool:
    """An evaluation that spreads over worker processes or threads.

    Itself an evaluation: from n genomes to a table whose first axis is n, in their order.
    A context manager: leaving it ends the workers.

    Parameters
    ----------
    evaluate : callable
        See `evo.evolve`. With "loky" it must be importable or picklable by cloudpickle.
    jobs : int
        See `n_jobs`; 1 evaluates in this process. With a scheduler: the most chunks that are on
        their way at a time, or -1 for as many as the cluster takes.
    backend : str
        "loky" (processes), "threading", "dask" or "ray" (clusters).
    progress : callable of int, optional
        Told how many more genomes have been evaluated.
    scheduler : str, optional
        The address of a dask or ray cluster; by default one is started on this machine.

    Attributes
    ----------
    workers : set of int or str
        Who evaluated something: process ids, at a cluster "host:process id".

    Raises
    ------
    ValueError
        For an argument out of its range, or a backend whose package is not installed.
    """

    def __init__(
        self,
        evaluate: Evaluate,
        jobs: int = -1,
        backend: str = "loky",
        progress: Callable[[int], None] | None = None,
        scheduler: str | None = None,
    ) -> None:
        self.evaluate = evaluate
        self.jobs = n_jobs(jobs)
        self.backend = choice("backend", backend, BACKENDS)
        missing = needs_package(self.backend)
        if missing:
            raise must("backend", f"have its package installed ({missing})", backend)
        if scheduler is not None and backend not in CLUSTERS:
            raise must("scheduler", f"be given with one of {list(CLUSTERS)} alone", scheduler)
        self.scheduler = scheduler
        self._at_once = None if jobs == -1 else self.jobs
        self._cluster: Cluster | None = None
        self.progress = progress
        self.workers: set[int | str] = set()
        self._parallel: joblib.Parallel | None = None
        self._id = uuid4().hex

    @property
    def place(self) -> str:
        """Where it evaluates, in words."""
        if self.backend in CLUSTERS:
            return f"{self.backend} at {self.scheduler or 'this machine'}, {self._width()} jobs"
        return "in this process" if self.jobs == 1 else f"{self.jobs} jobs, {self.backend}"

    def __call__(self, genomes: Sequence[bytes]) -> NDArray[np.float64]:
        """Return the table of the genomes.

        Raises
        ------
        GenomeError
            When the evaluation of a genome raised.
        WorkerError
            When a worker died, and one more after all of them were started anew.
        ClusterError
            When a cluster is not there, goes away, or loses workers again and again.
        """
        if self.backend in CLUSTERS:
            self._connected()
        chunks = self._chunks(genomes)
        rows: list[NDArray[np.float64]] = []
        deaths = 0
        with _turn if self.backend == "loky" else contextlib.nullcontext():
            while len(rows) < len(chunks):
                try:
                    self._run(chunks[len(rows) :], rows)
                except BrokenProcessPool as error:
                    self.kill()
                    deaths += 1
                    if deaths == 2:
                        raise WorkerError(f"workers died twice over a batch: {error}") from error
                    _log.warning("a worker died (%s); what it had is evaluated once more", error)
                except (_OtherPoolError, ShutdownExecutorError):
                    self.kill()  # joblib's workers went to someone else in between
                except BaseException:
                    self.kill()
                    raise
        return np.concatenate(rows) if rows else np.empty(0)

    def _chunks(self, genomes: Sequence[bytes]) -> list[list[bytes]]:
        """Cut a batch into chunks that grow smaller, so that all jobs are done at about once."""
        n = self._width() * CHUNKS_A_JOB
        plain = [bytes(genome) for genome in genomes]
        # the part before chunk i is 7/4 t - 3/4 t^2 of it, with t = i / n: the last chunk is small
        ends = [len(plain) * i * (7 * n - 3 * i) // (4 * n * n) for i in range(n + 1)]
        return [plain[i:j] for i, j in pairwise(ends) if i < j]

    def _width(self) -> int:
        """Return how many chunks are worked on at a time."""
        if self._cluster is None:
            return self.jobs
        return min(self._cluster.cores, self._at_once or self._cluster.cores) or 1

    def _connected(self) -> Cluster:
        if self._cluster is None:
            self._cluster = connect(
                self.backend, self.scheduler, self.jobs, self._id, self.evaluate, _outcome
            )
        return self._cluster

    def _run(self, chunks: Sequence[Sequence[bytes]], rows: list[NDArray[np.float64]]) -> None:
        """Evaluate chunks, and append a table of each to the rows, in their order."""
        if self.backend in CLUSTERS:
            results = gathered(self._connected(), chunks, self._at_once)
        elif self.jobs == 1:
            results = (_evaluated(self.evaluate, chunk) for chunk in chunks)
        elif self.backend == "threading":
            results = self._started()(joblib.delayed(_evaluated)(self.evaluate, c) for c in chunks)
        else:
            results = self._started()(joblib.delayed(_in_worker)(self._id, c) for c in chunks)
        try:
            self._collect(chunks, results, rows)
        except BaseException as error:
            results.throw(error)  # ends joblib's call now, and not when it is collected
            raise

    def _collect(
        self,
        chunks: Sequence[Sequence[bytes]],
        results: Generator[tuple[int | str, _Outcome], None, None],
        rows: list[NDArray[np.float64]],
    ) -> None:
        for chunk, (worker, outcome) in zip(self._done(chunks), results, strict=True):
            if isinstance(outcome, GenomeError):
                index = sum(map(len, rows)) + outcome.index
                raise GenomeError(index, outcome.genome, outcome.reason) from outcome
            if isinstance(outcome, Exception):
                raise outcome
            self.workers.add(worker)
            rows.append(outcome)
            if self.progress:
                self.progress(len(chunk))

    def _done(self, chunks: Sequence[Sequence[bytes]]) -> Generator[Sequence[bytes], None, None]:
        """Give each chunk once its result is there, so that joblib need not look for it."""
        for i, chunk in enumerate(chunks):
            done = self._told()
            if i < len(done):
                done[i].wait(_LOOK)
            yield chunk

    def _told(self) -> list[threading.Event]:
        """Return what joblib's backend tells of its tasks; in a daemon it has none of ours."""
        backend = None if self._parallel is None else self._parallel._backend
        return backend.done if isinstance(backend, Threads | Processes) else []

    def _started(self) -> joblib.Parallel:
        if self._parallel is None:
            loky = self.backend == "loky"
            place = Processes(inner_max_num_threads=1) if loky else Threads()
            handed: dict[str, Any] = {}
            if loky:
                _received[self._id] = self.evaluate  # joblib may run it here, in a daemon
                handed = {
                    "initializer": _receive,
                    "initargs": (self._id, self.evaluate, os.getpid()),
                }
            # The limit of threads is heard here alone: Parallel takes it and leaves it.
            with joblib.parallel_config(place):
                self._parallel = joblib.Parallel(
                    n_jobs=self.jobs,
                    batch_size=1,
                    pre_dispatch="all",
                    return_as="generator",
                    **handed,
                )
            self._parallel.__enter__()
        self._told().clear()
        return self._parallel

    def kill(self) -> None:
        """End the workers at once; the next call starts new ones."""
        parallel, self._parallel = self._parallel, None
        _received.pop(self._id, None)
        cluster, self._cluster = self._cluster, None
        if cluster is not None:
            cluster.close()
        if parallel is None:
            return
        backend = parallel._backend
        if self.backend == "loky" and getattr(backend, "_workers", None) is not None:
            backend.abort_everything(ensure_ready=False)
        else:
            parallel.__exit__(None, None, None)

    def __enter__(self) -> Self:
        if self.backend in CLUSTERS:
            self._connected()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
