"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path

__all__ = ["write_atomic"]


def write_atomic(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or not at all.

    A temporary file beside it is written, flushed to the disk and renamed over it; on a
    failure it is removed and what stood there before still stands.

    Parameters
    ----------
    path : path
        Its folder must exist.
    data : bytes

    Raises
    ------
    OSError
        When the disk is full, the folder is missing or cannot be written.
    """
    target = Path(path)
    part = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            part.unlink()
        if (
            isinstance(error, OSError) and error.errno is not None
        ):  # name the file that was asked for
            raise OSError(error.errno, os.strerror(error.errno), str(target)) from error
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename last through a power cut, where folders can be opened (not on Windows)."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a file system without it
            raise
    finally:
        os.close(handle)
