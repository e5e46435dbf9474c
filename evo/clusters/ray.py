"""A ray cluster."""

from __future__ import annotations

import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar

from evo.checks import must
from evo.clusters.base import CONNECTING, ClusterError, Work, at_worker

__all__ = ["Ray"]

CLOSING = 15.0
"""Seconds in which ray has to let go; without a head it takes five."""

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class Ray:
    """A ray cluster: one that is there, or one of this machine that ends with it."""

    def __init__(
        self, scheduler: str | None, jobs: int, pool: str, packed: bytes, work: Work
    ) -> None:
        import ray

        self._ray: Any = ray
        self._where = scheduler or "on this machine"
        self._own = not ray.is_initialized()
        self._pool, self._work = pool, work
        try:
            if self._own:
                self._connect(scheduler, jobs)
            self._node = ray.get_runtime_context().get_node_id()
            self._packed = ray.put(packed)
            self._task = ray.remote(max_retries=3)(at_worker)
        except BaseException:
            self.close()
            raise

    def _connect(self, scheduler: str | None, jobs: int) -> None:
        quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
        try:
            with _own_sigterm():
                if scheduler is None:
                    with _deaf_children():
                        # "local": without it ray joins what `ray start` left on this machine
                        self._ray.init("local", num_cpus=jobs, include_dashboard=False, **quiet)
                else:
                    _answers(scheduler)
                    self._ray.init(address=scheduler, **quiet)
        except (OSError, ValueError, RuntimeError) as error:
            if isinstance(error, ClusterError):
                raise
            raise ClusterError(
                str(must("scheduler", "be the address of a ray cluster", scheduler)) + f" ({error})"
            ) from error

    @property
    def cores(self) -> int:
        """Chunks that it works on at a time."""
        return max(1, int(self._ask(self._ray.cluster_resources).get("CPU", 1)))

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
        alive = [node["NodeID"] for node in self._ask(self._ray.nodes) if node["Alive"]]
        if self._node not in alive:
            raise ClusterError(f"the ray cluster {self._where} lost the node that the run is at")

    def _ask(self, call: Callable[[], _T]) -> _T:
        """Return what the head answers.

        Ray itself waits for it, and ends the process of the run after a minute, without a word.
        """
        try:
            return _in_time(call, CONNECTING)
        except Exception as error:
            raise ClusterError(f"the ray cluster {self._where} does not answer") from error

    def close(self) -> None:
        """Let go of it, and end what was started with it."""
        if not self._own:
            return
        try:
            _in_time(self._ray.shutdown, CLOSING)
        except Exception as error:  # noqa: BLE001  # a checkpoint is to follow
            _log.info("ray did not shut down cleanly: %r", error)


def _in_time(call: Callable[[], _T], seconds: float) -> _T:
    """Return what a call gives, or leave it behind in its thread and raise TimeoutError."""
    given: Future[_T] = Future()

    def make() -> None:
        try:
            given.set_result(call())
        except Exception as error:  # noqa: BLE001  # raised by whoever waits
            given.set_exception(error)

    threading.Thread(target=make, name="ray", daemon=True).start()
    return given.result(seconds)


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Start processes that never hear Ctrl-C, which reaches all of a terminal: it is the run's.

    One that comes meanwhile is heard at the end: ray, interrupted while it starts, may crash or
    leave processes behind.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
