"""Signals that ask a command to end. Light, since it is imported before all else."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

__all__ = ["Signals", "Stopped", "end"]

PATIENCE = 4.0
"""Seconds in which a stop may clean up before a further signal is heard."""


class Stopped(BaseException):
    """A signal asked the process to end."""


class Signals:
    """Turns SIGINT and SIGTERM into `Stopped`, and remembers the first.

    Whatever code the exception meets may wrap it or lose it, so that the number is what counts
    at the end. Further signals are heard again once the first one had time to clean up.
    """

    caught = (signal.SIGINT, signal.SIGTERM)

    def __init__(self) -> None:
        self.number = 0
        self._since = 0.0

    def _stop(self, number: int, _: FrameType | None) -> None:
        now = time.monotonic()
        if self.number and now - self._since < PATIENCE:
            return
        self.number = self.number or number
        self._since = now
        raise Stopped(self.number)

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Hear the signals meanwhile."""
        before: dict[int, Any] = {one: signal.signal(one, self._stop) for one in self.caught}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def end_if_heard(self) -> None:
        """End the process with 128 + the signal, if one came."""
        if self.number:
            name = signal.Signals(self.number).name
            end(f"stopped by {name}; `evogarden resume` goes on with a run", 128 + self.number)


def end(message: str, status: int) -> NoReturn:
    """Say why a command ends, and end it."""
    for line in message.splitlines():
        print(f"evogarden: {line}", file=sys.stderr)
    sys.exit(status)
