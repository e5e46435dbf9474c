"""Evaluation past one machine: chunks handed to a dask or a ray cluster, tables taken back.

What travels are bytes and floats: the evaluation goes as bytes, once to a worker, and is unpacked
there once. Talks to the clients of dask and ray themselves: joblib's dask backend never hears of
a task whose workers died, or of a scheduler that went away, and waits for ever.
"""

from __future__ import annotations

import importlib.util
import time
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any

import cloudpickle

from evo.checks import must
from evo.clusters.base import Cluster, ClusterError, Work
from evo.clusters.dask import Dask
from evo.clusters.ray import Ray
from evo.scoring import Evaluate

__all__ = ["CLUSTERS", "Cluster", "ClusterError", "connect", "gathered", "needs_package"]

CLUSTERS = {"dask": "distributed", "ray": "ray"}
"""Kinds of clusters, and the module that each needs."""

LOOK = 1.0
"""Seconds of silence after which the scheduler is asked whether it is there."""

LOOK_ANYWAY = 10.0
"""Seconds after which it is asked however busily workers answer: ray's go on without their head."""


def needs_package(backend: str) -> str:
    """Return what to install for a backend that lacks its package here, or an empty string."""
    module = CLUSTERS.get(backend)
    if module is None or importlib.util.find_spec(module) is not None:
        return ""
    return f"pip install 'evogarden[{backend}]'"


def connect(
    backend: str, scheduler: str | None, jobs: int, pool: str, evaluate: Evaluate, work: Work
) -> Cluster:
    """Return a cluster that is there and has the evaluation.

    Parameters
    ----------
    backend : str
        "dask" or "ray".
    scheduler : str or None
        Where it is; None starts one of `jobs` processes on this machine.
    jobs : int
        At least 1.
    pool : str
        The name that workers keep the evaluation by.
    evaluate, work : callable
        The second must be importable by workers, where this package has to be installed.

    Raises
    ------
    ValueError
        When the package of the backend is not installed.
    ClusterError
        When there is no such cluster, within ten seconds.
    """
    missing = needs_package(backend)
    if missing:
        raise must("backend", f"have its package installed ({missing})", backend)
    kind = Dask if backend == "dask" else Ray
    return kind(scheduler, jobs, pool, cloudpickle.dumps(evaluate), work)


def gathered(
    cluster: Cluster, chunks: Sequence[Sequence[bytes]], at_once: int | None
) -> Generator[Any, None, None]:
    """Yield the outcomes of chunks in their order.

    Parameters
    ----------
    cluster : Cluster
    chunks : sequence of sequences of bytes
    at_once : int or None
        The most chunks that are on their way at a time; None sends all of them.
    """
    waiting = deque(chunks)
    sent: deque[Future[Any]] = deque()
    heard = looked = time.monotonic()
    try:
        while waiting or sent:
            while waiting and (at_once is None or _open(sent) < at_once):
                sent.append(cluster.submit(waiting.popleft()))
            try:
                outcome = sent[0].result(0.01 if waiting else LOOK)
            except TimeoutError:
                if time.monotonic() - heard > LOOK:
                    cluster.look()
                    heard = looked = time.monotonic()
                continue
            except CancelledError as error:
                cluster.look()  # says why, when it is gone
                raise ClusterError("the cluster dropped a chunk on its way") from error
            sent.popleft()
            yield outcome
            heard = time.monotonic()
            if heard - looked > LOOK_ANYWAY:
                cluster.look()
                looked = time.monotonic()
    finally:
        for future in sent:
            future.cancel()


def _open(sent: deque[Future[Any]]) -> int:
    return sum(not future.done() for future in sent)
