"""The command sprites: a sheet of one species for a game, with its atlas."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evo.checks import must
from experiments.cli.common import check_new, user_input, writing
from experiments.cli.draw import (
    Force,
    LeastDiameter,
    Oversample,
    Seed,
    Style,
    What,
    recipe_of,
    view,
)
from render.formats import SHEETS, write_sprites

__all__ = ["sprite_sheet"]


def sprite_sheet(
    what: What,
    out: Annotated[
        Path,
        typer.Option("-o", "--out", help="The sheet (.png or .webp); its atlas ends in .json."),
    ],
    n: Annotated[int, typer.Option("-n", help="Individuals: growth seeds that follow on.")] = 8,
    stages: Annotated[int, typer.Option(help="Ages of each, in equal steps.")] = 1,
    size: Annotated[str, typer.Option(metavar="WxH", help="Pixels of a sprite.")] = "128x128",
    padding: Annotated[int, typer.Option(help="Empty pixels between sprites.")] = 2,
    power_of_two: Annotated[
        bool, typer.Option("--power-of-two", help="Sides of the sheet are powers of two.")
    ] = False,
    seed: Seed = None,
    style: Style = None,
    oversample: Oversample = None,
    least_diameter: LeastDiameter = None,
    force: Force = False,
) -> None:
    """Draw many plants of one genome at several ages on a sheet, with an atlas for engines."""
    with user_input():
        if out.suffix.lower() not in SHEETS:
            raise must("--out", f"end in one of {', '.join(SHEETS)}", str(out))
        for path in (out, out.with_suffix(".json")):
            check_new(path, force)
        recipe = view(recipe_of(what), seed, size, None, False, style, oversample, least_diameter)
    with writing(out):
        atlas, (width, height) = write_sprites(
            out, recipe, n, stages, padding=padding, power_of_two=power_of_two
        )
    print(f"wrote {out}, {width} x {height}, and {atlas}")
