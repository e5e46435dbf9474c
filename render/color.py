"""Colors as users write them, read in one place."""

from __future__ import annotations

import re
from typing import TypeAlias

import numpy as np
from PIL import ImageColor

from evo.checks import must, whole

__all__ = ["Color", "as_color", "parse_color"]

Color: TypeAlias = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""

_LONGEST = 100  # characters of a color's text


def as_color(color: object, name: str = "color") -> Color:
    """Return a color as three ints.

    Parameters
    ----------
    color : str, or three whole numbers from 0 to 255
        "#rrggbb" (a shell takes it best without the #), "#rgb", or a name of CSS such as "tomato".
    name : str
        What the message calls it.

    Raises
    ------
    ValueError
        If it is no color, or not an opaque one.
    """
    said = "be a color ('#f7f5f0', 'white' or three numbers from 0 to 255)"
    if isinstance(color, str):
        text = f"#{color}" if re.fullmatch("[0-9a-fA-F]{6}", color) else color
        try:
            found = ImageColor.getrgb(text) if len(text) <= _LONGEST else ()
        except ValueError:
            found = ()
        if len(found) != 3:
            raise must(name, said, color)
        return found
    if not isinstance(color, tuple | list | np.ndarray) or len(color) != 3:
        raise must(name, said, color)
    red, green, blue = (whole(name, channel, 0, 255) for channel in color)
    return red, green, blue


def parse_color(text: str, name: str = "background") -> Color | None:
    """Return the color that a text names, see `as_color`, or None for "none"."""
    return None if text.lower() in ("none", "transparent") else as_color(text, name)
