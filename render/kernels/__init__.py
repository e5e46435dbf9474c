"""The kernels: who computes growth and pixels. `numba` is fast, `numpy` always there.

A kernel is a module with the functions of `Kernel`; all kernels give the same bits.
"""

from __future__ import annotations

import logging
import multiprocessing
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from evo.checks import choice, must

__all__ = [
    "KERNELS",
    "Grown",
    "Kernel",
    "Silhouettes",
    "compiled_measures",
    "default_kernel",
    "get_kernel",
    "warm",
]

_log = logging.getLogger(__name__)
if multiprocessing.current_process().name != "MainProcess":  # whose parent has said it already
    _log.setLevel(logging.ERROR)

KERNELS = ("numba", "numpy")
"""Names of the kernels, the preferred one first."""

Grown = tuple[
    NDArray[np.int32],  # x
    NDArray[np.int32],  # y
    NDArray[np.int32],  # diameter
    NDArray[np.uint8],  # color
    NDArray[np.int32],  # tick
    NDArray[np.uint8],  # level
    bool,  # truncated
    NDArray[np.int64],  # agent
]
"""The fields of Circles, in their order."""

Silhouettes = tuple[
    NDArray[np.bool_],  # masks, (n, height, width)
    NDArray[np.uint64],  # the same as words, (n, height, words a row); see `render.bits`
    NDArray[np.int64],  # (n, 5): the numbers of `render.summary.Summary`
]
"""Plants of some growth seeds, as the path of the scores sees them."""


class Kernel(Protocol):
    """What a kernel module offers. Arguments are checked before they come here."""

    def grow(self, genes: NDArray[np.uint8], seed: int, max_circles: int) -> Grown:
        """Return the fields of the Circles of a genome."""

    def silhouettes(
        self, genes: NDArray[np.uint8], seeds: NDArray[np.uint64], max_circles: int, frame: Any
    ) -> Silhouettes:
        """Return silhouettes for some seeds, and numbers of them."""

    def warm(self) -> bool:
        """Make all functions ready; return whether something had to be compiled."""

    def mask(self, circles: Any, frame: Any) -> NDArray[np.bool_]:
        """Return the silhouette of some circles in a frame, bool (height, width)."""

    def flat(self, circles: Any, frame: Any) -> NDArray[np.uint8]:
        """Return the picture of opaque discs, uint8 (height, width, 4)."""

    def volume(self, circles: Any, frame: Any) -> NDArray[np.uint8]:
        """Return the pseudo-3D picture, uint8 (height, width, 4)."""


@cache
def _load(name: str) -> Kernel | Exception:
    try:
        return cast(Kernel, import_module(f"render.kernels.{name}"))
    except Exception as error:  # noqa: BLE001  # a broken installation raises anything
        _log.warning("kernel %s does not import (%s: %s)", name, type(error).__name__, error)
        return error


def default_kernel() -> str:
    """Return the name of the first kernel that imports."""
    return next(name for name in KERNELS if not isinstance(_load(name), Exception))


def get_kernel(name: str | None = None) -> Kernel:
    """Return a kernel by name, or the default one.

    Raises
    ------
    ValueError
        If there is none of that name, or it does not import here.
    """
    found = _load(default_kernel() if name is None else choice("kernel", name, KERNELS))
    if isinstance(found, Exception):
        raise must("kernel", f"import here ({found})", name) from found
    return found


@cache
def compiled_measures() -> Any:
    """Return the module `render.kernels.measures`, or None where numba does not import."""
    if isinstance(_load("numba"), Exception):
        return None
    return import_module("render.kernels.measures")


def warm(name: str | None = None) -> bool:
    """Make a kernel ready to run; return whether it had to be compiled.

    To be called once in the parent of worker processes, which then load what it compiled. The
    compiled measures of masks are made ready too, where there are any.
    """
    compiled = get_kernel(name).warm()
    measures = compiled_measures()
    return bool(measures is not None and measures.warm()) or compiled
