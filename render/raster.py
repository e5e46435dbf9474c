"""Rasterizing: from circles to pixels, in the styles flat, volume and mask.

The disc rule and the styles are described in docs/rasterizing.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evo.checks import choice, must, whole
from render.circles import Circles
from render.kernels import get_kernel
from render.kernels.model import Frame, frame_floor
from render.window import Window, check_samples

__all__ = ["STYLES", "check_drawing", "check_style", "frame_of", "rasterize"]

STYLES = ("flat", "volume", "mask")
"""How circles become pixels."""

_FAR = 2**40  # a root farther off shows nothing, as no int32 coordinate reaches the window
_BAND = 2**22  # samples that an oversampled picture holds at a time


def check_style(style: object, oversample: object, prefix: str = "") -> tuple[str, int]:
    """Return a style and an oversample that go together, or raise ValueError.

    The prefix stands before both names in messages: `--` for options of a command.
    """
    style = choice(f"{prefix}style", style, STYLES)
    k = whole(f"{prefix}oversample", oversample, 1)
    if style == "mask" and k > 1:
        raise must(f"{prefix}oversample", "be 1 for a mask", k)
    return style, k


def check_drawing(window: Window, style: object, oversample: object) -> tuple[str, int]:
    """Return the style and the oversample that a window can be drawn in, or raise ValueError."""
    style, k = check_style(style, oversample)
    if window.unit % k:
        raise must("oversample", f"divide the unit {window.unit}", k)
    check_samples(window.width, window.height, k)
    return style, k


def rasterize(
    circles: Circles,
    width: int,
    height: int,
    unit: int = 1024,
    root: tuple[int, int] | None = None,
    style: str = "flat",
    oversample: int = 1,
    kernel: str | None = None,
) -> NDArray[np.uint8] | NDArray[np.bool_]:
    """Return the picture of some circles.

    Parameters
    ----------
    circles : Circles
    width, height, unit, root
        The window, as in `Window`.
    style : {"flat", "volume", "mask"}
        Opaque discs, pseudo-3D, or the silhouette alone.
    oversample : int
        k draws k x k samples a pixel and averages them, weighted by alpha. It must divide unit.
        A mask has none.
    kernel : {"numba", "numpy"}, optional
        Who computes; by default numba where it imports. Both give the same bits.

    Returns
    -------
    uint8 array of shape (height, width, 4)
        Red, green, blue and straight alpha; row 0 is the top.
        For the style "mask" a bool array of shape (height, width).

    Raises
    ------
    ValueError
        If an argument is not of the kind or range above, or the picture is larger than
        `render.window.MAX_SAMPLES` samples.
    """
    if not isinstance(circles, Circles):
        raise must("circles", "be Circles", circles)
    window = Window(width, height, unit, root)  # type: ignore[arg-type]  # None is resolved
    style, k = check_drawing(window, style, oversample)
    compute = get_kernel(kernel)
    if style == "mask":
        return compute.mask(circles, frame_of(window))
    draw = compute.flat if style == "flat" else compute.volume
    if k == 1:
        return draw(circles, frame_of(window))
    out = np.empty((window.height, window.width, 4), np.uint8)
    step = max(1, _BAND // (window.width * k * k))
    for top in range(0, window.height, step):
        band = frame_of(window, k, top, min(step, window.height - top))
        out[top : top + step] = _average(draw(circles, band), k)
    return out


def frame_of(window: Window, k: int = 1, top: int = 0, n_rows: int | None = None) -> Frame:
    """Return the samples of some rows of a window."""
    column, row = (max(-_FAR, min(_FAR, at)) for at in window.root)
    return Frame(
        width=window.width * k,
        height=(window.height if n_rows is None else n_rows) * k,
        unit=window.unit // k,
        column=column * k,
        row=(row - top) * k,
        floor=frame_floor(window.unit),
    )


def _average(samples: NDArray[np.uint8], k: int) -> NDArray[np.uint8]:
    """Return k x k samples averaged, weighted by alpha: (height k, width k, 4) -> a k-th."""
    rows, columns = samples.shape[0] // k, samples.shape[1] // k
    alpha = np.zeros((rows, columns), np.int64)
    weighted = np.zeros((rows, columns, 3), np.int64)
    for dy in range(k):
        for dx in range(k):
            part = samples[dy::k, dx::k].astype(np.int32)
            alpha += part[..., 3]
            weighted += part[..., :3] * part[..., 3:]
    out = np.zeros((rows, columns, 4), np.uint8)
    out[..., 3] = (2 * alpha + k * k) // (2 * k * k)
    total = alpha[..., None]
    out[..., :3] = np.where(total > 0, (2 * weighted + total) // np.maximum(2 * total, 1), 0)
    return out
