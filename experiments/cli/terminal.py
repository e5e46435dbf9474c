"""Pictures and colors in a terminal: two pixels a character, one above the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.text import Text

__all__ = ["can_show_pictures", "picture_text", "swatch"]

COLUMNS = 48
"""Widest picture, in characters."""


def can_show_pictures(console: Console) -> bool:
    """Return whether a console shows enough colors, and block characters."""
    enough = console.color_system in ("256", "truecolor", "windows")
    return enough and not console.no_color and "utf" in console.encoding.lower()


def swatch(red: int, green: int, blue: int, width: int = 3) -> Text:
    """Return spaces on a color."""
    return Text(" " * width, Style(bgcolor=Color.from_rgb(red, green, blue)))


def picture_text(rgba: NDArray[np.uint8], columns: int = COLUMNS) -> Text:
    """Return a picture as text, cut to what shows; transparent pixels stay the terminal's.

    Parameters
    ----------
    rgba : uint8 array of shape (height, width, 4)
    columns : int
        Most characters of a line.
    """
    shown = rgba[..., 3] > 0
    if not shown.any():
        return Text("(nothing shows)")
    rows, across = np.flatnonzero(shown.any(axis=1)), np.flatnonzero(shown.any(axis=0))
    part = rgba[rows[0] : rows[-1] + 1, across[0] : across[-1] + 1]
    image = Image.fromarray(np.ascontiguousarray(part))
    image.thumbnail((columns, columns), Image.Resampling.LANCZOS)
    pixels = np.asarray(image)
    if len(pixels) % 2:
        pixels = np.concatenate([np.zeros_like(pixels[:1]), pixels])
    out = Text()
    for top, bottom in zip(pixels[::2], pixels[1::2], strict=True):
        for above, below in zip(top.tolist(), bottom.tolist(), strict=True):
            out.append(*_block(above, below))
        out.append("\n")
    out.rstrip()
    return out


def _block(above: list[int], below: list[int]) -> tuple[str, Style]:
    """Return one character for two pixels."""
    upper = Color.from_rgb(*above[:3]) if above[3] >= 96 else None
    lower = Color.from_rgb(*below[:3]) if below[3] >= 96 else None
    if upper is None and lower is None:
        return " ", Style.null()
    if upper is None:
        return "▄", Style(color=lower)
    return "▀", Style(color=upper, bgcolor=lower)
