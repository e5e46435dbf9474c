"""Folders that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evo.checks import must

__all__ = ["whole_folder"]


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Give a folder to fill, and put it in its place when the block ends without an error.

    Raises
    ------
    ValueError
        If something of that name is there already.
    OSError
        If it cannot be made.
    """
    if os.path.lexists(path):
        raise must("--out", "not exist yet", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
    part.mkdir()
    try:
        yield part
        part.rename(path)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
