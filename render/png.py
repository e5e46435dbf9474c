"""PNG files that carry their genome: a text chunk with all it takes to draw the picture again.

The chunk `evogarden` stands before the pixels and holds JSON with a crc32 over all of it. Reading
takes bounded memory, checks the whole file, and evaluates nothing.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from evo.checks import choice, must, whole
from evo.files import write_atomic
from evo.genome import Genome, as_genes, from_hex
from render.growth import GROWTH_MODEL, MAX_CIRCLES, MAX_SEED
from render.raster import STYLES
from render.window import Window

__all__ = ["CHUNK", "Recipe", "read_genome", "write_png"]

CHUNK = "evogarden"
"""Keyword of the text chunk."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MAX_TEXT = 1 << 16  # a chunk of ours has about 700 bytes
_COMPRESSION = 4  # half the time of Pillow's 6 for files a few percent larger
_PIECE = 1 << 16


@dataclass(frozen=True)
class Recipe:
    """What it takes to draw a picture again.

    Parameters
    ----------
    genome : bytes
        180 bytes.
    seed, max_circles : int
        As in `grow`.
    width, height, unit, root
        The window, as in `Window`.
    style, oversample
        As in `rasterize`.
    growth_model : int
        The rules it grew by.

    Raises
    ------
    ValueError
        If one of them is of another kind or out of its range.
    """

    genome: bytes
    seed: int
    max_circles: int
    width: int
    height: int
    unit: int
    root: tuple[int, int]
    style: str = "flat"
    oversample: int = 1
    growth_model: int = GROWTH_MODEL

    def __post_init__(self) -> None:
        object.__setattr__(self, "genome", as_genes(self.genome).tobytes())
        object.__setattr__(self, "seed", whole("seed", self.seed, 0, MAX_SEED))
        object.__setattr__(self, "max_circles", whole("max_circles", self.max_circles, 0))
        object.__setattr__(self, "root", self.window.root)
        choice("style", self.style, STYLES)
        if self.window.unit % whole("oversample", self.oversample, 1):
            raise must("oversample", f"divide the unit {self.unit}", self.oversample)
        if whole("growth_model", self.growth_model) != GROWTH_MODEL:
            raise must("growth_model", f"be {GROWTH_MODEL}", self.growth_model)

    @property
    def window(self) -> Window:
        """The window on the world that the picture shows."""
        return Window(self.width, self.height, self.unit, self.root)


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
    info = PngInfo()
    info.add_text(CHUNK, _to_text(recipe))
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", pnginfo=info, compress_level=_COMPRESSION)
    write_atomic(path, buffer.getvalue())


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


def read_genome(png_path: str | os.PathLike[str]) -> Recipe:
    """Return what it takes to draw a PNG picture again.

    Parameters
    ----------
    png_path : path
        A PNG file that `write_png` wrote.

    Returns
    -------
    Recipe

    Raises
    ------
    ValueError
        If there is no such file, it is no PNG or is damaged anywhere, holds no genome, or one
        of another growth model.
    """
    name = str(png_path)
    try:
        with Path(png_path).open("rb") as file:
            text = _find_text(file, name)
    except OSError as error:
        raise must("png_path", f"be a file to read ({error.strerror})", name) from error
    return _from_text(text, name)


def _find_text(file: BinaryIO, name: str) -> bytes:
    """Return the text of our chunk, once every chunk of the file has passed its CRC."""
    if file.read(len(_SIGNATURE)) != _SIGNATURE:
        raise must(name, "be a PNG file", "other bytes")
    keyword = CHUNK.encode() + b"\0"
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
        if ours and length > _MAX_TEXT:
            raise must(name, f"have a chunk {CHUNK!r} of at most {_MAX_TEXT} bytes", length)
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
        raise must(name, f"hold one genome (text chunk {CHUNK!r} before the pixels)", len(found))
    return found[0]


def _canonical(fields: dict[str, Any]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


def _to_text(recipe: Recipe) -> str:
    fields = {
        "growth_model": recipe.growth_model,
        "genome": recipe.genome.hex(),
        "seed": str(recipe.seed),  # it may pass 2^53, where other readers of JSON round
        "max_circles": recipe.max_circles,
        "width": recipe.width,
        "height": recipe.height,
        "unit": recipe.unit,
        "root": list(recipe.root),
        "style": recipe.style,
        "oversample": recipe.oversample,
    }
    return _canonical({**fields, "crc32": zlib.crc32(_canonical(fields).encode())})


def _from_text(text: bytes, name: str) -> Recipe:
    damaged = f"have an undamaged chunk {CHUNK!r}"
    try:
        fields = json.loads(text.decode("ascii"))
    except (ValueError, RecursionError) as error:
        raise must(name, damaged, "no JSON") from error
    if not isinstance(fields, dict):
        raise must(name, damaged, "no JSON object")
    check = fields.pop("crc32", None)
    if type(check) is not int or check != zlib.crc32(_canonical(fields).encode()):
        raise must(name, damaged, "another crc32")
    model = fields.get("growth_model")
    if type(model) is not int or model != GROWTH_MODEL:
        raise must(f"the growth model of {name}", f"be {GROWTH_MODEL}", model)
    try:
        return _from_fields(fields)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _from_fields(fields: dict[str, Any]) -> Recipe:
    names = list(Recipe.__dataclass_fields__)
    if sorted(fields) != sorted(names):
        raise must(f"the fields of chunk {CHUNK!r}", f"be {', '.join(names)}", list(fields))
    genome, seed, root = fields["genome"], fields["seed"], fields["root"]
    if not isinstance(genome, str):
        raise must("genome", "be hex digits", genome)
    if not isinstance(seed, str) or not re.fullmatch(r"0|[1-9][0-9]{0,19}", seed):
        raise must("seed", "be a whole number as a string", seed)
    if not isinstance(root, list) or len(root) != 2:
        raise must("root", "be a pair of whole numbers (column, row)", root)
    changed = {"genome": from_hex(genome), "seed": int(seed), "root": (root[0], root[1])}
    return Recipe(**{**fields, **changed})
