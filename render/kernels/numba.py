"""The numba kernel: growth and pixels, compiled.

The compiled functions live in `tree` and `paint`; here are their signatures and their callers.
"""

from __future__ import annotations

import threading
from typing import Any, cast

import numpy as np
from numba import types as _types
from numpy.typing import NDArray

from render.kernels import Grown, Silhouettes
from render.kernels import paint as _paint
from render.kernels import tree as _tree
from render.kernels.jit import Compiled
from render.kernels.model import STEPS, Frame, opacity_table

__all__ = ["flat", "grow", "mask", "silhouettes", "volume", "warm"]

types: Any = _types  # numba ships no annotations
_U8, _I32, _I64, _U64 = types.uint8, types.int32, types.int64, types.uint64


def _array(scalar: Any, n_dims: int = 1, *, readonly: bool = True) -> Any:
    return types.Array(scalar, n_dims, "C", readonly=readonly)


_FRAME = types.UniTuple(_I64, 6)
_XYD = (_array(_I32),) * 3
_COLOR = _array(_U8, 2)
_GENES, _STEPS = _array(_U8, 2), _array(_I32, 2)
_AGENTS = _array(_I32, 2, readonly=False)
_PACKED = _array(_U64, readonly=False)

_grow = Compiled(_tree.grow, (_GENES, _U64, _I64, _STEPS, _AGENTS, _PACKED))
_silhouettes = Compiled(_tree.silhouettes, (_GENES, _array(_U64), _I64, _STEPS, _AGENTS, _FRAME))
_mask = Compiled(_paint.mask, (*_XYD, _FRAME))
_flat = Compiled(_paint.flat, (*_XYD, _COLOR, _FRAME))
_volume = Compiled(_paint.volume, (*_XYD, _COLOR, _FRAME, _array(_I64)))

_OPACITY = opacity_table()
_OPACITY.flags.writeable = False
_ENOUGH = 2**40  # more circles than any plant has
_KEPT_CIRCLES = 100_000


class _Workspace(threading.local):
    """What growth needs while it runs; each thread has its own and keeps it."""

    def __init__(self) -> None:
        self.agents = np.empty((_tree.MAX_AGENTS, _tree.N_COLUMNS), np.int32)
        self.packed = np.empty(2 * _KEPT_CIRCLES, np.uint64)


_workspace = _Workspace()


def warm() -> bool:
    """Compile all functions, or load them from the cache; return whether one was compiled."""
    compiled = [one.compile() for one in (_grow, _silhouettes, _mask, _flat, _volume)]
    return any(compiled)


def grow(genes: NDArray[np.uint8], seed: int, max_circles: int) -> Grown:
    """Return the fields of the Circles of a genome."""
    w = _workspace
    limit = min(max_circles, _ENOUGH)
    return cast(Grown, _grow(genes, np.uint64(seed), limit, STEPS, w.agents, w.packed))


def silhouettes(
    genes: NDArray[np.uint8], seeds: NDArray[np.uint64], max_circles: int, frame: Frame
) -> Silhouettes:
    """Return silhouettes for some seeds, as pixels and as rows of bits, and numbers of them."""
    limit = min(max_circles, _ENOUGH)
    masks, words, rows = _silhouettes(genes, seeds, limit, STEPS, _workspace.agents, tuple(frame))
    return masks.view(np.bool_), words, rows


def mask(circles: Any, frame: Frame) -> NDArray[np.bool_]:
    """Return the silhouette of some circles in a frame, bool (height, width)."""
    c = circles
    return cast(NDArray[np.bool_], _mask(c.x, c.y, c.diameter, tuple(frame)).view(np.bool_))


def flat(circles: Any, frame: Frame) -> NDArray[np.uint8]:
    """Return the picture of opaque discs, uint8 (height, width, 4)."""
    c = circles
    return _bytes(_flat(c.x, c.y, c.diameter, c.color, tuple(frame)), frame)


def volume(circles: Any, frame: Frame) -> NDArray[np.uint8]:
    """Return the pseudo-3D picture, uint8 (height, width, 4)."""
    c = circles
    return _bytes(_volume(c.x, c.y, c.diameter, c.color, tuple(frame), _OPACITY), frame)


def _bytes(packed: NDArray[np.uint32], frame: Frame) -> NDArray[np.uint8]:
    little = packed.astype("<u4", copy=False)
    return little.view(np.uint8).reshape(frame.height, frame.width, 4)
