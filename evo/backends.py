"""Joblib's backends, with two things more: an end at once, and word of each task that is done.

Joblib looks every 10 ms whether the next task is done. A batch takes some ten such looks, so that
half a look at its end, and one at each call, is worth sparing.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import Any

from joblib._parallel_backends import LokyBackend, ThreadingBackend

__all__ = ["Processes", "Threads"]


class _Telling:
    """A backend that notes of every task, in the order of their submission, when it is done."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.done: list[threading.Event] = []

    def submit(self, func: Callable[[], Any], callback: Callable[[Any], None]) -> Any:
        """Hand in a task; joblib's own callback comes before the word that it is done."""
        done = threading.Event()
        self.done.append(done)

        def finished(outcome: Any) -> None:
            try:
                callback(outcome)
            finally:
                done.set()

        return super().submit(func, callback=finished)  # type: ignore[misc]  # joblib's


class Threads(_Telling, ThreadingBackend):  # type: ignore[misc]  # joblib has no types
    """Joblib's threads."""


class Processes(_Telling, LokyBackend):  # type: ignore[misc]
    """Joblib's worker processes, that can be ended while tasks are on their way to them."""

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """End the workers.

        Loky's managing thread forgets what is pending when it ends workers, but not the numbers
        that wait to be sent, and fails at the first of them: these go first, under the lock that
        keeps new ones out.
        """
        executor = self._workers
        with executor._flags.shutdown_lock:
            with contextlib.suppress(queue.Empty):
                while True:
                    executor._work_ids.get_nowait()
            executor._flags.shutdown = executor._flags.kill_workers = True
        super().abort_everything(ensure_ready)
