"""The command `evogarden`: its commands, and how mistakes and signals end it."""

from __future__ import annotations

import errno
import io
import logging
import sys
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer

from evo import CheckpointError, EvaluationError, WorkerError
from experiments.cli import (
    breeding,
    comparing,
    draw,
    info,
    land,
    moving,
    picking,
    proof,
    reporting,
    runs,
    show,
    sprites,
)
from experiments.cli.common import UserError, file_message
from experiments.cli.signals import end
from experiments.config import ConfigError
from experiments.rundir import RunError

__all__ = ["app", "mistake_or_failure", "run_command"]

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
app.command("compare")(comparing.compare)
app.command("pick")(picking.pick)
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


PATHS = {
    errno.EACCES,
    errno.EEXIST,
    errno.EINVAL,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
}
"""Errors of a path that was given; another one, such as a full disk, is no mistake of the user."""


def run_command() -> None:
    """Run the command line: exit 2 for a mistake of the user, 1 for a failure."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    for handler in logging.getLogger().handlers:  # libraries set levels of their own loggers
        handler.setLevel(logging.WARNING)
    for stream in (sys.stdout, sys.stderr):  # names of files need not be text, nor a stream UTF-8
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # As with `python -m`: a score of one's own may stand beside the config. Last, so that it
    # hides nothing.
    sys.path.append(str(Path.cwd()))
    app()


def mistake_or_failure(error: BaseException) -> None:
    """End with the message of an error that a person can do something about."""
    if isinstance(error, UserError | ConfigError | RunError | CheckpointError):
        end(str(error), 2)
    if isinstance(error, OSError):
        end(file_message(error), 2 if error.errno in PATHS else 1)
    if isinstance(error, EvaluationError | WorkerError):
        end(str(error), 1)
