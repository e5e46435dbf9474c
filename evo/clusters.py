"""Evaluation past one machine: chunks handed to a dask or a ray cluster, tables taken back.

What travels are bytes and floats: the evaluation goes as bytes, once to a worker, and is unpacked
there once. Talks to the clients of dask and ray themselves: joblib's dask backend never hears of
a task whose workers died, or of a scheduler that went away, and waits for ever.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
import logging
import os
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from typing import Any, Protocol, TypeAlias

import cloudpickle

from evo.checks import must
from evo.scoring import Evaluate, EvaluationError

__all__ = ["CLUSTERS", "Cluster", "ClusterError", "connect", "needs_package"]

CLUSTERS = {"dask": "distributed", "ray": "ray"}
"""Kinds of clusters, and the module that each needs."""

CONNECTING = 5.0
"""Seconds in which a scheduler has to answer."""

FIRST_WORKER = 60.0
"""Seconds in which a cluster has to have a worker, at first and when it has lost all of them."""

LOOK = 1.0
"""Seconds of silence after which the scheduler is asked whether it is there."""

_DEAF = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
"""For workers of one's own: Ctrl-C, which reaches all of a terminal, is the run's to handle."""

Work: TypeAlias = Callable[[Evaluate, Sequence[bytes]], Any]
"""What a worker does with the evaluation and a chunk of genomes."""

_log = logging.getLogger(__name__)

_unpacked: dict[str, Evaluate] = {}
"""In a worker: evaluations by pool, the newest last."""

_KEPT = 4
"""Evaluations that a worker keeps: as many runs share it without unpacking anew."""


class ClusterError(EvaluationError):
    """A cluster cannot be reached, went away, or lost its workers again and again."""


class Cluster(Protocol):
    """A place that evaluates chunks."""

    @property
    def cores(self) -> int:
        """Chunks that it works on at a time."""

    def submit(self, chunk: Sequence[bytes]) -> Future[Any]:
        """Return the outcome to come of a chunk."""

    def look(self) -> None:
        """Raise ClusterError when it is gone."""

    def close(self) -> None:
        """Let go of it, and end what was started with it."""


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
    kind = _Dask if backend == "dask" else _Ray
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
    heard = time.monotonic()
    try:
        while waiting or sent:
            while waiting and (at_once is None or _open(sent) < at_once):
                sent.append(cluster.submit(waiting.popleft()))
            try:
                outcome = sent[0].result(0.01 if waiting else LOOK)
            except TimeoutError:
                if time.monotonic() - heard > LOOK:
                    cluster.look()
                    heard = time.monotonic()
                continue
            except CancelledError as error:
                cluster.look()  # says why, when it is gone
                raise ClusterError("the cluster dropped a chunk on its way") from error
            sent.popleft()
            yield outcome
            heard = time.monotonic()
    finally:
        for future in sent:
            future.cancel()


def _open(sent: deque[Future[Any]]) -> int:
    return sum(not future.done() for future in sent)


def _at_worker(pool: str, packed: bytes, genomes: Sequence[bytes], work: Work) -> tuple[str, Any]:
    """Return who evaluated and the outcome, in a worker."""
    name = f"{socket.gethostname()}:{os.getpid()}"
    if pool not in _unpacked:
        try:
            _unpacked[pool] = cloudpickle.loads(packed)
        except Exception as error:  # noqa: BLE001  # raised by the run
            return name, ClusterError(
                f"worker {name} cannot load the evaluation; the packages that it uses must be "
                f"installed there: {type(error).__name__}: {error}"
            )
        for old in list(_unpacked)[:-_KEPT]:
            _unpacked.pop(old, None)
    return name, work(_unpacked[pool], genomes)


class _Dask:
    """A client on an event loop of its own.

    distributed's own loop for blocking clients has a lock that the collector may take, by the
    `__del__` of a client that could not connect, in the very thread that holds it. Here a client
    lives and is closed on one loop, whether it connected or not.
    """

    def __init__(
        self, scheduler: str | None, jobs: int, pool: str, packed: bytes, work: Work
    ) -> None:
        self._where = scheduler or "on this machine"
        self._pool, self._work = pool, work
        self.cores = 0
        self._empty_since: float | None = None
        self._local: Any = None
        self._client: Any = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="dask", daemon=True)
        self._thread.start()
        try:
            self._on_loop(self._connect(scheduler, jobs)).result()
            while self.cores == 0:
                self.look()
                time.sleep(0 if self.cores else 0.1)
            self._packed = self._on_loop(self._spread(packed)).result()
        except BaseException:
            self.close()
            raise

    async def _connect(self, scheduler: str | None, jobs: int) -> None:
        distributed: Any = importlib.import_module("distributed")
        if scheduler is None:
            self._local = await distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                dashboard_address=":0",
                preload=[_DEAF],
                silence_logs=logging.CRITICAL,
                asynchronous=True,
            )
        try:
            self._client = distributed.Client(
                self._local or scheduler,
                timeout=CONNECTING,
                set_as_default=False,
                asynchronous=True,
            )
            await self._client
        except (OSError, ValueError, TypeError) as error:
            raise ClusterError(
                str(must("scheduler", "be the address of a dask scheduler", scheduler))
                + f" ({error})"
            ) from error

    async def _spread(self, packed: bytes) -> Any:
        """Give the scheduler a task whose result is the evaluation: what is lost, it makes anew."""
        return self._client.submit(bytes, packed, pure=False)

    def submit(self, chunk: Sequence[bytes]) -> Future[Any]:
        return self._on_loop(self._result(list(chunk)))

    async def _result(self, chunk: list[bytes]) -> Any:
        from distributed import KilledWorker

        try:
            return await self._client.submit(
                _at_worker, self._pool, self._packed, chunk, self._work, pure=False
            )
        except KilledWorker as error:
            raise ClusterError(f"workers died again and again over a chunk: {error}") from error
        except (ImportError, AttributeError) as error:
            raise ClusterError(
                f"evogarden must be installed at the workers, in the same version: {error}"
            ) from error
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise  # by this side, which has no more use for it
            raise ClusterError(self._gone("dropped a chunk")) from error
        except Exception as error:  # workers return what scores raise: this is the cluster's
            what = f"failed over a chunk ({type(error).__name__}: {error})"
            raise ClusterError(self._gone(what)) from error

    def look(self) -> None:
        try:
            cores = self._on_loop(self._client.scheduler.ncores()).result(CONNECTING)
        except Exception as error:
            raise ClusterError(self._gone("does not answer")) from error
        self.cores = sum(cores.values())
        if self.cores:
            self._empty_since = None
            return
        now = time.monotonic()
        self._empty_since = self._empty_since or now
        if now - self._empty_since > FIRST_WORKER:
            raise ClusterError(self._gone(f"had no worker for {FIRST_WORKER:.0f} s"))

    def _gone(self, what: str) -> str:
        return f"the dask scheduler {self._where} {what}"

    def _on_loop(self, coroutine: Coroutine[Any, Any, Any]) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def close(self) -> None:
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        for what, seconds in ((self._client, 2.0), (self._local, 5.0)):
            if what is None:
                continue
            try:
                self._on_loop(_awaited(what.close)).result(seconds)
            except Exception as error:  # noqa: BLE001  # asserts, too; a checkpoint is to follow
                _log.info("%s did not close cleanly: %r", type(what).__name__, error)
        try:
            self._on_loop(_cancel_all()).result(2.0)
        except TimeoutError:
            _log.info("tasks of the dask client go on after their end")
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(2.0)
        if not self._thread.is_alive():
            self._loop.close()


async def _awaited(call: Callable[[], Any]) -> Any:
    """Make a call on the loop, and wait for what it gives where that can be waited for."""
    made = call()
    return await made if inspect.isawaitable(made) else made


async def _cancel_all() -> None:
    """Cancel what else is on this loop, and wait for its end."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


