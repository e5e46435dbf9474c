"""The commands that evolve: run and resume."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from evo.checks import must
from experiments import runner
from experiments.cli.common import UserError, console, user_input
from experiments.config_file import load_config
from experiments.live import LivePage
from experiments.progress import reporter

__all__ = ["Backend", "Jobs", "Kernel", "Quiet", "finish", "resume", "run"]

Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but mistakes.")]
Jobs = Annotated[
    int | None, typer.Option(help="Processes or threads; -1: as many as there are processors.")
]
Backend = Annotated[str | None, typer.Option(help="loky (processes), threading, dask or ray.")]
Scheduler = Annotated[str | None, typer.Option(help="Address of a dask or ray cluster.")]
Live = Annotated[
    bool, typer.Option("--live", help="Serve a page to this machine that follows the run.")
]
Port = Annotated[int, typer.Option(help="Of the live page; 0: any free one.")]
Kernel = Annotated[str | None, typer.Option(help="auto, numba or numpy.")]


def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A config file (TOML).")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a key of the config."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Run directory, which must not exist; default runs/NAME-SEED or the next free."
        ),
    ] = None,
    jobs: Jobs = None,
    backend: Backend = None,
    scheduler: Scheduler = None,
    kernel: Kernel = None,
    quiet: Quiet = False,
    live: Live = False,
    port: Port = 0,
) -> None:
    """Run an experiment."""
    places = {"jobs": jobs, "backend": backend, "scheduler": scheduler, "kernel": kernel}
    given = [f"parallel.{key}={value}" for key, value in places.items() if value is not None]
    loaded = load_config(config, [*(settings or []), *given])
    with _watching(live, port, quiet) as watch:
        result = runner.run(loaded, out, reporter(console(), quiet), watch)
    finish(result, quiet)


def resume(
    run_dir: Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.")],
    generations: Annotated[int | None, typer.Option(help="A later end than before.")] = None,
    jobs: Jobs = None,
    backend: Backend = None,
    scheduler: Scheduler = None,
    kernel: Kernel = None,
    quiet: Quiet = False,
    live: Live = False,
    port: Port = 0,
) -> None:
    """Go on with a run from its last checkpoint."""
    with _watching(live, port, quiet) as watch:
        result = runner.resume(
            run_dir,
            generations=generations,
            jobs=jobs,
            backend=backend,
            scheduler=scheduler,
            kernel=kernel,
            report=reporter(console(), quiet),
            watch=watch,
        )
    finish(result, quiet)


@contextmanager
def _watching(live: bool, port: int, quiet: bool) -> Iterator[runner.Watch | None]:
    """Give what serves the live page of a run, if it is asked for."""
    if not live:
        if port:
            raise UserError(str(must("--port", "be given with --live", port)))
        yield None
        return
    with user_input():
        page = LivePage(port)
    if not quiet:
        print(f"live page: {page.url}", flush=True)
    try:
        yield page.follow
    finally:
        page.close()


def finish(result: runner.Result, quiet: bool) -> None:
    """Say how a run ended and where its results are."""
    if quiet:
        return
    last = result.generation
    ended = {"target": "target reached", "patience": "no progress for long"}.get(last.stop, "done")
    print(f"{ended} after generation {last.number}")
    if last.hall_of_fame:
        if len(last.hall_of_fame[0].values) == 1:
            print(f"best    {last.hall_of_fame[0].values[0]:.4f}")
        else:
            print(f"front   {result.path / 'front.csv'}")
        print(f"plants  {result.path / 'hall_of_fame'}")
        print(f"sheet   {result.contact_sheet}")
    else:
        print("no plant had a finite score")
