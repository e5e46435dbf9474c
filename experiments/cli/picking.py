"""The command pick: a next run from plants that a person chose."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evo.files import write_atomic
from experiments import runner
from experiments.cli.common import check_new, console, user_input, writing
from experiments.cli.runs import Backend, Jobs, Kernel, Quiet, Scheduler, finish
from experiments.config_file import dump_config
from experiments.picking import picked
from experiments.progress import reporter

__all__ = ["pick"]


def pick(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.")],
    ranks: Annotated[
        list[int], typer.Argument(metavar="RANK...", help="Entries of its hall of fame.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            help="Directory of the next run, which must not exist; default runs/NAME-SEED or the "
            "next free. With the ending .toml: write its config and run nothing.",
        ),
    ] = None,
    generations: Annotated[
        int | None, typer.Option(help="Generations; default: as in RUN.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed; default: the one after RUN's.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a key of the config."),
    ] = None,
    jobs: Jobs = None,
    backend: Backend = None,
    scheduler: Scheduler = None,
    kernel: Kernel = None,
    quiet: Quiet = False,
) -> None:
    """Start a next run from the plants that you like, and children of theirs."""
    places = {
        "parallel.jobs": jobs,
        "parallel.backend": backend,
        "parallel.scheduler": scheduler,
        "parallel.kernel": kernel,
        "evolution.generations": generations,
    }
    given = [f"{key}={value}" for key, value in places.items() if value is not None]
    with user_input():
        config = picked(run, ranks, seed, [*(settings or []), *given])
    if out is not None and out.suffix == ".toml":
        with writing(out):
            check_new(out)
            write_atomic(out, dump_config(config).encode())
        if not quiet:
            print(f"wrote {out}; evogarden run {out}")
        return
    finish(runner.run(config, out, reporter(console(), quiet)), quiet)
