"""Reading a user's own heights and writing them; the format goes by the file's ending."""

from __future__ import annotations

import os
import tokenize
import zipfile
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evo.checks import choice, must, nearest, number, real_array
from evo.files import write_atomic
from render.pillow import UNREADABLE
from render.terrain.formats.arrays import decode_npy, decode_npz, encode_npy, encode_npz
from render.terrain.formats.ascii_grid import decode_ascii_grid, encode_ascii_grid
from render.terrain.formats.grey_png import decode_png, encode_png
from render.terrain.formats.grid import Grid, checked_map
from render.terrain.formats.raw16 import decode_raw, encode_raw
from render.terrain.formats.tiff import decode_tiff, encode_tiff

__all__ = ["HEIGHT_FORMATS", "encode_heights", "read_heights", "write_heights"]

HEIGHT_FORMATS = {
    ".png": "grey PNG of 16 bits (of 8 or 16 when read)",
    ".npy": "numpy array",
    ".npz": "named numpy arrays",
    ".asc": "ESRI ASCII grid",
    ".tif": "TIFF of float32 (any one channel when read)",
    ".tiff": "TIFF of float32 (any one channel when read)",
    ".raw": "RAW of 16 bits, little-endian, of Unity's sizes",
    ".r16": "RAW of 16 bits, little-endian, of Unity's sizes",
}
"""Endings and what they stand for."""

_RANGED = (".png", ".raw", ".r16")
_RAW = (".raw", ".r16")


def read_heights(
    path: str | os.PathLike[str],
    name: str | None = None,
    *,
    fill: float | Literal["nearest"] | None = None,
    lo: float | None = None,
    hi: float | None = None,
    row_order: Literal["top", "bottom"] = "top",
) -> NDArray[np.float64]:
    """Return the heights of a file as a map.

    Parameters
    ----------
    path : path
        Ends in one of `HEIGHT_FORMATS`: .png, .npy, .npz, .asc, .tif, .tiff, .raw or .r16.
    name : str, optional
        Array of a .npz file. Without it, the file's only 2D array.
    fill : float or "nearest", optional
        What NoData cells become: a height, or that of the nearest cell with data. Without it, a
        file with NoData cells is refused. NoData is what the format marks so (NODATA_value of an
        ASCII grid, GDAL_NODATA of a TIFF) and what is not finite.
    lo, hi : float, optional
        Heights of black and white in PNG and RAW, in place of those that a PNG of ours stores; 0
        and 1 by default. Other formats hold the heights themselves.
    row_order : {"top", "bottom"}
        Which row of the map a RAW file has first.

    Returns
    -------
    float64 array of shape (height, width), both at least 2; row 0 is the top.

    Raises
    ------
    ValueError
        If the file does not hold one whole map of heights; the message names the file.
    OSError
        If it can't be read.
    """
    file = Path(path)
    ending = _ending(file)
    choice("row_order", row_order, ("top", "bottom"))
    _refuse_options(ending, lo=lo, hi=hi, row_order=row_order)
    if name is not None and (ending != ".npz" or not isinstance(name, str)):
        raise must("name", "be a text, and be left out but for .npz", name)
    data = file.read_bytes()
    if not data:
        raise must(f"file {file.name!r}", "hold heights", "an empty file")
    try:
        grid = _decode(ending, data, name, lo, hi, row_order)
        return checked_map(grid, fill)
    except _BROKEN as error:
        said = str(error) or type(error).__name__
        raise ValueError(f"file {file.name!r}: {said}") from error


_BROKEN = (
    *UNREADABLE,
    tokenize.TokenError,  # a header of numpy's
    zipfile.BadZipFile,
)
"""What the libraries raise on a damaged file, once its bytes are read."""


def _decode(
    ending: str,
    data: bytes,
    name: str | None,
    lo: float | None,
    hi: float | None,
    row_order: str,
) -> Grid:
    if ending == ".png":
        return decode_png(data, lo, hi)
    if ending in _RAW:
        return decode_raw(data, lo, hi, row_order)
    if ending == ".npz":
        return decode_npz(data, name)
    return {
        ".npy": decode_npy,
        ".asc": decode_ascii_grid,
        ".tif": decode_tiff,
        ".tiff": decode_tiff,
    }[ending](data)


def write_heights(
    path: str | os.PathLike[str],
    heights: ArrayLike,
    *,
    name: str = "heights",
    lo: float | None = None,
    hi: float | None = None,
    row_order: Literal["top", "bottom"] = "top",
    cellsize: float = 1.0,
) -> None:
    """Write a map of heights to a file, whole or not at all.

    Reading it back gives the heights within one step of the format: (hi - lo) / 65535 in PNG and
    RAW, a float32 in TIFF; the others are exact.

    Parameters
    ----------
    path : path
        Ends in one of `HEIGHT_FORMATS`; its folder must exist.
    heights : float array of shape (height, width)
        Finite, at least 2 x 2; row 0 is the top. Whole numbers beyond 2^53, and wider floats that
        float64 can't hold, are refused.
    name : str
        The array's name in a .npz file.
    lo, hi : float, optional
        Heights of black and white in PNG and RAW: by default the lowest and the highest. A PNG
        stores them, a RAW file can't. Heights beyond them are refused.
    row_order : {"top", "bottom"}
        Which row of the map a RAW file has first.
    cellsize : float
        Side of a cell, above 0, as an ASCII grid says it.

    Raises
    ------
    ValueError
        If the heights can't be written so.
    OSError
        If the file can't be written.
    """
    file = Path(path)
    write_atomic(
        file,
        encode_heights(
            heights,
            _ending(file),
            name=name,
            lo=lo,
            hi=hi,
            row_order=row_order,
            cellsize=cellsize,
        ),
    )


def encode_heights(
    heights: ArrayLike,
    ending: str,
    *,
    name: str = "heights",
    lo: float | None = None,
    hi: float | None = None,
    row_order: Literal["top", "bottom"] = "top",
    cellsize: float = 1.0,
) -> bytes:
    """Return the bytes that `write_heights` would write to a file of an ending such as ".png"."""
    choice("ending", ending, HEIGHT_FORMATS)
    choice("row_order", row_order, ("top", "bottom"))
    side = number("cellsize", cellsize)
    if side <= 0:
        raise must("cellsize", "be above 0", cellsize)
    _refuse_options(ending, lo=lo, hi=hi, row_order=row_order)
    floats = real_array("heights", heights, ndim=2, least=2)
    if ending == ".png":
        return encode_png(floats.astype(np.float64), lo, hi)
    if ending in _RAW:
        return encode_raw(floats.astype(np.float64), lo, hi, row_order)
    if ending == ".npy":
        return encode_npy(floats)
    if ending == ".npz":
        return encode_npz(floats, name)
    if ending == ".asc":
        return encode_ascii_grid(floats, side)
    return encode_tiff(floats)


def _ending(path: Path) -> str:
    ending = path.suffix.lower()
    if ending not in HEIGHT_FORMATS:
        options = ", ".join(HEIGHT_FORMATS)
        raise must("path", f"end in one of {options}{nearest(ending, HEIGHT_FORMATS)}", path.name)
    return ending


def _refuse_options(ending: str, *, lo: float | None, hi: float | None, row_order: str) -> None:
    if ending not in _RANGED and (lo is not None or hi is not None):
        raise must("lo and hi", f"be left out for {ending}, which holds heights", (lo, hi))
    if ending not in _RAW and row_order != "top":
        raise must("row_order", f"be 'top' for {ending}", row_order)
