"""What the commands share: mistakes of the user, and the console."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from evo.checks import must

__all__ = ["UserError", "console", "table", "user_input", "writing"]

WIDTH = 110
"""Columns of a table that goes to a file or a pipe."""


class UserError(ValueError):
    """A mistake of the user: one clear message, exit 2."""


@contextmanager
def user_input() -> Iterator[None]:
    """Turn the errors of a block that reads what the user gave into mistakes of the user."""
    try:
        yield
    except UserError:
        raise
    except (ValueError, OSError) as error:
        raise UserError(str(error)) from error


@contextmanager
def writing(out: Path) -> Iterator[None]:
    """Turn the errors of a block that makes a file into mistakes of the user."""
    try:
        with user_input():
            yield
    except UserError as error:
        if isinstance(error.__cause__, OSError):
            reason = error.__cause__.strerror or str(error.__cause__)
            said = must("--out", f"be a file that can be written ({reason})", str(out))
            raise UserError(str(said)) from error
        raise


def console() -> Console:
    """Return the console for results; colors only on a terminal and without NO_COLOR."""
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=WIDTH)


def table(title: str) -> Table:
    """Return an empty table in the one style of the commands."""
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
