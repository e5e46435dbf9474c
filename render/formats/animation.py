"""Growth as a moving picture: APNG, WebP and GIF, a frame after so many ticks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from evo.checks import must, nearest, number, whole
from evo.files import write_atomic
from render.circles import Circles
from render.color import Color, as_color
from render.drawing import grow_recipe, rasterize_recipe
from render.formats.colors import onto
from render.formats.pixels import exif
from render.png import text_chunk
from render.recipe import KEYWORD, Recipe, to_text

__all__ = [
    "ANIMATIONS",
    "Timing",
    "check_animation",
    "frame_times",
    "grown_until",
    "write_animation",
]

ANIMATIONS = {
    ".apng": ("PNG", 1),
    ".png": ("PNG", 1),
    ".webp": ("WEBP", 1),
    ".gif": ("GIF", 10),
}
"""File ending -> Pillow's name of the format, and its step of time in ms."""

MAX_SECONDS = 60
"""Longest animation: APNG cannot hold a frame for more than 65 s."""

MAX_PIXELS = 2**27
"""Most pixels of all frames together: encoders hold them at once."""

_LEAST_GIF_FRAME = 20  # ms; browsers slow down what is shorter


class Timing(NamedTuple):
    """When an animation shows what.

    Parameters
    ----------
    duration : float
        Seconds of growth.
    fps : float
        Frames a second of it.
    hold : float
        Seconds that the grown plant stays.
    loops : int
        How often it plays; 0: for ever.
    """

    duration: float = 4.0
    fps: float = 25.0
    hold: float = 1.5
    loops: int = 0


def check_animation(path: str | os.PathLike[str], timing: Timing, name: str = "path") -> Timing:
    """Return a timing that a file's format can keep, or raise ValueError."""
    ending = Path(path).suffix.lower()
    if ending not in ANIMATIONS:
        said = f"end in one of {', '.join(ANIMATIONS)}{nearest(ending, ANIMATIONS)}"
        raise must(name, said, os.fspath(path))
    duration = number("duration", timing.duration, 0.1, MAX_SECONDS)
    fps = number("fps", timing.fps, 0.1, 100)
    hold = number("hold", timing.hold, 0, MAX_SECONDS)
    loops = whole("loops", timing.loops, 0, 10_000)
    if ending == ".gif" and fps > 1000 / _LEAST_GIF_FRAME:
        raise must("fps", f"be at most {1000 // _LEAST_GIF_FRAME} in a GIF", timing.fps)
    if duration + hold > MAX_SECONDS:
        raise must("duration + hold", f"be at most {MAX_SECONDS} seconds", duration + hold)
    return Timing(duration, fps, hold, loops)


def frame_times(timing: Timing, step: int) -> NDArray[np.int64]:
    """Return how long each frame shows, in ms: multiples of `step` that do not drift.

    There are duration * fps frames, rounded, at least two; the last one is held.
    """
    n = max(2, round(timing.duration * timing.fps))
    # every frame begins at its time rounded: so the sum is right to half a step
    begins = np.rint(np.arange(n + 1) * (1000 * timing.duration / n) / step)
    begins[-1] = np.rint(1000 * (timing.duration + timing.hold) / step)
    return np.diff(begins).astype(np.int64) * step


def grown_until(circles: Circles, tick: int) -> Circles:
    """Return the circles drawn before a tick."""
    n = int(np.searchsorted(circles.tick, tick))
    agent = None if circles.agent is None else circles.agent[:n]
    return replace(
        circles,
        x=circles.x[:n],
        y=circles.y[:n],
        diameter=circles.diameter[:n],
        color=circles.color[:n],
        tick=circles.tick[:n],
        level=circles.level[:n],
        agent=agent,
    )


