"""The command compare: searches side by side, with the same budget."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.common import console, table, user_input
from experiments.cli.runs import Jobs, Kernel, Quiet
from experiments.comparison import compare as compare_searches
from experiments.comparison.output import COLUMNS, cells, write
from experiments.config_file import load_config

__all__ = ["compare"]


def compare(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A config file (TOML).")],
    searches: Annotated[
        str,
        typer.Option(
            help="Searches with commas between, each with keys of [evolution] that differ: "
            '"ga, ga crossover=0 population=30, cmaes".'
        ),
    ] = "random, hill, ga, cmaes, annealing",
    repeats: Annotated[int, typer.Option(help="Trials of each, on as many seeds.")] = 5,
    evaluations: Annotated[int, typer.Option(help="Budget of a trial, with its founders.")] = 5000,
    level: Annotated[
        float | None,
        typer.Option(help="Score whose first evaluation is told; default: the lowest median."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            help="Folder; trials that it holds are not made again. Default runs/NAME-compare or "
            "the next free.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a key of the config."),
    ] = None,
    jobs: Jobs = None,
    kernel: Kernel = None,
    quiet: Quiet = False,
) -> None:
    """Compare searches: the same budget for each, on the same seeds."""
    places = {"parallel.jobs": jobs, "parallel.kernel": kernel}
    given = [f"{key}={value}" for key, value in places.items() if value is not None]
    loaded = load_config(config, [*(settings or []), *given])
    with user_input():
        found = compare_searches(
            loaded,
            searches,
            repeats=repeats,
            evaluations=evaluations,
            level=level,
            out=out,
            say=None if quiet else lambda text: print(text, flush=True),
        )
    write(found)
    if quiet:
        return
    shown = table(f"{loaded.name}: {evaluations} evaluations, {repeats} seeds")
    for column in COLUMNS:
        shown.add_column(column, justify="left" if column == "search" else "right")
    for row in found.rows():
        shown.add_row(*cells(row, repeats))
    console().print(shown)
    leader = found.contenders[found.leader].label
    print(f"reached, evaluations: of {found.level:.4f}; p, wins: against {leader}")
    print(f"curves  {found.path / 'curves.svg'}")
    print(f"plants  {found.path / 'plants.png'}")
