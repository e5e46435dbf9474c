"""Contact sheets: many pictures at a glance, each with a label."""

from __future__ import annotations

import io
import math
import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from evo.files import write_atomic

__all__ = ["contact_sheet"]

PAPER = (247, 245, 240)
FRAME = (224, 220, 211)
INK = (72, 68, 60)
CELL = 320
GAP = 14
LABEL = 30


def contact_sheet(
    path: str | os.PathLike[str],
    pictures: Sequence[NDArray[np.uint8]],
    labels: Sequence[str],
    columns: int | None = None,
) -> None:
    """Write a PNG of pictures in rows, on paper white, a label below each.

    Parameters
    ----------
    path : path
    pictures : sequence of uint8 arrays of shape (height, width, 4) or (height, width, 3)
        Each is fitted into a cell of 320 x 320 pixels.
    labels : sequence of str
    columns : int, optional
        By default about as many as rows, in favor of width.
    """
    n = len(pictures)
    columns = columns or max(1, math.ceil(math.sqrt(n * 4 / 3)))
    rows = math.ceil(n / columns)
    size = (GAP + columns * (CELL + GAP), GAP + rows * (CELL + LABEL + GAP))
    sheet = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(size=15)
    for index, (pixels, label) in enumerate(zip(pictures, labels, strict=True)):
        left = GAP + index % columns * (CELL + GAP)
        top = GAP + index // columns * (CELL + LABEL + GAP)
        box = (left, top, left + CELL - 1, top + CELL - 1)
        pen.rounded_rectangle(box, radius=6, fill="white", outline=FRAME)
        picture = Image.fromarray(pixels).convert("RGBA")
        picture.thumbnail((CELL - 8, CELL - 8), Image.Resampling.LANCZOS)
        corner = (left + (CELL - picture.width) // 2, top + (CELL - picture.height) // 2)
        sheet.paste(picture, corner, picture)
        pen.text((left + CELL / 2, top + CELL + LABEL / 2), label, INK, font, anchor="mm")
    buffer = io.BytesIO()
    sheet.save(buffer, "PNG", compress_level=6)
    write_atomic(path, buffer.getvalue())
