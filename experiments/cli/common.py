"""What the commands share: mistakes of the user, and the console."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

__all__ = ["UserError", "console", "user_input"]


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


def console() -> Console:
    """Return the console for results; colors only on a terminal and without NO_COLOR."""
    return Console(highlight=False, soft_wrap=False)
