"""Opening pictures of other people's by Pillow, and what it raises on damaged ones."""

from __future__ import annotations

import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from typing import IO

from PIL import Image

__all__ = ["UNREADABLE", "opened"]

UNREADABLE = (
    ArithmeticError,
    EOFError,
    Image.DecompressionBombError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
"""What Pillow's plugins raise on a damaged file, be it when opening or when decoding it."""


@contextmanager
def opened(
    file: str | PathLike[str] | IO[bytes], formats: list[str] | None = None
) -> Iterator[Image.Image]:
    """Open a picture for a block; raises one of `UNREADABLE` where it can't be read.

    Pillow's warnings are not given. A large picture is refused by the caller's own limit, or by
    Pillow beyond twice the size that it warns of; damaged tags beside the pixels (EXIF of many a
    camera) change nothing that is used here.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"PIL\.")
        with Image.open(file, formats=formats) as image:
            yield image
