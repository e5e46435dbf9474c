"""The command verify: proves what a run has made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.proof import verify as differences

__all__ = ["verify"]


def verify(
    run_dir: Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.")],
    kernel: Annotated[str | None, typer.Option(help="auto, numba or numpy.")] = None,
) -> None:
    """Grow every hall-of-fame plant again; exit 1 if a pixel or a score differs."""
    found = differences(run_dir, kernel)
    for line in found:
        print(line)
    if found:
        raise typer.Exit(1)
    print(f"{run_dir}: every plant is what its genome gives, pixels and scores")
