"""A dask cluster, by its own client."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from typing import Any

from evo.checks import must
from evo.clusters.base import CONNECTING, ClusterError, Work, at_worker

__all__ = ["FIRST_WORKER", "Dask"]

FIRST_WORKER = 60.0
"""Seconds in which a cluster has to have a worker, at first and when it has lost all of them."""

_DEAF = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
"""For workers of one's own: Ctrl-C, which reaches all of a terminal, is the run's to handle."""

_log = logging.getLogger(__name__)


class Dask:
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
        """Return the outcome to come of a chunk."""
        return self._on_loop(self._result(list(chunk)))

    async def _result(self, chunk: list[bytes]) -> Any:
        from distributed import KilledWorker

        try:
            return await self._client.submit(
                at_worker, self._pool, self._packed, chunk, self._work, pure=False
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
        """Raise ClusterError when it is gone."""
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
        """Let go of it, and end what was started with it."""
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
