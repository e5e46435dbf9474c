"""The command `evogarden`: its commands, and how mistakes and signals end it."""

from __future__ import annotations

import errno
import io
import logging
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer

from evo import CheckpointError, EvaluationError, WorkerError
from experiments.cli import (
    breeding,
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


PATIENCE = 4.0
"""Seconds in which a stop may clean up before a further signal is heard."""


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


class Stopped(BaseException):
    """A signal asked the process to end."""


class Signals:
    """Turns SIGINT and SIGTERM into `Stopped`, and remembers the first.

    Whatever code the exception meets may wrap it or lose it, so that the number is what counts
    at the end. Further signals are heard again once the first one had time to clean up.
    """

    caught = (signal.SIGINT, signal.SIGTERM)

    def __init__(self) -> None:
        self.number = 0
        self._since = 0.0

    def _stop(self, number: int, _: FrameType | None) -> None:
        now = time.monotonic()
        if self.number and now - self._since < PATIENCE:
            return
        self.number = self.number or number
        self._since = now
        raise Stopped(self.number)

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Hear the signals meanwhile."""
        before: dict[int, Any] = {one: signal.signal(one, self._stop) for one in self.caught}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


def main() -> None:
    """Run the command line: exit 2 for a mistake of the user, 1 for a failure, 128 + signal."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    for stream in (sys.stdout, sys.stderr):  # names of files need not be text, nor a stream UTF-8
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    signals = Signals()
    # As with `python -m`: a score of one's own may stand beside the config. Last, so that it
    # hides nothing.
    sys.path.append(str(Path.cwd()))
    try:
        with signals.heard():
            app()
    except (Exception, Stopped, SystemExit) as error:
        if signals.number:
            name = signal.Signals(signals.number).name
            _end(f"stopped by {name}; `evogarden resume` goes on with a run", 128 + signals.number)
        if isinstance(error, UserError | ConfigError | RunError | CheckpointError):
            _end(str(error), 2)
        if isinstance(error, OSError):
            _end(file_message(error), 2 if error.errno in PATHS else 1)
        if isinstance(error, EvaluationError | WorkerError):
            _end(str(error), 1)
        raise


def _end(message: str, status: int) -> NoReturn:
    for line in message.splitlines():
        print(f"evogarden: {line}", file=sys.stderr)
    sys.exit(status)