def write_animation(
    path: str | os.PathLike[str],
    recipe: Recipe,
    timing: Timing | None = None,
    *,
    background: Color | None = None,
    kernel: str | None = None,
) -> int:
    """Write the growth of a plant as a moving picture, with its genome inside.

    Parameters
    ----------
    path : path
        Its ending names the format: .apng or .png, .webp, .gif. A file of that name is replaced;
        it appears whole or not at all.
    recipe : Recipe
        The last frame is its picture. A GIF has colors that are off a little, and pixels that
        are transparent or not; the others are exact.
    timing : Timing, optional
    background : (red, green, blue), optional
        By default transparent.
    kernel : str, optional
        As in `rasterize`.

    Returns
    -------
    int
        How long it plays once, in ms.

    Raises
    ------
    ValueError
        If the ending is unknown or an argument is out of its range.
    OSError
        If the file cannot be written.
    """
    timing = check_animation(path, timing or Timing())
    if background is not None:
        background = as_color(background, "background")
    kind, step = ANIMATIONS[Path(path).suffix.lower()]
    circles = grow_recipe(recipe, kernel)
    times = frame_times(timing, step)
    kept, times = _distinct(circles, times)
    if len(kept) * recipe.width * recipe.height > MAX_PIXELS:
        size = f"{len(kept)} frames of {recipe.width} x {recipe.height}"
        raise must("frames * width * height", f"be at most {MAX_PIXELS}", size)
    pictures = _pictures(circles, recipe, kept, background, kernel)
    if kind == "GIF":
        pictures = _for_gif(pictures, rasterize_recipe(circles, recipe, kernel), background)
    first = next(pictures)
    options: dict[str, Any] = {"duration": times.tolist(), "append_images": list(pictures)}
    if kind == "PNG":
        options |= {"pnginfo": text_chunk(recipe), "disposal": 0, "blend": 0}
        options |= {"compress_level": 4}
    elif kind == "WEBP":
        options |= {"lossless": True, "exact": True, "quality": 60, "method": 2}
        options |= {"exif": exif(recipe)}
    else:
        options |= {"disposal": 1 if background else 2, "optimize": False}
        options |= {"comment": f"{KEYWORD} {to_text(recipe)}".encode("ascii")}
    if kind != "GIF":
        options["loop"] = timing.loops
    elif timing.loops != 1:  # a GIF counts how often it is repeated
        options["loop"] = max(0, timing.loops - 1)
    if len(kept) == 1:
        options["duration"] = int(times[0])
    buffer = BytesIO()
    first.save(buffer, kind, save_all=len(kept) > 1, **options)
    write_atomic(path, buffer.getvalue())
    return int(times.sum())


def _distinct(circles: Circles, times: NDArray[np.int64]) -> tuple[list[int], NDArray[np.int64]]:
    """Return how many ticks each frame shows, without frames that repeat the one before."""
    n_ticks = int(circles.tick[-1]) + 1 if len(circles) else 0
    n = times.size
    ticks = -(-n_ticks * np.arange(1, n + 1) // n)
    first = np.flatnonzero(np.diff(ticks, prepend=-1))
    return ticks[first].tolist(), np.add.reduceat(times, first)


def _pictures(
    circles: Circles,
    recipe: Recipe,
    ticks: list[int],
    background: Color | None,
    kernel: str | None,
) -> Iterator[Image.Image]:
    for tick in ticks:
        pixels = rasterize_recipe(grown_until(circles, tick), recipe, kernel)
        yield Image.fromarray(pixels if background is None else onto(pixels, background))


def _for_gif(
    pictures: Iterator[Image.Image], last: NDArray[np.uint8], background: Color | None
) -> Iterator[Image.Image]:
    """Yield pictures in the palette of the last one, color 255 for what is transparent."""
    shown = onto(last, background) if background is not None else last[last[..., 3] >= 128][:, :3]
    sample = Image.fromarray(np.ascontiguousarray(shown.reshape(1, -1, 3)))
    if sample.width == 0:
        sample = Image.new("RGB", (1, 1))
    palette = sample.quantize(255, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
    table = (palette.getpalette() or [])[: 3 * 255]
    table += [0] * (3 * 256 - len(table))
    for picture in pictures:
        index = np.array(
            picture.convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE), np.uint8
        )
        if background is None:
            index[np.asarray(picture)[..., 3] < 128] = 255
        out = Image.fromarray(index, "L")
        out.putpalette(table)
        if background is None:
            out.info["transparency"] = 255
        yield out
