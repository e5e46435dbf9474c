"""The command terrain: makes maps of heights, and pictures of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from evo.checks import choice, must
from experiments.cli.common import UserError, user_input
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
        shape = _shape(size)
        heights = diamond_square(
            8 if iterations is None and shape is None else iterations,
            roughness,
            rng=seed,
            variant=variant,  # type: ignore[arg-type]  # checked there
            wrap=wrap,
            shape=shape,
            normalize="minmax" if painted else "none",
        )
        try:
            if hillshade:
                write_hillshade(out, heights, exaggeration=shown_relief(heights))
            elif colors is not None:
                still = 1 if out.suffix.lower() == ".png" else min(FRAMES, len(colors))
                write_plasma(out, heights, colors, still if frames is None else frames)
            else:
                write_heights(out, heights)
        except OSError as error:
            reason = error.strerror or str(error)
            said = f"--out must be a file that can be written, got {str(out)!r} ({reason})"
            raise UserError(said) from error
    print(f"wrote {out}, {heights.shape[1]} x {heights.shape[0]}")


def _check_out(out: Path, painted: bool, hillshade: bool, force: bool) -> None:
    if hillshade and painted:
        raise must("--hillshade", "be given without --palette and --frames", str(out))
    endings: Any = (".png",) if hillshade else PLASMA if painted else HEIGHT_FORMATS
    if out.suffix.lower() not in endings:
        raise must("--out", f"end in one of {', '.join(endings)}", str(out))
    if out.exists() and not force:
        raise must("--out", "not exist yet, or --force be given", str(out))


def _palette(text: str) -> NDArray[np.uint8]:
    if "#" in text or "," in text:
        return closed_palette(text.split(","))
    return closed_palette(choice("--palette", text, PALETTES))


def _shape(size: str | None) -> tuple[int, int] | None:
    """Return rows and columns."""
    if size is None:
        return None
    match = re.fullmatch(r"(\d+)[xX](\d+)", size)
    if not match:
        raise must("--size", "have the form WxH", size)
    return int(match[2]), int(match[1])
