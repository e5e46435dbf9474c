"""Heights as an ESRI ASCII grid: a header, then rows of numbers, the top row first."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from evo.checks import must
from render.terrain.formats.grid import Grid

__all__ = ["decode_ascii_grid", "encode_ascii_grid"]

_KEYS = {
    "ncols", "nrows", "xllcorner", "xllcenter", "yllcorner", "yllcenter",
    "cellsize", "dx", "dy", "nodata_value",
}  # fmt: skip
_NODATA = -9999.0


def decode_ascii_grid(data: bytes) -> Grid:
    """Return the heights of an ASCII grid; NODATA_value is -9999 where the header has none."""
    lines = data.decode("utf-8-sig").split("\n")
    header: dict[str, float] = {}
    for start, line in enumerate(lines):
        words = line.split()
        if not words:
            continue
        key = words[0].lower()
        if key not in _KEYS:
            break
        if len(words) != 2 or key in header:
            raise must(f"header line {start + 1}", f"be one {words[0]} and its value", line.strip())
        header[key] = float(words[1])
    else:
        raise must("grid", "have rows of heights after its header", f"{len(lines)} lines")
    rows, columns = _count("nrows", header), _count("ncols", header)
    cells = "\n".join(lines[start:]).split()
    if len(cells) != rows * columns:
        requirement = f"hold {rows * columns} heights, {rows} rows of {columns}"
        raise must("grid", requirement, len(cells))
    values = np.array(cells, dtype=np.float64).reshape(rows, columns)
    nodata = header.get("nodata_value", _NODATA)
    return Grid(values, values == nodata)


def _count(key: str, header: dict[str, float]) -> int:
    value = header.get(key, math.nan)
    if not (value >= 1 and value.is_integer()):
        raise must(key, "be in the header, a whole number of at least 1", value)
    return int(value)


def encode_ascii_grid(heights: NDArray[np.floating], cellsize: float) -> bytes:
    """Return an ASCII grid with its lower left corner at (0, 0), digits that read back exactly."""
    rows, columns = heights.shape
    nodata = min(_NODATA, math.floor(heights.min()) - 1.0)
    if nodata >= heights.min():  # so low that floats have no place for one less
        raise must("heights", "be above -9e15 for an ASCII grid", float(heights.min()))
    header = (
        f"ncols {columns}\nnrows {rows}\nxllcorner 0.0\nyllcorner 0.0\n"
        f"cellsize {cellsize!r}\nNODATA_value {nodata:.0f}\n"
    )
    body = "\n".join(" ".join(map(repr, row)) for row in heights.tolist())
    return f"{header}{body}\n".encode("ascii")
