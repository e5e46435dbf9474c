"""The command report: a run as one file of HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.common import UserError, check_new, user_input, writing
from experiments.cli.draw import Force
from experiments.report import write_report

__all__ = ["report"]

_TITLE = b" \xc2\xb7 evogarden</title>"
_HEAD = 4096  # bytes of a report in which its title stands


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Default: report.html in the run directory.")
    ] = None,
    force: Force = False,
) -> None:
    """Write a run as one page that needs nothing else: curves, hall of fame, genomes, lineage.

    An earlier report is replaced, another file only with --force.
    """
    if out is not None:
        if out.is_dir():
            raise UserError(f"--out must be a file, got the folder {str(out)!r}")
        with user_input():
            check_new(out, force or _is_report(out))
    with writing(run / "report.html" if out is None else out):
        path = write_report(run, out)
    print(f"wrote {path}")


def _is_report(path: Path) -> bool:
    """Return whether a file is there that this command once wrote."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return _TITLE in file.read(_HEAD)
