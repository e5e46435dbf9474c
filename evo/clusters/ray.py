"""A ray cluster."""

from __future__ import annotations

import logging
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from evo.checks import must
from evo.clusters.base import CONNECTING, ClusterError, Work, at_worker

__all__ = ["Ray"]


class Ray:
    """A ray cluster: one that is there, or one of this machine that ends with it."""

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
        self._task = ray.remote(max_retries=3)(at_worker)

    @property
    def cores(self) -> int:
        """Chunks that it works on at a time."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, chunk: Sequence[bytes]) -> Future[Any]:
        """Return the outcome to come of a chunk."""
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
        """Raise ClusterError when it is gone."""
        try:
            self._ray.cluster_resources()
        except Exception as error:
            raise ClusterError(f"the ray cluster does not answer: {error}") from error

    def close(self) -> None:
        """Let go of it, and end what was started with it."""
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
