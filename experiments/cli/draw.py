"""The command grow: draws a genome again, at any size."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from evo import from_hex
from evo.checks import must, whole
from experiments.cli.common import UserError, user_input
from experiments.problem import draw
from render import MAX_CIRCLES, Recipe, Window, read_genome, write_png

__all__ = ["grow"]

DEFAULT = Window(512, 512, 512)
ENDINGS = (".png",)


def grow(
    what: Annotated[
        str, typer.Argument(metavar="PNG-or-HEX", help="A picture with a genome, or 360 digits.")
    ],
    out: Annotated[Path, typer.Option("-o", "--out", help="The picture to write (.png).")],
    seed: Annotated[
        int | None, typer.Option(help="Growth seed; default: the picture's, or 0.")
    ] = None,
    size: Annotated[
        str | None, typer.Option(metavar="WxH", help="Pixels, such as 1024x768.")
    ] = None,
    style: Annotated[str | None, typer.Option(help="flat or volume.")] = None,
    oversample: Annotated[int | None, typer.Option(help="Samples a pixel, each way.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Draw a genome again, at any size: the same view, finer or coarser."""
    with user_input():
        if out.suffix.lower() not in ENDINGS:
            raise must("--out", f"end in {' or '.join(ENDINGS)}", str(out))
        if out.exists() and not force:
            raise must("--out", "not exist yet, or --force be given", str(out))
        recipe = _recipe(what)
        if style is not None and style not in ("flat", "volume"):
            raise must("--style", "be 'flat' or 'volume'", style)
        fine = recipe.oversample if oversample is None else whole("oversample", oversample, 1)
        window = _resized(recipe.window, size, fine)
        recipe = replace(
            recipe,
            seed=recipe.seed if seed is None else seed,
            style=style or recipe.style,
            oversample=fine,
            width=window.width,
            height=window.height,
            unit=window.unit,
            root=window.root,
        )
        pixels = draw(recipe)
    try:
        write_png(
            out,
            pixels,
            recipe.genome,
            recipe.seed,
            recipe.max_circles,
            window=window,
            style=recipe.style,
            oversample=recipe.oversample,
        )
    except OSError as error:
        raise UserError(
            f"--out must be a file that can be written, got {str(out)!r} ({error.strerror})"
        ) from error
    print(f"wrote {out}, {window.width} x {window.height}")


def _recipe(what: str) -> Recipe:
    if any(sign in what for sign in "./\\"):
        return read_genome(what)
    return Recipe(
        genome=from_hex(what),
        seed=0,
        max_circles=MAX_CIRCLES,
        width=DEFAULT.width,
        height=DEFAULT.height,
        unit=DEFAULT.unit,
        root=DEFAULT.root,
        style="volume",
        oversample=2,
    )


def _resized(window: Window, size: str | None, oversample: int) -> Window:
    """Return a window of another size on the same view: nothing of it is left out.

    The unit is rounded up to a whole number that oversample divides.
    """
    width, height = window.width, window.height
    if size is not None:
        match = re.fullmatch(r"(-?\d+)[xX](-?\d+)", size)
        if not match:
            raise must("--size", "have the form WxH", size)
        width, height = int(match[1]), int(match[2])
        Window(width, height)
    scale = max(
        -(-window.unit * window.width // max(width, 1)),
        -(-window.unit * window.height // max(height, 1)),
    )
    unit = -(-scale // oversample) * oversample
    column, row = window.root
    root = (round(column * width / window.width), round(row * height / window.height))
    return Window(width, height, unit, root)
