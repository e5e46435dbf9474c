"""Numbers of growth model 1 and of the disc rule that every kernel shares."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["FAINT", "MIN_RADIUS", "N_HEADINGS", "STEPS", "Frame", "frame_floor", "opacity_table"]

N_HEADINGS = 4096
"""Directions of a step; a heading of 1/65536 turn is read by its upper 12 bits."""

_STEP = 768  # three px, in 1/256 px


def _steps() -> NDArray[np.int32]:
    turns = [2 * math.pi * i / N_HEADINGS for i in range(N_HEADINGS)]
    table = np.array(
        [(round(_STEP * math.sin(t)), -round(_STEP * math.cos(t))) for t in turns], np.int32
    )
    table.flags.writeable = False
    return table


STEPS = _steps()
"""int32 (4096, 2): (dx, dy) of one step in each direction. No entry is near a half."""

MIN_RADIUS = 363
"""1/256 of the least D of a disc, in units of a pixel: 1.418 pixels."""


class Frame(NamedTuple):
    """Where the samples of a picture lie: a window, or a part of an oversampled one.

    Parameters
    ----------
    width, height : int
        Samples.
    unit : int
        World size of a sample, 1/256 px.
    column, row : int
        Sample corner at which world (0, 0) lies; at most 2^40 from 0.
    floor : int
        Least D of a disc (doubled coordinates).
    """

    width: int
    height: int
    unit: int
    column: int
    row: int
    floor: int


def frame_floor(unit: int) -> int:
    """Return the least D of a disc where a pixel of the picture shows `unit` of the world."""
    return (MIN_RADIUS * unit + 255) >> 8


def opacity_table() -> NDArray[np.int64]:
    """Return T after 0, 1, 2, ... translucent discs, until it no longer changes."""
    table = [1 << 24]
    while (taken := (table[-1] * 51) >> 8) > 0:
        table.append(table[-1] - taken)
    return np.array(table, np.int64)


FAINT = 1 << 15
"""The T (of 2^24) of a pixel from which on all that is translucent makes less than half a level."""
