"""Given heights of a map: its corners and edges, checked once and kept exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evo.checks import choice, must
from render.terrain.law import START, Heights, given_heights

__all__ = ["Border", "make_border"]

SIDES = ("top", "bottom", "left", "right")
_CORNERS = {
    "top": ((0, 0), (0, 1)),
    "bottom": ((1, 0), (1, 1)),
    "left": ((0, 0), (1, 0)),
    "right": ((0, 1), (1, 1)),
}
_OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


@dataclass(frozen=True)
class Border:
    """Given heights of a map of 2^s + 1 rows and columns.

    Parameters
    ----------
    corners : float array of shape (2, 2)
        NaN where a corner is drawn.
    edges : mapping of side to float array of shape (2^s + 1,)
    """

    corners: Heights
    edges: Mapping[str, Heights]

    @property
    def start(self) -> float:
        """The largest height, without its sign, of a start that is given or drawn."""
        given = [self.corners[~np.isnan(self.corners)], *self.edges.values()]
        return max([START] + [float(np.abs(values).max()) for values in given if values.size])

    def pin_corners(self, grid: Heights) -> None:
        """Put the given corners into the map of level 0, in place."""
        np.copyto(grid, self.corners, where=~np.isnan(self.corners))

    def pin_edges(self, grid: Heights, stride: int) -> None:
        """Put every `stride`-th point of the given edges into a map, in place."""
        ends = {"top": grid[0], "bottom": grid[-1], "left": grid[:, 0], "right": grid[:, -1]}
        for side, heights in self.edges.items():
            ends[side][...] = heights[::stride]


def make_border(
    corners: ArrayLike | None,
    edges: Mapping[str, ArrayLike] | None,
    *,
    size: int,
    wrap: bool,
    dtype: np.dtype[np.floating],
) -> Border:
    """Return the given heights of a map of `size` rows and columns, after checks.

    With `wrap` the four corners are one point, and opposite edges are one line.
    """
    known = np.full((2, 2), np.nan, dtype)
    if corners is not None:
        given = given_heights("corners", corners, dtype)
        if given.shape not in {(2, 2), (4,)}:
            raise must("corners", "have shape (2, 2), or (4,) in reading order", corners)
        known[...] = given.reshape(2, 2)

    if edges is not None and not isinstance(edges, Mapping):
        raise must("edges", "map some of 'top', 'bottom', 'left', 'right' to heights", edges)
    lines: dict[str, Heights] = {}
    for side, values in (edges or {}).items():
        choice("edges", side, SIDES)
        line = given_heights(f"edges[{side!r}]", values, dtype)
        if line.shape != (size,):
            raise must(f"edges[{side!r}]", f"have shape ({size},)", line)
        lines[side] = line
    if wrap:
        lines = _wrapped_edges(lines)
    for side, line in lines.items():
        for place, value in zip(_CORNERS[side], (line[0], line[-1]), strict=True):
            if not np.isnan(known[place]) and known[place] != value:
                raise must("corners and edges", "agree where they meet", (side, float(value)))
            known[place] = value
    if wrap:
        some = known[~np.isnan(known)]
        if some.size and (some != some[0]).any():
            raise must("corners and edges", "have one height at all corners to wrap", some.tolist())
        known[...] = some[0] if some.size else np.nan
    return Border(known, lines)


def _wrapped_edges(lines: dict[str, Heights]) -> dict[str, Heights]:
    for side, line in lines.items():
        other = lines.get(_OPPOSITE[side], line)
        if not np.array_equal(line, other):
            raise must(f"edges[{side!r}]", "equal the opposite edge to wrap", line)
    return lines | {_OPPOSITE[side]: line for side, line in lines.items()}
