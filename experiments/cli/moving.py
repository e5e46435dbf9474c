"""The command animate: the growth of a plant as a moving picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.common import check_new, user_input, writing
from experiments.cli.draw import (
    Background,
    Fit,
    Force,
    LeastDiameter,
    Oversample,
    PxPerPixel,
    Seed,
    Size,
    Style,
    What,
    recipe_of,
    view,
)
from render import ANIMATIONS, Timing, parse_color, write_animation
from render.formats import check_animation

__all__ = ["animate"]


def animate(
    what: What,
    out: Annotated[
        Path, typer.Option("-o", "--out", help=f"The file to write ({' '.join(ANIMATIONS)}).")
    ],
    duration: Annotated[float, typer.Option(help="Seconds of growth.")] = 4.0,
    fps: Annotated[float, typer.Option(help="Frames a second; at most 50 in a GIF.")] = 25.0,
    hold: Annotated[float, typer.Option(help="Seconds that the grown plant stays.")] = 1.5,
    loops: Annotated[int, typer.Option(help="How often it plays; 0: for ever.")] = 0,
    seed: Seed = None,
    size: Size = None,
    px_per_pixel: PxPerPixel = None,
    fit: Fit = False,
    style: Style = None,
    oversample: Oversample = None,
    least_diameter: LeastDiameter = None,
    background: Background = "none",
    force: Force = False,
) -> None:
    """Show how a plant grows: APNG, WebP or GIF, a frame after so many ticks."""
    with user_input():
        timing = check_animation(out, Timing(duration, fps, hold, loops), "--out")
        check_new(out, force)
        paper = parse_color(background)
        recipe = view(
            recipe_of(what), seed, size, px_per_pixel, fit, style, oversample, least_diameter
        )
    with writing(out):
        ms = write_animation(out, recipe, timing, background=paper)
    print(f"wrote {out}, {recipe.width} x {recipe.height}, {ms / 1000:g} s")
