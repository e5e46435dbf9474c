"""Palettes that close on themselves, and maps of heights in their colors: plasma."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evo.checks import choice, must, real_array, whole
from render.color import as_color

__all__ = ["PALETTES", "Palette", "closed_palette", "palette_cycle", "palette_index"]

Palette: TypeAlias = NDArray[np.uint8]
"""Colors as a uint8 array of shape (n, 3), red, green, blue; the last is next to the first."""

PALETTES: dict[str, tuple[str, ...]] = {
    "plasma": ("#0d0887", "#7e03a8", "#cc4778", "#f89540", "#f0f921", "#2fbf9f", "#1668b8"),
    "fire": (
        "#140607",
        "#5a0f10",
        "#b3261a",
        "#f06a1d",
        "#ffc64a",
        "#fff3c4",
        "#e2852b",
        "#7a1712",
    ),
    "ocean": ("#04122b", "#0a3d66", "#12799a", "#4cc2b8", "#d9f7e6", "#3fa7c4", "#1b5a94"),
    "moss": ("#10200f", "#2b4a1b", "#58792a", "#a3ac4a", "#e6dc97", "#8fa85f", "#3f6b46"),
    "dusk": (
        "#1b1035",
        "#4b2067",
        "#8d3b83",
        "#dd6f80",
        "#ffc48c",
        "#fdf1cf",
        "#9c88b8",
        "#45407f",
    ),
    "opal": ("#f6d9e4", "#d6e4f7", "#c9f2ea", "#f3f5d0", "#fbe3c8", "#e3d3f2"),
    "slate": ("#14171c", "#4a525e", "#98a2ad", "#eef1f3", "#98a2ad", "#4a525e"),
}
"""Stops of the named palettes, once round; see `closed_palette`."""

_MAX_BYTES = 2**31


def closed_palette(colors: str | Sequence[str | Sequence[int]], size: int = 256) -> Palette:
    """Return a palette that runs through some colors and back to the first.

    Color i of n stands at index i size / n; between them channels are linear. So the last entry is
    as near to the first as any neighbors are, and the palette can be cycled without a jump.

    Parameters
    ----------
    colors : name of `PALETTES`, or sequence of colors, at least 2
        Each as `as_color` takes it: "#rrggbb", "tomato" or (red, green, blue).
    size : int
        Entries, at least as many as colors.

    Returns
    -------
    uint8 array of shape (size, 3)
    """
    if isinstance(colors, str):
        colors = PALETTES[choice("colors", colors, PALETTES)]
    stops = np.array([as_color(color) for color in colors], dtype=np.float64)
    if len(stops) < 2:
        raise must("colors", "hold at least 2 colors", colors)
    size = whole("size", size, low=len(stops))
    place = np.arange(size) * len(stops) / size
    left = place.astype(np.intp)
    share = (place - left)[:, None]
    mixed = stops[left] * (1 - share) + stops[(left + 1) % len(stops)] * share
    return np.floor(mixed + 0.5).astype(np.uint8)


def as_palette(palette: str | ArrayLike) -> Palette:
    """Return a palette by its name, or the array itself after a check."""
    if isinstance(palette, str):
        return closed_palette(palette)
    array = np.asarray(palette)
    if array.ndim != 2 or array.shape[1] != 3 or not len(array) or array.dtype.kind not in "iu":
        raise must("palette", "be a name, or whole numbers of shape (n, 3)", palette)
    if array.min() < 0 or array.max() > 255:
        raise must("palette", "hold channels from 0 to 255", (int(array.min()), int(array.max())))
    return array.astype(np.uint8)


def palette_index(heights: ArrayLike, n_colors: int) -> NDArray[np.intp]:
    """Return floor(n_colors h), the palette index of each height; 1.0 belongs to the last color.

    Parameters
    ----------
    heights : float array of shape (height, width), each in [0, 1]
        Normalized, by `bound` for a movement that is the same for every tile.
    n_colors : int

    Returns
    -------
    intp array of shape (height, width), each 0 to n_colors - 1
    """
    values = real_array("heights", heights, ndim=2)
    if not (values.min() >= 0 and values.max() <= 1):
        got = (float(values.min()), float(values.max()))
        raise must("heights", "lie from 0 to 1 (normalize them)", got)
    index: NDArray[np.intp] = np.floor(values * n_colors).astype(np.intp)
    np.minimum(index, n_colors - 1, out=index)
    return index


def frame_shifts(n_colors: int, frames: int) -> list[int]:
    """Return by how many colors each frame is shifted: once round, in steps as even as can be."""
    frames = whole("frames", frames, low=1, high=n_colors)
    return [frame * n_colors // frames for frame in range(frames)]


def palette_cycle(heights: ArrayLike, palette: str | ArrayLike, frames: int) -> NDArray[np.uint8]:
    """Return the frames of a plasma: a map in the colors of a palette that turns once round.

    A height h has index floor(P h) in a palette of P colors, and frame t of F shows color
    (index + floor(t P / F)) mod P: with P frames one color a frame. The frame after the last is the
    first, so that a loop has no jump.

    Parameters
    ----------
    heights : float array of shape (height, width), each in [0, 1]
        Normalized, best by `bound`.
    palette : name of `PALETTES`, or array of shape (P, 3) of whole numbers from 0 to 255
        It should close on itself, see `closed_palette`.
    frames : int
        F, from 1 to P.

    Returns
    -------
    uint8 array of shape (F, height, width, 3)

    Raises
    ------
    ValueError
        If the heights aren't normalized, or the frames would take more than 2 GiB.
    """
    colors = as_palette(palette)
    shifts = frame_shifts(len(colors), frames)
    index = palette_index(heights, len(colors))
    if len(shifts) * index.size * 3 > _MAX_BYTES:
        raise must(
            "frames", f"be at most {_MAX_BYTES // (3 * index.size)} to stay in 2 GiB", frames
        )
    return np.stack([np.roll(colors, -shift, axis=0)[index] for shift in shifts])
