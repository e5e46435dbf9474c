"""Heights as numpy files: .npy, and .npz with named arrays. Nothing is ever unpickled."""

from __future__ import annotations

import zipfile
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from evo.checks import must, nearest
from render.terrain.formats.grid import Grid

__all__ = ["decode_npy", "decode_npz", "encode_npy", "encode_npz"]


def decode_npy(data: bytes) -> Grid:
    """Return the array of a .npy file."""
    return Grid(np.lib.format.read_array(BytesIO(data), allow_pickle=False))


def decode_npz(data: bytes, name: str | None) -> Grid:
    """Return an array of a .npz file by its name, or else the only one of two dimensions."""
    with np.load(BytesIO(data), allow_pickle=False) as archive:
        if name is not None:
            if name not in archive.files:
                options = ", ".join(map(repr, archive.files)) or "nothing"
                requirement = (
                    f"be one of the file's arrays, {options}{nearest(name, archive.files)}"
                )
                raise must("name", requirement, name)
            return Grid(archive[name])
        flat = {found: array for found in archive.files if (array := archive[found]).ndim == 2}
    if len(flat) != 1:
        options = ", ".join(map(repr, flat)) or "none"
        raise must("name", f"name one of the file's 2D arrays ({options})", None)
    return Grid(next(iter(flat.values())))


def encode_npy(heights: NDArray[np.floating]) -> bytes:
    """Return a .npy file, dtype as it is."""
    file = BytesIO()
    np.save(file, heights, allow_pickle=False)
    return file.getvalue()


def encode_npz(heights: NDArray[np.floating], name: str) -> bytes:
    """Return a compressed .npz file with one array, dtype as it is."""
    if not isinstance(name, str) or not name.isprintable() or not name or set(name) & {"/", "\\"}:
        raise must("name", "be a plain word for the array", name)
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:  # savez takes some names for its own arguments
        entry = zipfile.ZipInfo(f"{name}.npy")
        entry.compress_type = zipfile.ZIP_DEFLATED
        with archive.open(entry, "w", force_zip64=True) as member:
            np.lib.format.write_array(member, heights, allow_pickle=False)
    return file.getvalue()
