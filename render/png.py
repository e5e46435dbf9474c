"""PNG files that carry their genome: a text chunk with all it takes to draw the picture again.

The chunk `evogarden` stands before the pixels and holds JSON with a crc32 over all of it. Reading
takes bounded memory, checks the whole file, and evaluates nothing.
"""

from __future__ import annotations

import os
import re
import zlib
from io import BytesIO
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from evo.checks import must
from evo.files import write_atomic
from evo.genome import Genome, as_genes
from render.growth import MAX_CIRCLES
from render.recipe import KEYWORD, MAX_TEXT, Recipe, to_text
from render.window import Window

__all__ = ["SIGNATURE", "encode_png", "find_png_text", "text_chunk", "write_png"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""The first bytes of each PNG file."""

_COMPRESSION = 4  # half the time of Pillow's 6 for files a few percent larger
_PIECE = 1 << 16


def write_png(
    path: str | os.PathLike[str],
    rgba: NDArray[np.uint8],
    genome: Genome,
    seed: int = 0,
    max_circles: int = MAX_CIRCLES,
    *,
    window: Window | None = None,
    style: str = "flat",
    oversample: int = 1,
) -> None:
    """Write a picture as PNG with its genome inside; the file appears whole or not at all.

    Parameters
    ----------
    path : path
        A file of that name is replaced.
    rgba : uint8 array of shape (height, width, 4) or (height, width, 3)
        The pixels, straight alpha.
    genome, seed, max_circles
        What grew, as in `grow`.
    window : Window, optional
        What the picture shows; by default the default window of its size.
    style, oversample
        How it was drawn, as in `rasterize`.

    Raises
    ------
    ValueError
        If an argument is not of the kind above.
    OSError
        If the file cannot be written.
    """
    pixels = _pixels(rgba)
    if window is None:
        window = Window(pixels.shape[1], pixels.shape[0])
    recipe = Recipe(
        genome=as_genes(genome).tobytes(),
        seed=seed,
        max_circles=max_circles,
        width=window.width,
        height=window.height,
        unit=window.unit,
        root=window.root,
        style=style,
        oversample=oversample,
    )
    write_atomic(path, encode_png(Image.fromarray(pixels), recipe))


def encode_png(image: Image.Image, recipe: Recipe) -> bytes:
    """Return an image as a PNG file with its recipe inside."""
    buffer = BytesIO()
    image.save(buffer, "PNG", pnginfo=text_chunk(recipe), compress_level=_COMPRESSION)
    return buffer.getvalue()


def text_chunk(recipe: Recipe) -> PngInfo:
    """Return the text chunk that holds a recipe."""
    info = PngInfo()
    info.add_text(KEYWORD, to_text(recipe))
    return info


def _pixels(rgba: object) -> NDArray[np.uint8]:
    if (
        not isinstance(rgba, np.ndarray)
        or rgba.dtype != np.uint8
        or rgba.ndim != 3
        or rgba.shape[2] not in (3, 4)
        or 0 in rgba.shape
    ):
        raise must("rgba", "be a uint8 array of shape (height, width, 4 or 3)", rgba)
    return np.ascontiguousarray(rgba)


def find_png_text(file: BinaryIO, name: str) -> bytes:
    """Return the text of our chunk, once every chunk of the file has passed its CRC.

    Parameters
    ----------
    file : binary file
        At its beginning, which was seen to be `SIGNATURE`.
    name : str
        What messages call it.

    Raises
    ------
    ValueError
        If the file is damaged or cut short, or has no such chunk, two of them, or a large one.
    """
    file.read(len(SIGNATURE))
    keyword = KEYWORD.encode() + b"\0"
    found: list[bytes] = []
    before_pixels = True
    while True:
        head = file.read(8)
        if len(head) < 8:
            raise must(name, "be a whole PNG file", "one cut short")
        length, kind = int.from_bytes(head[:4], "big"), head[4:]
        if not re.fullmatch(rb"[A-Za-z]{4}", kind) or length >= 1 << 31:
            raise must(name, "be a whole PNG file", f"a damaged chunk {kind!r}")
        before_pixels = before_pixels and kind != b"IDAT"
        begin = file.read(min(length, len(keyword)))
        ours = kind == b"tEXt" and begin == keyword and before_pixels
        if ours and length > MAX_TEXT:
            raise must(name, f"have a chunk {KEYWORD!r} of at most {MAX_TEXT} bytes", length)
        check, left, kept = zlib.crc32(begin, zlib.crc32(kind)), length - len(begin), b""
        while left > 0 and (piece := file.read(min(left, _PIECE))):
            check, left = zlib.crc32(piece, check), left - len(piece)
            if ours:
                kept += piece
        end = file.read(4)
        if left > 0 or len(end) < 4:
            raise must(name, "be a whole PNG file", "one cut short")
        if int.from_bytes(end, "big") != check:
            raise must(name, "be a whole PNG file", f"a damaged chunk {kind.decode()!r}")
        if ours:
            found.append(kept)
        if kind == b"IEND":
            break
    if len(found) != 1:
        raise must(name, f"hold one genome (text chunk {KEYWORD!r} before the pixels)", len(found))
    return found[0]
