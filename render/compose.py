"""Whole pictures: sky, ground and plants in one, for people to look at.

Scores never see these; they see a plant alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evo.checks import must, real_array, whole
from render.color import as_color
from render.terrain.ground import resampled
from render.terrain.normalizing import normalized
from render.terrain.relief import hillshade

__all__ = ["landscape", "map_picture", "over"]

SKY = ("#8fb4cf", "#dfe8e6", "#f7efdf")
"""Colors of the sky from the top to the bottom."""

GROUND = ("#6f7d45", "#8a6f4a", "#6b5137", "#4a382a")
"""Grass, and the soil from the top to the bottom."""

LAND = ("#3d6b63", "#6f9a6a", "#b5bf83", "#d8c595", "#b79a78", "#efe9dd")
"""Colors of a map from its lowest to its highest cell."""


def landscape(
    width: int,
    height: int,
    line: ArrayLike | None = None,
    *,
    sky: Sequence[str | Sequence[int]] = SKY,
    ground: Sequence[str | Sequence[int]] = GROUND,
) -> NDArray[np.uint8]:
    """Return a picture of the sky, and of ground below a line.

    Parameters
    ----------
    width, height : int
        Pixels.
    line : real array of shape (width,), optional
        Row at which the ground begins in each column, see `ground_line`; a pixel that it passes
        through is mixed. Without it there is no ground.
    sky : sequence of colors
        "#rrggbb" or (red, green, blue), from the top down to the lowest ground.
    ground : sequence of colors, at least 2
        The grass of the first pixels, then the soil down to the bottom.

    Returns
    -------
    uint8 array of shape (height, width, 3)
    """
    width, height = whole("width", width, low=1), whole("height", height, low=1)
    rows = np.arange(height, dtype=np.float64)[:, None]
    if line is None:
        return _rounded(np.broadcast_to(_ramp(sky, rows / height), (height, width, 3)))
    edge = real_array("line", line, shape=(width,))
    if len(ground) < 2:
        raise must("ground", "have at least 2 colors", ground)

    lowest = max(1.0, float(edge.max()))
    air = np.broadcast_to(_ramp(sky, rows / lowest), (height, width, 3))
    depth = rows + 0.5 - edge
    below = max(1.0, height - float(edge.min()))
    soil = _ramp(ground[1:], depth / below)
    soil *= 1 + 0.05 * np.sin(depth * (28 / below) + 5 * edge / height)[..., None]  # strata
    blade = max(1.5, height / 70)
    grass = np.clip(1.4 - depth / blade, 0.0, 1.0)[..., None]
    soil += (np.array(as_color(ground[0]), dtype=np.float64) - soil) * grass
    covered = np.clip(rows + 1 - edge, 0.0, 1.0)[..., None]
    return _rounded(air + (soil - air) * covered)


def map_picture(
    heights: ArrayLike,
    shape: tuple[int, int] | None = None,
    *,
    colors: Sequence[str | Sequence[int]] = LAND,
) -> NDArray[np.uint8]:
    """Return a map seen from above: colors by height, with light from the upper left.

    Parameters
    ----------
    heights : float array of shape (n, m), both at least 2
    shape : (int, int), optional
        Rows and columns of the picture; by default a cell a pixel.
    colors : sequence of colors
        From the lowest to the highest cell.

    Returns
    -------
    uint8 array of shape (n, m, 3), or (*shape, 3)
    """
    values = np.asarray(heights)
    seen = resampled(values, values.shape if shape is None else shape)
    share = normalized(seen, "minmax")
    light = hillshade(share, exaggeration=0.35) if min(seen.shape) > 1 else np.ones(seen.shape)
    shade = 0.62 + 0.38 * light / np.sin(np.pi / 4)
    return _rounded(_ramp(colors, share) * np.minimum(shade, 1.15)[..., None])


def over(picture: NDArray[np.uint8], *plants: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture with plants painted over it, the first one farthest back.

    Parameters
    ----------
    picture : uint8 array of shape (height, width, 3)
        Not changed.
    plants : uint8 arrays of shape (height, width, 4)
        Straight alpha, as `rasterize` gives it.

    Returns
    -------
    uint8 array of shape (height, width, 3): (alpha plant + (255 - alpha) picture) / 255, rounded.
    """
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise must("picture", "be a uint8 array of shape (height, width, 3)", picture)
    out = picture.astype(np.uint32)
    for plant in plants:
        if plant.shape != (*picture.shape[:2], 4) or plant.dtype != np.uint8:
            raise must("plant", f"be a uint8 array of shape {(*picture.shape[:2], 4)}", plant)
        alpha = plant[..., 3:].astype(np.uint32)
        out = (plant[..., :3] * alpha + out * (255 - alpha) + 127) // 255
    return out.astype(np.uint8)


def _ramp(
    colors: Sequence[str | Sequence[int]], place: NDArray[np.floating]
) -> NDArray[np.float64]:
    """Return the colors at places from 0 to 1 between the first and the last, (..., 3)."""
    stops = np.array([as_color(color) for color in colors], dtype=np.float64)
    along = np.linspace(0.0, 1.0, len(stops))
    mixed = [np.interp(place, along, stops[:, channel]) for channel in range(3)]
    return np.stack(mixed, axis=-1)


def _rounded(colors: NDArray[np.floating]) -> NDArray[np.uint8]:
    channels: NDArray[np.uint8] = np.clip(np.floor(colors + 0.5), 0, 255).astype(np.uint8)
    return channels
