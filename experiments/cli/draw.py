"""The command grow: draws a genome again, at any size, in any format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from evo import from_hex
from evo.checks import must, number, whole
from experiments.cli.common import check_new, parse_size, user_input, writing
from render import MAX_CIRCLES, Recipe, Window, fit, parse_color, read_genome, write_picture
from render.drawing import grow_recipe
from render.formats import FORMATS, get_format
from render.raster import check_style

__all__ = [
    "UNIT_PER_PX",
    "Background",
    "Fit",
    "Force",
    "LeastDiameter",
    "Oversample",
    "PxPerPixel",
    "Seed",
    "Size",
    "Style",
    "What",
    "grow",
    "recipe_of",
    "view",
]

DEFAULT = Window(512, 512, 512)
UNIT_PER_PX = 256

What = Annotated[
    str, typer.Argument(metavar="PICTURE-or-HEX", help="A picture with a genome, or 360 digits.")
]
Seed = Annotated[int | None, typer.Option(help="Growth seed; default: the picture's, or 0.")]
Size = Annotated[str | None, typer.Option(metavar="WxH", help="Pixels, such as 1024x768.")]
PxPerPixel = Annotated[
    float | None, typer.Option(help="World px that one pixel shows, in steps of 1/256.")
]
Fit = Annotated[bool, typer.Option("--fit", help="The plant fills the picture.")]
Style = Annotated[str | None, typer.Option(help="flat, volume or mask (the silhouette).")]
Oversample = Annotated[int | None, typer.Option(help="Samples a pixel, each way.")]
LeastDiameter = Annotated[
    float | None,
    typer.Option(help="Draw circles at least so wide, in world px: 4 makes thin twigs lines."),
]
Background = Annotated[str, typer.Option(help="A color such as #f7f5f0 or white, or none.")]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]

UNBROKEN = 512
"""World size of a pixel, 1/256 px, down to which the thinnest twig is a nearly unbroken line."""


def grow(
    what: What,
    out: Annotated[
        Path, typer.Option("-o", "--out", help=f"The picture to write ({' '.join(FORMATS)}).")
    ],
    seed: Seed = None,
    size: Size = None,
    px_per_pixel: PxPerPixel = None,
    fit: Fit = False,
    trim: Annotated[
        bool, typer.Option("--trim", help="Cut off the empty rows and columns at the borders.")
    ] = False,
    style: Style = None,
    oversample: Oversample = None,
    least_diameter: LeastDiameter = None,
    background: Background = "none",
    colors: Annotated[
        int | None, typer.Option(help="At most so many different colors, 1 to 256.")
    ] = None,
    force: Force = False,
) -> None:
    """Draw a genome again, at any size: the same view, finer or coarser, unless told."""
    with user_input():
        get_format(out, "--out")
        check_new(out, force)
        paper = parse_color(background)
        if colors is not None:
            whole("--colors", colors, 1, 256)
        recipe = view(
            recipe_of(what), seed, size, px_per_pixel, fit, style, oversample, least_diameter
        )
    with writing(out):
        recipe = write_picture(out, recipe, trim=trim, background=paper, colors=colors)
    print(f"wrote {out}, {recipe.width} x {recipe.height}")
    if recipe.unit < UNBROKEN and not recipe.least_diameter:
        print("thin twigs are dotted at this scale; --least-diameter 4 draws them unbroken")


def recipe_of(what: str) -> Recipe:
    """Return the recipe in a picture, or one for a genome in hex digits."""
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


def view(
    recipe: Recipe,
    seed: int | None = None,
    size: str | None = None,
    px_per_pixel: float | None = None,
    filled: bool = False,
    style: str | None = None,
    oversample: int | None = None,
    least_diameter: float | None = None,
) -> Recipe:
    """Return a recipe seen another way, as the options of the commands say.

    Raises
    ------
    ValueError
        If an option is out of its range, or two of them exclude each other.
    """
    if filled and px_per_pixel is not None:
        raise must("--fit", "be given without --px-per-pixel", "both")
    if style is None:
        style = recipe.style
    if oversample is None:
        oversample = 1 if style == "mask" else recipe.oversample
    check_style(style, oversample, "--")
    least = recipe.least_diameter
    if least_diameter is not None:
        least = _steps("--least-diameter", least_diameter, 0)
    width, height = parse_size(size) if size else (recipe.width, recipe.height)
    Window(width, height)
    if px_per_pixel is None:
        window = _same_view(recipe.window, width, height, oversample)
    else:
        unit = _steps("--px-per-pixel", px_per_pixel, 1 / UNIT_PER_PX)
        old = recipe.window
        root = (round(old.root[0] * width / old.width), round(old.root[1] * height / old.height))
        window = Window(width, height, unit, root)
    changed = replace(
        recipe,
        seed=recipe.seed if seed is None else seed,
        style=style,
        oversample=oversample,
        width=window.width,
        height=window.height,
        unit=window.unit,
        root=window.root,
        least_diameter=least,
    )
    if filled:
        window = fit(grow_recipe(changed), width, height, style, oversample)
        changed = replace(changed, unit=window.unit, root=window.root)
    return changed


def _steps(name: str, px: float, least: float) -> int:
    """Return a length in world px as whole 1/256."""
    steps = number(name, px, least, 2**20 / UNIT_PER_PX) * UNIT_PER_PX
    if steps != round(steps):
        raise must(name, "be a multiple of 1/256", px)
    return round(steps)


def _same_view(window: Window, width: int, height: int, oversample: int) -> Window:
    """Return a window of another size on the same view: nothing of it is left out.

    The unit is rounded up to a whole number that oversample divides.
    """
    scale = max(-(-window.unit * window.width // width), -(-window.unit * window.height // height))
    unit = -(-scale // oversample) * oversample
    column, row = window.root
    root = (round(column * width / window.width), round(row * height / window.height))
    return Window(width, height, unit, root)
