"""Heights as RAW 16: little-endian u16, nothing else, as Unity's terrain reads it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from evo.checks import must
from render.terrain.formats.grid import Grid, from_steps, height_range, to_steps

__all__ = ["UNITY_SIZES", "decode_raw", "encode_raw"]

UNITY_SIZES = tuple(2**s + 1 for s in range(5, 13))
"""Sides that Unity takes: 33, 65, 129, 257, 513, 1025, 2049, 4097."""


def decode_raw(data: bytes, lo: float | None, hi: float | None, row_order: str) -> Grid:
    """Return the heights of a square RAW file; its size tells its side."""
    side = math.isqrt(len(data) // 2)
    if len(data) != 2 * side * side or side not in UNITY_SIZES:
        sizes = ", ".join(map(str, UNITY_SIZES))
        raise must("RAW file", f"hold 2 n² bytes, n one of {sizes}", len(data))
    steps = np.frombuffer(data, "<u2").astype(np.uint16).reshape(side, side)
    heights = from_steps(steps, *height_range(lo, hi, default=(0.0, 1.0)))
    return Grid(heights if row_order == "top" else heights[::-1])


def encode_raw(
    heights: NDArray[np.float64], lo: float | None, hi: float | None, row_order: str
) -> bytes:
    """Return RAW 16 of a square map of one of Unity's sizes."""
    rows, columns = heights.shape
    if rows != columns or rows not in UNITY_SIZES:
        sizes = ", ".join(map(str, UNITY_SIZES))
        raise must("heights", f"be square for RAW, of side {sizes}", f"{rows} x {columns}")
    span = height_range(lo, hi, default=(float(heights.min()), float(heights.max())))
    steps = to_steps(heights, *span).astype("<u2")
    return (steps if row_order == "top" else steps[::-1]).tobytes()
