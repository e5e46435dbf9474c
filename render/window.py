"""The window on the world that a picture shows, and how large a picture may be."""

from __future__ import annotations

from dataclasses import dataclass

from evo.checks import must, whole

__all__ = ["MAX_SAMPLES", "MAX_UNIT", "Window", "check_samples"]

MAX_SAMPLES = 2**28
"""Most samples of one picture (width * height * oversample²): 4096 x 4096 at oversample 4.

A larger picture is refused before any memory is taken.
"""

MAX_UNIT = 2**20
"""Largest world size of a pixel, in 1/256 px: 4096 px of world."""


def check_samples(width: int, height: int, oversample: int = 1) -> None:
    """Refuse a picture of more than `MAX_SAMPLES` samples with ValueError."""
    if width * height * oversample**2 > MAX_SAMPLES:
        size = f"{width} x {height}" + (f", oversample {oversample}" if oversample > 1 else "")
        raise must("width * height * oversample²", f"be at most {MAX_SAMPLES}", size)


@dataclass(frozen=True)
class Window:
    """A window on the world.

    Parameters
    ----------
    width, height : int
        Its size in pixels, at least 1; at most `MAX_SAMPLES` pixels altogether.
    unit : int
        World size of a pixel in 1/256 px, from 1 to 2^20. 1024 shows 4 px of the world as one.
    root : (column, row), optional
        Pixel corner at which world (0, 0) lies: any whole numbers, off the window too.
        By default (width // 2, height * 15 // 16).

    Raises
    ------
    ValueError
        If one of them is out of its range.
    """

    width: int
    height: int
    unit: int = 1024
    root: tuple[int, int] = None  # type: ignore[assignment]  # resolved when constructed

    def __post_init__(self) -> None:
        width = whole("width", self.width, 1)
        height = whole("height", self.height, 1)
        unit = whole("unit", self.unit, 1, MAX_UNIT)
        check_samples(width, height)
        root: object = self.root
        if root is None:
            resolved = (width // 2, height * 15 // 16)
        elif isinstance(root, tuple | list) and len(root) == 2:
            resolved = (whole("root column", root[0]), whole("root row", root[1]))
        else:
            raise must("root", "be a pair of whole numbers (column, row)", root)
        for name, value in zip(
            ("width", "height", "unit", "root"), (width, height, unit, resolved), strict=True
        ):
            object.__setattr__(self, name, value)
