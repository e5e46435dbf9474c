"""The table of formats by file ending, and writing and reading by it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, NamedTuple

from evo.checks import must, nearest, whole
from evo.files import write_atomic
from render.color import Color, as_color
from render.drawing import grow_recipe, rasterize_recipe
from render.drawing import trim as trimmed
from render.formats.drawing import Drawing
from render.formats.pixels import (
    encode_drawing_png,
    encode_tiff,
    encode_webp,
    find_gif_text,
    find_tiff_text,
    find_webp_text,
)
from render.formats.vector import encode_pdf, encode_svg, find_pdf_text, find_svg_text
from render.png import SIGNATURE, find_png_text
from render.recipe import Recipe, from_text

__all__ = ["FORMATS", "Format", "get_format", "read_genome", "write_picture"]


class Format(NamedTuple):
    """A kind of file.

    Parameters
    ----------
    name : str
    encode : callable
        From a Drawing to the bytes of a file.
    starts : tuple of bytes
        How such files begin.
    find : callable
        From an open file and its name to the text of the recipe in it.
    """

    name: str
    encode: Callable[[Drawing], bytes]
    starts: tuple[bytes, ...]
    find: Callable[[BinaryIO, str], bytes]


_TIFF = Format("TIFF", encode_tiff, (b"II*\0", b"MM\0*"), find_tiff_text)

FORMATS: dict[str, Format] = {
    ".png": Format("PNG", encode_drawing_png, (SIGNATURE,), find_png_text),
    ".svg": Format("SVG", encode_svg, (b"<svg", b"<?xml"), find_svg_text),
    ".webp": Format("WebP", encode_webp, (b"RIFF",), find_webp_text),
    ".tiff": _TIFF,
    ".tif": _TIFF,
    ".pdf": Format("PDF", encode_pdf, (b"%PDF",), find_pdf_text),
}
"""File ending -> format."""


def get_format(path: str | os.PathLike[str], name: str = "path") -> Format:
    """Return the format that a file's ending names, in either case.

    Raises
    ------
    ValueError
        If it is not one of `FORMATS`.
    """
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        said = f"end in one of {', '.join(FORMATS)}{nearest(ending, FORMATS)}"
        raise must(name, said, os.fspath(path))
    return FORMATS[ending]


def write_picture(
    path: str | os.PathLike[str],
    recipe: Recipe,
    *,
    trim: bool = False,
    background: Color | None = None,
    colors: int | None = None,
    kernel: str | None = None,
) -> Recipe:
    """Draw a recipe and write it with its genome inside; the file's ending names the format.

    The file appears whole or not at all.

    Parameters
    ----------
    path : path
        A file of that name is replaced.
    recipe : Recipe
    trim : bool
        Cut off the rows and columns at the borders in which nothing shows.
    background : (red, green, blue), optional
        By default transparent.
    colors : int, optional
        At most so many different colors (1 to 256), alpha aside. In a vector file of the style
        "volume", so many before the light and shadow.
    kernel : str, optional
        As in `rasterize`.

    Returns
    -------
    Recipe
        The one in the file: that of the trimmed picture.

    Raises
    ------
    ValueError
        If the ending is unknown or an argument is out of its range.
    OSError
        If the file cannot be written.
    """
    kind = get_format(path)
    if background is not None:
        background = as_color(background, "background")
    if colors is not None:
        colors = whole("colors", colors, 1, 256)
    circles = grow_recipe(recipe, kernel)
    plain = None
    if trim:
        plain, recipe = trimmed(rasterize_recipe(circles, recipe, kernel), recipe)
    write_atomic(path, kind.encode(Drawing(circles, recipe, background, colors, kernel, plain)))
    return recipe


def read_genome(picture: str | os.PathLike[str]) -> Recipe:
    """Return what it takes to draw a picture again.

    Parameters
    ----------
    picture : path
        A file that `write_png` or `write_picture` wrote, of any format and name. Memory is
        bounded and nothing in the file is evaluated. Of a PNG each chunk's CRC is checked, of
        the others the recipe's own.

    Returns
    -------
    Recipe

    Raises
    ------
    ValueError
        If there is no such file, it is no picture or is damaged, holds no genome, or one of
        another growth model.
    """
    name = str(picture)
    try:
        with Path(picture).open("rb") as file:
            start = file.read(12)
            file.seek(0)
            text = _find(start, name)(file, name)
    except OSError as error:
        raise must("picture", f"be a file to read ({error.strerror})", name) from error
    return from_text(text, name)


def _find(start: bytes, name: str) -> Callable[[BinaryIO, str], bytes]:
    for kind in FORMATS.values():
        if start.startswith(kind.starts) and (kind.name != "WebP" or start[8:] == b"WEBP"):
            return kind.find
    if start.startswith((b"GIF87a", b"GIF89a")):  # an animation
        return find_gif_text
    others = ", ".join(dict.fromkeys(kind.name for kind in FORMATS.values() if kind.name != "PNG"))
    raise must(name, f"be a PNG file or another that holds a genome ({others}, GIF)", "other bytes")
