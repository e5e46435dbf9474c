"""Loops over other libraries' circles, as a user would write them, on the same circles.

Each gets a `Sketch`: the discs in pixels, as arrays. Turning them into numbers of Python is part
of the loop, as these libraries take one circle at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render import Circles, Window

__all__ = ["PEERS", "Sketch", "available", "opencv_calls", "sketch"]


class Sketch(NamedTuple):
    """Discs in pixels: integer centers and radii, and real ones; color (n, 4)."""

    width: int
    height: int
    column: NDArray[np.int64]
    row: NDArray[np.int64]
    radius: NDArray[np.int64]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    r: NDArray[np.float64]
    color: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.column)


def sketch(circles: Circles, window: Window) -> Sketch:
    """Return the discs of a plant in pixels of a window."""
    x = circles.x / window.unit + window.root[0]
    y = circles.y / window.unit + window.root[1]
    r = np.maximum(circles.diameter / window.unit / 2, 0.709)
    color = np.column_stack([circles.color, np.full(len(circles), 255, np.uint8)])
    whole = (np.floor(x).astype(int), np.floor(y).astype(int), np.rint(r).astype(int))
    return Sketch(window.width, window.height, *whole, x, y, r, color)


def opencv(s: Sketch) -> NDArray[np.uint8]:
    """OpenCV `circle`, filled."""
    import cv2

    out = np.zeros((s.height, s.width, 4), np.uint8)
    rows = zip(s.column.tolist(), s.row.tolist(), s.radius.tolist(), s.color.tolist(), strict=True)
    for column, row, radius, color in rows:
        cv2.circle(out, (column, row), radius, color, cv2.FILLED)
    return out


def opencv_calls(prepared: tuple[int, int, list[tuple[tuple[int, int], int, tuple[int, ...]]]]):
    """OpenCV `circle` on numbers of Python made beforehand: its bare calls."""
    import cv2

    width, height, discs = prepared
    out = np.zeros((height, width, 4), np.uint8)
    for center, radius, color in discs:
        cv2.circle(out, center, radius, color, -1)
    return out


def pillow(s: Sketch) -> object:
    """Pillow `ImageDraw.ellipse`."""
    from PIL import Image, ImageDraw

    image = Image.new("RGBA", (s.width, s.height))
    draw = ImageDraw.Draw(image)
    low_x, low_y = (s.x - s.r).tolist(), (s.y - s.r).tolist()
    high_x, high_y = (s.x + s.r).tolist(), (s.y + s.r).tolist()
    colors = map(tuple, s.color.tolist())
    for left, top, right, bottom, color in zip(low_x, low_y, high_x, high_y, colors, strict=True):
        draw.ellipse((left, top, right, bottom), fill=color)
    return image


def skia(s: Sketch) -> object:
    """skia-python `Canvas.drawCircle`, no antialiasing."""
    import skia as library

    out = np.zeros((s.height, s.width, 4), np.uint8)
    canvas = library.Canvas(out)
    paint = library.Paint(AntiAlias=False)
    rows = zip(s.x.tolist(), s.y.tolist(), s.r.tolist(), s.color.tolist(), strict=True)
    for x, y, r, (red, green, blue, alpha) in rows:
        paint.setColor(library.ColorSetARGB(alpha, red, green, blue))
        canvas.drawCircle(x, y, r, paint)
    return out


def scikit_image(s: Sketch) -> NDArray[np.uint8]:
    """scikit-image `draw.disk`."""
    from skimage.draw import disk

    out = np.zeros((s.height, s.width, 4), np.uint8)
    for x, y, r, color in zip(s.x.tolist(), s.y.tolist(), s.r.tolist(), s.color, strict=True):
        rows, columns = disk((y, x), r, shape=out.shape[:2])
        out[rows, columns] = color
    return out


PEERS: dict[str, tuple[str, Callable[[Sketch], object]]] = {
    "OpenCV": ("cv2", opencv),
    "Pillow": ("PIL", pillow),
    "skia-python": ("skia", skia),
    "scikit-image": ("skimage", scikit_image),
}
"""Name -> (module, loop)."""


def available() -> dict[str, Callable[[Sketch], object]]:
    """Return the loops whose library is there."""
    return {name: loop for name, (module, loop) in PEERS.items() if find_spec(module)}
