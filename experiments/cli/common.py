"""What the commands share: mistakes of the user, and the console."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from evo.checks import must

__all__ = ["UserError", "check_new", "console", "parse_size", "table", "user_input", "writing"]

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


def check_new(out: Path, force: bool = False) -> None:
    """Refuse a file that exists, unless it may be replaced; a link to nothing is a file, too."""
    if os.path.lexists(out) and not force:
        raise must("--out", "not exist yet, or --force be given", str(out))


def parse_size(size: str) -> tuple[int, int]:
    """Return the width and height in a text such as "1024x768"; their range is checked later."""
    match = re.fullmatch(r"(-?\d{1,9})[xX](-?\d{1,9})", size)
    if not match:
        raise must("--size", "have the form WxH", size)
    return int(match[1]), int(match[2])


def console() -> Console:
    """Return the console for results; colors only on a terminal and without NO_COLOR."""
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=WIDTH)


def table(title: str) -> Table:
    """Return an empty table in the one style of the commands."""
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
