"""The command terrain: makes maps of heights, and pictures of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from evo.checks import choice, must, nearest, whole
from experiments.cli.common import check_new, parse_size, user_input, writing
from render import (
    PALETTES,
    closed_palette,
    diamond_square,
    write_heights,
    write_hillshade,
    write_plasma,
)
from render.terrain import HEIGHT_FORMATS, shown_relief

__all__ = ["terrain"]

PLASMA = (".png", ".apng", ".webp", ".gif")
FRAMES = 64


def terrain(
    out: Annotated[
        Path,
        typer.Option(
            "-o",
            "--out",
            help="The file to write. Heights: .png (16 bits), .npy, .npz, .asc, .tif, .raw. "
            "Animated plasma: .gif, .webp, .apng, or .png with --frames.",
        ),
    ],
    iterations: Annotated[
        int | None, typer.Option(help="Levels: 2^iterations + 1 rows and columns; default 8.")
    ] = None,
    roughness: Annotated[
        float, typer.Option(help="0 is the roughest, 3 smooth; inf is the first level alone.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="Where chance comes from.")] = 0,
    variant: Annotated[
        str, typer.Option(help="diamond_square, square_square (no creases) or spectral.")
    ] = "diamond_square",
    wrap: Annotated[bool, typer.Option("--wrap", help="Make borders that tile.")] = False,
    size: Annotated[
        str | None, typer.Option(metavar="WxH", help="Cut to this size, such as 640x360.")
    ] = None,
    palette: Annotated[
        str | None,
        typer.Option(help="Paint: plasma, fire, ocean, moss, dusk, opal, slate, or #rrggbb,#..."),
    ] = None,
    frames: Annotated[
        int | None, typer.Option(help="Frames in which the palette turns once round.")
    ] = None,
    hillshade: Annotated[
        bool, typer.Option("--hillshade", help="Light from the upper left instead of heights.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Make terrain: a map of heights, its hillshade, or an animated plasma."""
    painted = palette is not None or frames is not None or out.suffix.lower() in PLASMA[1:]
    with user_input():
        _check_out(out, painted, hillshade, force)
        colors = _palette(palette or "plasma") if painted else None
        whole("--seed", seed, 0, 2**64 - 1)
        shape = None if size is None else parse_size(size)[::-1]  # rows and columns
        heights = diamond_square(
            8 if iterations is None and shape is None else iterations,
            roughness,
            rng=seed,
            variant=variant,  # type: ignore[arg-type]  # checked there
            wrap=wrap,
            shape=shape,
            normalize="minmax" if painted else "none",
        )
    with writing(out):
        if hillshade:
            write_hillshade(out, heights, exaggeration=shown_relief(heights))
        elif colors is not None:
            still = 1 if out.suffix.lower() == ".png" else min(FRAMES, len(colors))
            write_plasma(out, heights, colors, still if frames is None else frames)
        else:
            write_heights(out, heights)
    print(f"wrote {out}, {heights.shape[1]} x {heights.shape[0]}")


def _check_out(out: Path, painted: bool, hillshade: bool, force: bool) -> None:
    if hillshade and painted:
        raise must("--hillshade", "be given without --palette and --frames", str(out))
    options: list[str] = list(HEIGHT_FORMATS)
    if hillshade or painted:
        options = [".png"] if hillshade else list(PLASMA)
    ending = out.suffix.lower()
    if ending not in options:
        every = options if hillshade or painted else list(dict.fromkeys([*options, *PLASMA]))
        hint = nearest(ending, every) if len(every) > 1 else ""
        raise must("--out", f"end in one of {', '.join(every)}{hint}", str(out))
    check_new(out, force)


def _palette(text: str) -> NDArray[np.uint8]:
    if "#" in text or "," in text:
        return closed_palette(text.split(","))
    return closed_palette(choice("--palette", text, PALETTES))
