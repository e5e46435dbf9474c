"""Heights as light and shadow."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evo.checks import must, number, real_array
from evo.files import write_atomic
from render.terrain.formats.grey_png import encode_grey

__all__ = ["hillshade", "shown_relief", "write_hillshade"]


def hillshade(
    heights: ArrayLike,
    *,
    azimuth: float = 315.0,
    altitude: float = 45.0,
    cellsize: float | None = None,
    exaggeration: float = 1.0,
) -> NDArray[np.float64]:
    """Return how much light falls on each cell of a map, by Lambert's law.

    Row 0 is the north. The slope is that of central differences, one-sided at the border.

    Parameters
    ----------
    heights : float array of shape (height, width), both at least 2
    azimuth : float
        Where the light comes from, in degrees clockwise from the north: 315 is the upper left.
    altitude : float
        Degrees of the light above the horizon, 0 to 90.
    cellsize : float, optional
        Side of a cell in the unit of the heights. By default the longer side of the map is 2, as
        wide as the generators' world is high.
    exaggeration : float
        Heights are multiplied by it.

    Returns
    -------
    float64 array of shape (height, width), from 0 (turned away from the light) to 1 (facing it).
    """
    values = real_array("heights", heights, ndim=2, least=2)
    angle = math.radians(number("azimuth", azimuth))
    above = math.radians(number("altitude", altitude, low=0.0, high=90.0))
    cell = 2 / (max(values.shape) - 1) if cellsize is None else number("cellsize", cellsize)
    if cell <= 0:
        raise must("cellsize", "be above 0", cellsize)

    scale = number("exaggeration", exaggeration) / cell
    slopes: NDArray[np.float64] = np.array(np.gradient(values.astype(np.float64)))
    slopes *= scale
    down, across = slopes
    east, north = math.sin(angle) * math.cos(above), math.cos(angle) * math.cos(above)
    light: NDArray[np.float64] = north * down - east * across  # n = (-dh/dx, +dh/drow, 1)
    light += math.sin(above)
    light /= np.sqrt(1 + across * across + down * down)
    np.clip(light, 0.0, 1.0, out=light)
    return light


def shown_relief(heights: ArrayLike, slope: float = 0.45) -> float:
    """Return the exaggeration with which the root mean square of a map's slopes is `slope`.

    At 0.45 (24 degrees) a hillshade shows its forms: much more is black and white, much less grey.
    1 for a flat map.

    Parameters
    ----------
    heights : float array of shape (height, width), both at least 2
    slope : float
    """
    values = real_array("heights", heights, ndim=2, least=2).astype(np.float64)
    cell = 2 / (max(values.shape) - 1)
    down, across = np.gradient(values, cell)
    steep = math.sqrt(float(np.mean(down * down + across * across)))
    return slope / steep if steep > 0 else 1.0


def write_hillshade(
    path: str | os.PathLike[str],
    heights: ArrayLike,
    *,
    azimuth: float = 315.0,
    altitude: float = 45.0,
    cellsize: float | None = None,
    exaggeration: float = 1.0,
) -> None:
    """Write the hillshade of a map as a grey PNG of 8 bits, whole or not at all.

    Parameters
    ----------
    path : path
        Ends in .png.
    heights, azimuth, altitude, cellsize, exaggeration
        As `hillshade` takes them.
    """
    file = Path(path)
    if file.suffix.lower() != ".png":
        raise must("path", "end in .png for a hillshade", file.name)
    light = hillshade(
        heights,
        azimuth=azimuth,
        altitude=altitude,
        cellsize=cellsize,
        exaggeration=exaggeration,
    )
    write_atomic(file, encode_grey(np.rint(light * 255).astype(np.uint8)))
