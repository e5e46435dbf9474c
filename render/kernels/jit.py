"""Compiling once: a function with a fixed signature, cached on disk where that can be done.

A cache that cannot be written or is damaged is never fatal: then the function is compiled
without it, and one line of the log says so.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

__all__ = ["Compiled", "inline"]

_log = logging.getLogger(__name__)
_lock = threading.RLock()


F = TypeVar("F", bound=Callable[..., Any])


def inline(function: F) -> F:
    """Return a function that compiled functions can call."""
    return cast(F, numba.njit(nogil=True)(function))


class Compiled:
    """A function that numba compiles for one signature at its first call.

    Parameters
    ----------
    function : callable
        In the subset of Python that numba compiles.
    signature : tuple of numba types
        Of its arguments.
    """

    def __init__(self, function: Callable[..., Any], signature: tuple[Any, ...]) -> None:
        self.function = function
        self.signature = signature
        self._ready: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Call it, compiled."""
        if self._ready is None:
            self.compile()
        return self._ready(*arguments)  # type: ignore[misc]  # compile sets it

    def compile(self) -> bool:
        """Make it ready, and return whether it had to be compiled."""
        with _lock:
            if self._ready is not None:
                return False
            try:
                dispatcher = numba.njit(nogil=True, cache=True)(self.function)
                dispatcher.compile(self.signature)
                compiled = not dispatcher.stats.cache_hits
            except Exception as error:  # noqa: BLE001 - a damaged cache raises anything
                _log.warning(
                    "%s is compiled without a cache (%s: %s)",
                    self.function.__name__,
                    type(error).__name__,
                    error,
                )
                dispatcher = numba.njit(nogil=True)(self.function)
                dispatcher.compile(self.signature)
                compiled = True
            self._ready = dispatcher
            return compiled
