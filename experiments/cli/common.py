"""What the commands share: mistakes of the user, and the console."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from evo.checks import must

__all__ = [
    "UserError",
    "check_new",
    "console",
    "file_message",
    "parse_size",
    "shown",
    "table",
    "user_input",
    "writing",
]

WIDTH = 110
"""Columns of a table that goes to a file or a pipe."""

_PLAIN: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}


class UserError(ValueError):
    """A mistake of the user: one clear message, exit 2."""


@contextmanager
def user_input(name: str = "file") -> Iterator[None]:
    """Turn the errors of a block that reads what the user gave into mistakes of the user.

    A file that cannot be used is called by the name.
    """
    try:
        yield
    except UserError:
        raise
    except OSError as error:
        raise UserError(file_message(error, name)) from error
    except ValueError as error:
        raise UserError(str(error)) from error


def file_message(error: OSError, name: str = "file") -> str:
    """Return what an error of the file system says, in the form of all messages."""
    if error.filename is None:
        return str(error)
    reason = error.strerror or str(error)
    return str(must(name, f"be one that can be used ({reason})", os.fspath(error.filename)))


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
    """Return the console for results; colors only on a terminal and without NO_COLOR.

    It takes every text as it is: brackets in a name are no markup, colons no emoji.
    """
    out = Console(**_PLAIN)
    return out if out.is_terminal else Console(**_PLAIN, width=WIDTH)


def shown(text: str) -> str:
    """Return a text of a file for a terminal: what cannot be printed is written as an escape."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def table(title: str) -> Table:
    """Return an empty table in the one style of the commands."""
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
