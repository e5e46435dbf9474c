"""The command report: a run as one file of HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.common import UserError, writing
from experiments.report import write_report

__all__ = ["report"]


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Default: report.html in the run directory.")
    ] = None,
) -> None:
    """Write a run as one page that needs nothing else: curves, hall of fame, genomes, lineage."""
    if out is not None and out.is_dir():
        raise UserError(f"--out must be a file, got the folder {str(out)!r}")
    with writing(run / "report.html" if out is None else out):
        path = write_report(run, out)
    print(f"wrote {path}")
