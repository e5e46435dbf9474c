"""The plants of the benchmarks: 24 founders of each kind, always the same."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.peers import Sketch, sketch
from evo.population import founders
from render import Circles, Window, grow

__all__ = ["KINDS", "Plant", "plants"]

KINDS = ("uniform", "seedling")


class Plant(NamedTuple):
    """A plant in all the forms that contenders want."""

    genome: bytes
    seed: int
    circles: Circles
    window: Window
    sketch: Sketch
    prepared: tuple[int, int, list[tuple[tuple[int, int], int, tuple[int, ...]]]]


def plants(
    kind: str, window: Window, n: int = 24, max_circles: int = 100_000, seed: int = 5
) -> list[Plant]:
    """Return n founders of a kind, grown."""
    out = []
    for number, founder in enumerate(founders(kind, n, seed)):
        circles = grow(bytes(founder), number, max_circles)
        discs = sketch(circles, window)
        centers = zip(discs.column.tolist(), discs.row.tolist(), strict=True)
        colors = map(tuple, discs.color.tolist())
        calls = list(zip(centers, discs.radius.tolist(), colors, strict=True))
        prepared = (window.width, window.height, calls)
        out.append(Plant(bytes(founder), number, circles, window, discs, prepared))
    return out
