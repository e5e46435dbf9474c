"""Folders: made in one step, kept to one process, or put in their place when they are whole."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from evo.checks import must

__all__ = ["RunError", "locked", "new_folder", "whole_folder"]


class RunError(ValueError):
    """A folder of results that cannot be made, read or used."""


def new_folder(
    name: str, out: str | os.PathLike[str] | None = None, may_exist: bool = False
) -> Path:
    """Make a folder for results.

    Without `out` it is runs/NAME, or the next free of runs/NAME-2, -3, ...; making it is one
    step, so that two processes started together never share one.

    Parameters
    ----------
    name : str
    out : path, optional
    may_exist : bool
        Whether `out` may be a folder that is there already.

    Raises
    ------
    RunError
        When it exists or cannot be made.
    """
    if out is None:
        return _next_free(Path("runs"), name)
    path = Path(out)
    try:
        path.mkdir(parents=True, exist_ok=may_exist)
    except FileExistsError as error:
        needed = "be a folder" if may_exist else "not exist yet"
        raise RunError(str(must("--out", needed, str(path)))) from error
    except OSError as error:
        reason = error.strerror or str(error)
        said = must("--out", f"be a folder that can be made ({reason})", str(path))
        raise RunError(str(said)) from error
    return path


def _next_free(folder: Path, name: str) -> Path:
    number = 1
    while True:
        path = folder / (name if number == 1 else f"{name}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError as error:
            if not folder.is_dir():
                raise RunError(str(must("runs", "be a folder", str(folder)))) from error
            number += 1
        except OSError as error:
            reason = error.strerror or str(error)
            said = must("runs", f"be a folder that can be written ({reason})", str(folder))
            raise RunError(str(said)) from error
        else:
            return path


@contextmanager
def locked(path: Path, name: str) -> Iterator[None]:
    """Keep every other process from working in a folder meanwhile.

    Raises
    ------
    RunError
        When one does, or it cannot be written; the folder is called by the name.
    """
    lock = FileLock(path / ".lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise RunError(str(must(name, "not be in use by another process", str(path)))) from error
    except OSError as error:
        requirement = f"be a folder that can be written ({error.strerror or error})"
        raise RunError(str(must(name, requirement, str(path)))) from error
    try:
        yield
    finally:
        lock.release()


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
