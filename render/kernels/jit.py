"""Compiling once: a function with a fixed signature, kept on the disk where that can be done.

numba's cache looks at the date of one source file and trusts what it reads. Here a folder is
named after the sources of all kernels, and its files are checked before they are loaded. A cache
that cannot be written or is damaged is never fatal: one line of the log, and it is compiled.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar, cast

import numba
from filelock import FileLock

from evo.files import write_atomic

__all__ = ["Compiled", "helper", "inline"]

_config: Any = numba.config  # its names are made while it loads
_log = logging.getLogger(__name__)
_lock = threading.RLock()
_njit: Any = numba.njit  # its annotations leave out _nrt: whether references are counted
_SUMS = "sums.json"

F = TypeVar("F", bound=Callable[..., Any])


def inline(function: F) -> F:
    """Return a function that compiled functions can call; it makes no arrays.

    Its code is put where it is called, and does not count references to the arrays that it is
    given: the caller holds them. Counting costs more than most of these functions do.
    """
    return cast(F, _njit(nogil=True, forceinline=True, _nrt=False)(function))


def helper(function: F) -> F:
    """Return a function that compiled functions can call, and that makes arrays."""
    return cast(F, _njit(nogil=True)(function))


class Compiled:
    """A function that is compiled for one signature at its first call.

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
            folder = _cache_folder()
            try:
                if folder is None:
                    return self._compile(numba.njit(nogil=True)(self.function))
                return self._compile_kept(folder / self.function.__name__)
            except Exception as error:  # whatever a cache may raise
                if folder is None:
                    raise
                reason = f"{type(error).__name__}: {error}"
                _log.warning("%s is compiled without a cache: %s", self.function.__name__, reason)
                return self._compile(numba.njit(nogil=True)(self.function))

    def _compile_kept(self, folder: Path) -> bool:
        # One process compiles, others that come meanwhile wait and load what it made.
        with FileLock(folder.with_suffix(".lock")):
            if folder.exists() and not _is_sound(folder):
                if (folder / _SUMS).exists():  # without: a process that compiled was killed
                    _log.warning("%s: the cache %s is damaged", self.function.__name__, folder)
                shutil.rmtree(folder)
            with _numba_cache(folder):
                dispatcher = numba.njit(nogil=True, cache=True)(self.function)
            compiled = self._compile(dispatcher)
            if compiled:
                write_atomic(folder / _SUMS, json.dumps(_sums(folder)).encode())
            return compiled

    def _compile(self, dispatcher: Any) -> bool:
        dispatcher.compile(self.signature)
        self._ready = dispatcher
        return not dispatcher.stats.cache_hits


@contextmanager
def _numba_cache(folder: Path) -> Iterator[None]:
    """Let numba keep what is decorated meanwhile in a folder."""
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        _config.CACHE_DIR = before


@cache
def _cache_folder() -> Path | None:
    """Return the folder for the kernels as they stand now, or None where none can be written."""
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for source in sorted(here.glob("*.py")):
        digest.update(source.read_bytes())
    name = f"evogarden-{digest.hexdigest()[:16]}"
    places = [here / "__pycache__"]
    if _config.CACHE_DIR:
        places = [Path(_config.CACHE_DIR)]
    elif "XDG_CACHE_HOME" in os.environ:
        places.append(Path(os.environ["XDG_CACHE_HOME"]))
    else:
        places.append(Path("~/.cache").expanduser())
    for place in places:
        try:
            (place / name).mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=place / name):
                return place / name
        except (OSError, RuntimeError) as error:  # RuntimeError: there is no home
            reason = error
    _log.warning("the kernels are compiled without a cache: %s", reason)
    return None


def _sums(folder: Path) -> dict[str, str]:
    """Return SHA-256 of each file in a folder that numba wrote."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*.nb*"))
        if path.is_file()
    }


def _is_sound(folder: Path) -> bool:
    """Return whether a folder is as it was left."""
    try:
        kept = json.loads((folder / _SUMS).read_bytes())
    except (OSError, ValueError):
        return False
    return bool(kept == _sums(folder))