class _Ray:
    def __init__(
        self, scheduler: str | None, jobs: int, pool: str, packed: bytes, work: Work
    ) -> None:
        import ray

        self._ray: Any = ray
        self._own = not ray.is_initialized()
        if self._own:
            options: dict[str, Any] = {"num_cpus": jobs, "include_dashboard": False}
            if scheduler is not None:
                _answers(scheduler)
                options = {"address": scheduler}
            try:
                with _own_sigterm():
                    ray.init(**options, log_to_driver=False, logging_level=logging.ERROR)
            except (OSError, ValueError, RuntimeError) as error:
                raise ClusterError(
                    str(must("scheduler", "be the address of a ray cluster", scheduler))
                    + f" ({error})"
                ) from error
        self._pool, self._work = pool, work
        self._packed = ray.put(packed)
        self._task = ray.remote(max_retries=3)(_at_worker)

    @property
    def cores(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, chunk: Sequence[bytes]) -> Future[Any]:
        reference = self._task.remote(self._pool, self._packed, list(chunk), self._work)
        outcome: Future[Any] = Future()
        reference.future().add_done_callback(lambda done: self._pass_on(done, outcome))
        return outcome

    def _pass_on(self, done: Future[Any], outcome: Future[Any]) -> None:
        error = done.exception()
        if outcome.cancelled():
            return
        if error is None:
            outcome.set_result(done.result())
            return
        failed = ClusterError(f"ray: {type(error).__name__}: {error}")
        failed.__cause__ = error
        outcome.set_exception(failed)

    def look(self) -> None:
        try:
            self._ray.cluster_resources()
        except Exception as error:
            raise ClusterError(f"the ray cluster does not answer: {error}") from error

    def close(self) -> None:
        if self._own:
            self._ray.shutdown()


@contextmanager
def _own_sigterm() -> Iterator[None]:
    """Put back the handler of SIGTERM, which ray sets to one that ends the process at once."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    if before is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, before)


def _answers(scheduler: str) -> None:
    """Refuse an address that nothing listens at: ray itself tries for a minute."""
    host, _, port = scheduler.removeprefix("ray://").rpartition(":")
    if not port.isdigit():
        return  # "auto", "local": names of ray's own
    try:
        socket.create_connection((host, int(port)), CONNECTING).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(
            str(must("scheduler", "be the address of a ray cluster", scheduler)) + f" ({error})"
        ) from error
