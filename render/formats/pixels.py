"""PNG, WebP and TIFF: files of pixels with the recipe in their metadata."""

from __future__ import annotations

import struct
from io import BytesIO
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from evo.checks import must
from render.formats.drawing import Drawing
from render.pillow import UNREADABLE, opened
from render.png import encode_png
from render.recipe import KEYWORD, MAX_TEXT, Recipe, to_text

__all__ = [
    "encode_drawing_png",
    "encode_tiff",
    "encode_webp",
    "exif",
    "find_gif_text",
    "find_tiff_text",
    "find_webp_text",
]

DESCRIPTION = 270
"""Tag ImageDescription of TIFF 6.0 (1992) and EXIF."""

ASCII = 2
"""Kind of a tag that holds text."""

MAX_WEBP = 16383
"""Most pixels of a side of a WebP picture."""


def encode_drawing_png(drawing: Drawing) -> bytes:
    """Return a drawing as a PNG file: with a palette where few colors were asked for."""
    pixels = drawing.pixels
    image = (drawing.colors and _indexed(pixels)) or Image.fromarray(pixels)
    return encode_png(image, drawing.recipe)


def _indexed(pixels: NDArray[np.uint8]) -> Image.Image | None:
    """Return an image with a palette, or None for more than 256 different pixels."""
    height, width, n = pixels.shape
    table, index = np.unique(pixels.reshape(-1, n), axis=0, return_inverse=True)
    if len(table) > 256:
        return None
    image = Image.fromarray(index.astype(np.uint8).reshape(height, width), "L")
    image.putpalette(table[:, :3].tobytes())
    if n == 4:
        image.info["transparency"] = table[:, 3].tobytes()
    return image


def exif(recipe: Recipe) -> bytes:
    """Return a recipe as EXIF: tag ImageDescription, in ASCII after the name of the project."""
    tags = Image.Exif()
    tags[DESCRIPTION] = f"{KEYWORD} {to_text(recipe)}"
    return tags.tobytes()


def encode_webp(drawing: Drawing) -> bytes:
    """Return a drawing as a lossless WebP file; transparent pixels keep their values."""
    recipe = drawing.recipe
    if max(recipe.width, recipe.height) > MAX_WEBP:
        size = f"{recipe.width} x {recipe.height}"
        raise must("a WebP picture", f"have sides of at most {MAX_WEBP} pixels", size)
    buffer = BytesIO()
    drawing.image.save(
        buffer, "WEBP", lossless=True, exact=True, quality=70, method=3, exif=exif(recipe)
    )
    return buffer.getvalue()


def encode_tiff(drawing: Drawing) -> bytes:
    """Return a drawing as a TIFF file with straight alpha, deflated."""
    buffer = BytesIO()
    description = f"{KEYWORD} {to_text(drawing.recipe)}"
    drawing.image.save(
        buffer, "TIFF", compression="tiff_adobe_deflate", tiffinfo={DESCRIPTION: description}
    )
    return buffer.getvalue()


def find_webp_text(file: BinaryIO, name: str) -> bytes:
    """Return the text of a recipe in a WebP file, once its chunks were seen to be whole."""
    riff, size, _ = struct.unpack("<4sI4s", file.read(12))
    end = file.seek(0, 2)
    if riff != b"RIFF" or size + 8 != end:
        raise must(name, "be a whole WebP file", f"{end} bytes")
    at, found = 12, []
    while at + 8 <= end:
        file.seek(at)
        kind, length = struct.unpack("<4sI", file.read(8))
        if at + 8 + length > end:
            raise must(name, "be a whole WebP file", f"a damaged chunk {kind!r}")
        if kind == b"EXIF" and length <= MAX_TEXT + 1024:
            found.append(file.read(length))
        at += 8 + length + length % 2
    text = None
    if len(found) == 1:
        text = _description(BytesIO(found[0].removeprefix(b"Exif\0\0")))
    return _from_description(text, name)


def find_gif_text(file: BinaryIO, name: str) -> bytes:
    """Return the text of a recipe in the comment of a GIF file; pixels are not read."""
    try:
        with opened(file, formats=["GIF"]) as image:
            comment = image.info.get("comment")
    except UNREADABLE as error:
        raise must(name, "be a whole GIF file", type(error).__name__) from error
    small = isinstance(comment, bytes) and len(comment) <= MAX_TEXT
    return _from_description(comment if small else None, name)


def find_tiff_text(file: BinaryIO, name: str) -> bytes:
    """Return the text of a recipe in a TIFF file; pixels are not read."""
    return _from_description(_description(file), name)


def _description(file: BinaryIO) -> bytes | None:
    """Return the ImageDescription of the first directory of a TIFF file, or None."""
    try:
        order = {b"II": "<", b"MM": ">"}[file.read(2)]
        _, at = struct.unpack(f"{order}HI", file.read(6))
        file.seek(at)
        (n_tags,) = struct.unpack(f"{order}H", file.read(2))
        for _ in range(n_tags):
            tag, kind, length, place = struct.unpack(f"{order}HHII", file.read(12))
            if (tag, kind) == (DESCRIPTION, ASCII) and 4 < length <= MAX_TEXT:
                file.seek(place)
                text = file.read(length)
                return text.rstrip(b"\0") if len(text) == length else None
    except (KeyError, struct.error):
        return None
    return None


def _from_description(text: bytes | None, name: str) -> bytes:
    start = f"{KEYWORD} ".encode()
    if text is None or not text.startswith(start):
        raise must(name, f"hold one genome (a description {KEYWORD!r})", 0)
    return text.removeprefix(start)
