"""Evaluation side by side: one joblib pool for a whole run.

Workers are handed the evaluation once; after that they get bytes and give floats. Results do not
depend on jobs, backend or chunks, since a row of the table belongs to one genome alone.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from typing import Any, Self

import joblib
import numpy as np
from joblib.externals.loky.process_executor import TerminatedWorkerError
from numpy.typing import NDArray

from evo.checks import choice, must, whole
from evo.loop import Evaluate

__all__ = ["BACKENDS", "Pool", "WorkerError", "n_jobs"]

BACKENDS = ("loky", "threading")
"""Ways to evaluate in parallel, by joblib's names."""

CHUNKS_A_JOB = 4
"""Chunks that a batch is cut into, for each job: more balance better, fewer travel less."""

_log = logging.getLogger(__name__)
_received: list[Evaluate] = []


class WorkerError(RuntimeError):
    """Worker processes died twice over the same batch."""


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


def _receive(evaluate: Evaluate) -> None:
    _received[:] = [evaluate]


def _in_worker(genomes: Sequence[bytes]) -> tuple[int, NDArray[np.float64]]:
    return os.getpid(), _received[0](genomes)


class Pool:
    """An evaluation that spreads over worker processes or threads.

    Itself an evaluation: from n genomes to a table whose first axis is n, in their order.
    A context manager: leaving it ends the workers.

    Parameters
    ----------
    evaluate : callable
        See `evo.evolve`. With "loky" it must be importable or picklable by cloudpickle.
    jobs : int
        See `n_jobs`; 1 evaluates in this process.
    backend : str
        "loky" (processes) or "threading".
    progress : callable of int, optional
        Told how many more genomes have been evaluated.

    Attributes
    ----------
    workers : set of int
        Process ids that evaluated something.
    """

    def __init__(
        self,
        evaluate: Evaluate,
        jobs: int = -1,
        backend: str = "loky",
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.evaluate = evaluate
        self.jobs = n_jobs(jobs)
        self.backend = choice("backend", backend, BACKENDS)
        self.progress = progress
        self.workers: set[int] = set()
        self._parallel: joblib.Parallel | None = None

    def __call__(self, genomes: Sequence[bytes]) -> NDArray[np.float64]:
        """Return the table of the genomes.

        Raises
        ------
        WorkerError
            When a worker died, and one more after all of them were started anew.
        """
        chunks = self._chunks(genomes)
        try:
            return self._run(chunks)
        except TerminatedWorkerError as error:
            _log.warning("a worker process died (%s); its batch is evaluated once more", error)
            self.kill()
        try:
            return self._run(chunks)
        except TerminatedWorkerError as error:
            self.kill()
            raise WorkerError(f"worker processes died twice over one batch: {error}") from error

    def _chunks(self, genomes: Sequence[bytes]) -> list[list[bytes]]:
        size = max(1, -(-len(genomes) // (self.jobs * CHUNKS_A_JOB)))
        plain = [bytes(genome) for genome in genomes]
        return [plain[i : i + size] for i in range(0, len(plain), size)]

    def _run(self, chunks: Sequence[Sequence[bytes]]) -> NDArray[np.float64]:
        if self.jobs == 1:
            results = ((os.getpid(), self.evaluate(chunk)) for chunk in chunks)
        elif self.backend == "threading":
            results = self._started()(joblib.delayed(self._in_thread)(chunk) for chunk in chunks)
        else:
            results = self._started()(joblib.delayed(_in_worker)(chunk) for chunk in chunks)
        rows = []
        for (worker, table), chunk in zip(results, chunks, strict=True):
            self.workers.add(worker)
            rows.append(_checked(table, len(chunk)))
            if self.progress:
                self.progress(len(chunk))
        return np.concatenate(rows)

    def _in_thread(self, genomes: Sequence[bytes]) -> tuple[int, NDArray[np.float64]]:
        return os.getpid(), self.evaluate(genomes)

    def _started(self) -> joblib.Parallel:
        if self._parallel is None:
            options: dict[str, Any] = {}
            if self.backend == "loky":
                options = {
                    "initializer": _receive,
                    "initargs": (self.evaluate,),
                    "inner_max_num_threads": 1,
                }
            self._parallel = joblib.Parallel(
                n_jobs=self.jobs,
                backend=self.backend,
                batch_size=1,
                pre_dispatch="all",
                return_as="generator",
                **options,
            )
            self._parallel.__enter__()
        return self._parallel

    def kill(self) -> None:
        """End the workers at once; the next call starts new ones."""
        parallel, self._parallel = self._parallel, None
        if parallel is None:
            return
        backend = parallel._backend
        if self.backend == "loky" and getattr(backend, "_workers", None) is not None:
            backend.abort_everything(ensure_ready=False)
        else:
            parallel.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


def _checked(table: object, n: int) -> NDArray[np.float64]:
    rows = np.asarray(table)
    if rows.ndim < 1 or len(rows) != n or rows.dtype.kind not in "iuf":
        raise must("evaluate", f"return numbers with a first axis of {n}", table)
    return rows.astype(np.float64)
