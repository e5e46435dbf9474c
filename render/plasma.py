"""Plasma as an animated picture that loops without a jump: APNG, WebP or GIF."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from PIL import Image

from evo.checks import must, whole
from evo.files import write_atomic
from render.palette import as_palette, frame_shifts, palette_index

__all__ = ["write_plasma"]

_FORMATS = {".png": "PNG", ".apng": "PNG", ".webp": "WEBP", ".gif": "GIF"}


def write_plasma(
    path: str | os.PathLike[str],
    heights: ArrayLike,
    palette: str | ArrayLike = "plasma",
    frames: int = 64,
    *,
    duration: int = 40,
) -> None:
    """Write the frames of `palette_cycle` as an animation without end, whole or not at all.

    Colors are exact in every format: a cycle only renames colors, so that a palette of 256 or
    fewer serves all frames of an APNG or GIF.

    Parameters
    ----------
    path : path
        Ends in .png or .apng (APNG), .webp (lossless) or .gif.
    heights : float array of shape (height, width), each in [0, 1]
    palette : name of `PALETTES`, or array of shape (P, 3)
        At most 256 colors for .gif.
    frames : int
        From 1 to P.
    duration : int
        Milliseconds a frame; a GIF counts in steps of 10, so its duration must be such a multiple.
    """
    file = Path(path)
    kind = _FORMATS.get(file.suffix.lower())
    if kind is None:
        raise must("path", f"end in one of {', '.join(_FORMATS)}", file.name)
    duration = whole("duration", duration, low=10, high=65_535)
    colors = as_palette(palette)
    if kind == "GIF" and (len(colors) > 256 or duration % 10):
        name, got = ("palette", colors) if len(colors) > 256 else ("duration", duration)
        requirement = "hold at most 256 colors" if len(colors) > 256 else "be a multiple of 10 ms"
        raise must(name, f"{requirement} for GIF", got)
    index = palette_index(heights, len(colors))

    def picture(shift: int) -> Image.Image:
        turned = (index + shift) % len(colors)
        if len(colors) > 256 or kind == "WEBP":
            return Image.fromarray(colors[turned])
        frame = Image.fromarray(turned.astype(np.uint8)).convert("P")
        frame.putpalette(colors.tobytes())
        return frame

    first, *rest = frame_shifts(len(colors), frames)
    options: dict[str, object] = {"duration": duration, "loop": 0}
    if kind == "WEBP":
        options |= {"lossless": True, "method": 2}
    elif kind == "PNG":
        options |= {"compress_level": 6}
    out = BytesIO()
    picture(first).save(
        out,
        kind,
        save_all=True,
        append_images=[picture(shift) for shift in rest],  # PNG walks over them twice
        **options,
    )
    write_atomic(file, out.getvalue())
