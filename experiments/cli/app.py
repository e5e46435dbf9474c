"""The command `evogarden`: its commands, and how mistakes and signals end it."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from types import FrameType
from typing import Annotated, Any

import typer

from evo import CheckpointError, EvaluationError, WorkerError
from experiments.cli import (
    breeding,
    draw,
    info,
    land,
    moving,
    proof,
    reporting,
    runs,
    show,
    sprites,
)
from experiments.cli.common import UserError
from experiments.config import ConfigError
from experiments.rundir import RunError

__all__ = ["app", "main"]

app = typer.Typer(
    name="evogarden",
    help="Evolve drawn plants: 180 bytes grow into a picture, pictures are scored, scores breed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(value: bool) -> None:
    if value:
        try:
            typer.echo(f"evogarden {metadata.version('evogarden')}")
        except metadata.PackageNotFoundError:
            typer.echo("evogarden, not installed")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


app.command("new")(info.new)
app.command("run")(runs.run)
app.command("resume")(runs.resume)
app.command("verify")(proof.verify)
app.command("show")(show.show)
app.command("grow")(draw.grow)
app.command("report")(reporting.report)
app.command("sprites")(sprites.sprite_sheet)
app.command("breed")(breeding.breed)
app.command("mutate")(breeding.mutate_picture)
app.command("animate")(moving.animate)
app.command("terrain")(land.terrain)
app.command("fitness")(info.fitness)
app.command("schema")(info.schema)


class Stopped(BaseException):
    """A signal asked the process to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def _signals() -> Iterator[None]:
    """Turn SIGINT and SIGTERM into `Stopped`, the first of them; later ones are ignored."""
    caught = (signal.SIGINT, signal.SIGTERM)

    def stop(number: int, _: FrameType | None) -> None:
        for one in caught:
            signal.signal(one, signal.SIG_IGN)
        raise Stopped(number)

    before: dict[int, Any] = {one: signal.signal(one, stop) for one in caught}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def main() -> None:
    """Run the command line: exit 2 for a mistake of the user, 1 for a failure, 128 + signal."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    try:
        with _signals():
            app()
    except Stopped as stopped:
        name = signal.Signals(stopped.number).name
        _end(f"stopped by {name}; `evogarden resume` goes on with a run", 128 + stopped.number)
    except (UserError, ConfigError, RunError, CheckpointError) as error:
        _end(str(error), 2)
    except (EvaluationError, WorkerError, OSError) as error:
        _end(str(error), 1)


def _end(message: str, status: int) -> None:
    for line in message.splitlines():
        print(f"evogarden: {line}", file=sys.stderr)
    sys.exit(status)
