"""The command show: a run's hall of fame, or a picture's genome, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.table import Table
from rich.text import Text

from evo import GENES, as_genes
from evo.checks import must
from evo.genome import locus
from experiments.cli.common import UserError, console, shown, table, user_input
from experiments.cli.terminal import can_show_pictures, picture_text, swatch
from experiments.rundir import RunDirectory
from experiments.saved import FAME, read_hall_of_fame
from render import Recipe, draw, read_genome
from render.pillow import UNREADABLE, opened

__all__ = ["show"]


def show(
    what: Annotated[
        Path, typer.Argument(metavar="RUN-or-PICTURE", help="A run directory or a picture.")
    ],
) -> None:
    """Show a run's hall of fame, or the genome in a picture, gene by gene."""
    if what.is_dir():
        _show_run(RunDirectory(what))
    else:
        with user_input():
            recipe = read_genome(what)
        _show_picture(recipe)


def _show_run(run: RunDirectory) -> None:
    if not (run.path / FAME).exists():
        requirement = "have a hall of fame (evogarden resume RUN writes it)"
        raise UserError(str(must("run", requirement, str(run.path))))
    fame = read_hall_of_fame(run.path)
    out = console()
    entries = fame["entries"]
    rows = table(shown(f"{fame['name']}, seed {fame['seed']}"))
    names = list(dict.fromkeys(name for entry in entries for name in entry["scores"] or ()))
    if entries and isinstance(entries[0]["score"], list):
        _add_front(rows, [name for name in names if name != "frame"], entries)
        out.print(rows)
        out.print(f"front: {run.path / 'front.csv'}", markup=False, soft_wrap=True)
        out.print(f"pictures: {run.path / 'hall_of_fame'}", markup=False, soft_wrap=True)
        return
    for column in ("rank", "score", "unseen", *map(shown, names), "generation"):
        rows.add_column(column, justify="right", no_wrap=True)
    rows.add_column("genome", no_wrap=True)
    for entry in entries:
        rows.add_row(
            str(entry["rank"]),
            _figure(entry["score"]),
            _figure(entry["unseen_score"]),
            *(_figure((entry["scores"] or {}).get(name)) for name in names),
            str(entry["generation"]),
            f"{entry['genome'][:12]}...",
        )
    best = run.path / "hall_of_fame" / "001.png"
    if can_show_pictures(out) and best.is_file():
        out.print(picture_text(_pixels(best)))
    out.print(rows)
    out.print(f"pictures: {run.path / 'hall_of_fame'}", soft_wrap=True)


def _pixels(path: Path) -> NDArray[np.uint8]:
    try:
        with opened(path) as image:
            return np.asarray(image.convert("RGBA"))
    except UNREADABLE as error:
        raise UserError(str(must("picture", f"be one that can be read ({error})", path))) from error


def _add_front(rows: Table, names: Sequence[str], entries: Sequence[Mapping[str, Any]]) -> None:
    """Fill a table with a front: each objective with the same on unseen seeds beside it."""
    rows.caption = "the front: no plant has more of one score without less of another"
    rows.add_column("rank", justify="right", no_wrap=True)
    for name in names:
        rows.add_column(shown(name), justify="right", no_wrap=True)
        rows.add_column("unseen", justify="right", no_wrap=True, style="dim")
    rows.add_column("generation", justify="right", no_wrap=True)
    rows.add_column("genome", no_wrap=True)
    most = [max(entry["score"][i] for entry in entries) for i in range(len(names))]
    for entry in entries:
        unseen = entry["unseen_score"] or [None] * len(names)
        figures: list[Text] = []
        for value, best, other in zip(entry["score"], most, unseen, strict=True):
            figures += [Text(_figure(value), "bold" if value == best else "")]
            figures += [Text(_figure(other))]
        rows.add_row(
            str(entry["rank"]), *figures, str(entry["generation"]), f"{entry['genome'][:12]}..."
        )


def _figure(value: float | list[float] | None) -> str:
    if isinstance(value, list):
        return " ".join(map(_figure, value))
    return "-" if value is None else f"{value:.4f}"


def _show_picture(recipe: Recipe) -> None:
    out = console()
    colors = can_show_pictures(out)
    if colors:
        out.print(picture_text(draw(recipe)))
    lines = {
        "growth seed": recipe.seed,
        "circles": f"at most {recipe.max_circles}",
        "picture": f"{recipe.width} x {recipe.height}, {recipe.unit / 256:g} px a pixel",
        "root": f"column {recipe.root[0]}, row {recipe.root[1]}",
        "style": f"{recipe.style}, oversample {recipe.oversample}",
        "genome": recipe.genome.hex(),
    }
    for name, value in lines.items():
        out.print(f"{name:12} {value}", soft_wrap=True)
    genes = as_genes(recipe.genome)
    rows = table("genes by level")
    rows.add_column("gene", no_wrap=True)
    for level in range(len(genes)):
        rows.add_column(str(level), justify="right", no_wrap=True)
    rows.add_column("meaning", no_wrap=True, overflow="ellipsis")
    if colors:
        red, green, blue = (locus(name) for name in ("red", "green", "blue"))
        own = (swatch(*level[[red, green, blue]].tolist()) for level in genes)
        rows.add_row("color", *own, "own color of the first circle")
    for index, gene in enumerate(GENES):
        rows.add_row(gene.name, *(str(byte) for byte in genes[:, index]), gene.meaning)
    out.print(rows)
