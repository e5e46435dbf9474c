"""Pictures for the tests of scores: cheats, and plants of a few strokes."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fitness import Scene
from render import grow, rasterize

Mask = NDArray[np.bool_]

SIZE = 256
ROOT = (128, 240)


def empty(size: int = SIZE) -> Mask:
    return np.zeros((size, size), np.bool_)


def full(size: int = SIZE) -> Mask:
    return np.ones((size, size), np.bool_)


def disc(radius: float = 70, row: int = 128, column: int = 128, size: int = SIZE) -> Mask:
    y, x = np.ogrid[:size, :size]
    return (y + 0.5 - row) ** 2 + (x + 0.5 - column) ** 2 <= radius**2


def pole(width: int = 6, top: int = 40) -> Mask:
    mask = empty()
    mask[top : ROOT[1], ROOT[0] - width // 2 : ROOT[0] + width // 2] = True
    return mask


def single_pixel() -> Mask:
    mask = empty()
    mask[ROOT[1] - 1, ROOT[0]] = True
    return mask


def bar(top: int, height: int) -> Mask:
    mask = empty()
    mask[top : top + height] = True
    return mask


def hedge() -> Mask:
    return bar(ROOT[1] - 85, 85)


def noise(share: float = 0.2) -> Mask:
    return np.random.default_rng(7).random((SIZE, SIZE)) < share


def mirrored_noise(share: float = 0.2) -> Mask:
    half = noise(share)[:, : SIZE // 2]
    return np.hstack([half, half[:, ::-1]])


def grid(step: int = 8) -> Mask:
    mask = empty()
    mask[::step] = True
    mask[:, ::step] = True
    return mask


def slope_strokes(row: int) -> Mask:
    """What once won terrain_follow: three strokes along the slope, most of the plant in the ground.

    It is rooted at a row of column 128.
    """
    genome = bytes.fromhex(_SLOPE_STROKES)
    return rasterize(grow(genome), SIZE, SIZE, root=(128, row), style="mask")


_SLOPE_STROKES = (
    "2a5394d366a80014c0132aeae68b270327325b79aaba7997f384bb0b2852cad81bc2ae0f"
    "27953e3c65d06ecefa5a2858e99d7731202c5070a6cbca996dc69f06341ce04981093419"
    "46ad9fa9fcb1807c7a104263d4621bf97a186d84abc09546a59a7d0b0e4eda0135108220"
    "23590081a97db49a990c8f41a6983608a972995f9d006a6206039700802d7adb3117b835"
    "a7a313f14fb7f1a089291f6bff84390b68560fb9a28c3271520b8f2ce9e47f7712fb2100"
)


def line(mask: Mask, start: complex, end: complex, width: float) -> None:
    """Draw a thick line into a mask; points are column + row i."""
    n = max(2, int(abs(end - start) * 2))
    for k in range(n + 1):
        point = start + (end - start) * k / n
        reach = math.ceil(width / 2) + 1
        top, left = max(0, int(point.imag) - reach), max(0, int(point.real) - reach)
        bottom, right = int(point.imag) + reach + 1, int(point.real) + reach + 1
        y, x = np.ogrid[top : min(SIZE, bottom), left : min(SIZE, right)]
        if y.size and x.size:
            near = (y + 0.5 - point.imag) ** 2 + (x + 0.5 - point.real) ** 2 <= (width / 2) ** 2
            mask[top : min(SIZE, bottom), left : min(SIZE, right)] |= near


@cache
def tree(
    depth: int = 7,
    length: float = 56,
    shrink: float = 0.8,
    angle: float = 0.45,
    width: float = 7,
    jitter: float = 0.0,
) -> Mask:
    """Return a binary tree that stands at the root, its branches jittered by some radians."""
    mask = empty()
    rng = np.random.default_rng(11)

    def branch(at: complex, heading: float, size: float, thick: float, left: int) -> None:
        end = at + size * complex(math.sin(heading), -math.cos(heading))
        line(mask, at, end, thick)
        if left:
            for side in (-angle, angle):
                turn = side + jitter * rng.standard_normal()
                branch(end, heading + turn, size * shrink, max(2.0, thick * 0.75), left - 1)

    branch(complex(*ROOT), 0.0, length, width, depth)
    mask.flags.writeable = False
    return mask


def painted(mask: Mask, *colors: tuple[int, int, int]) -> Scene:
    """A scene whose ink has these colors, in equal horizontal stripes of the window."""
    rgba = np.zeros((*mask.shape, 4), np.uint8)
    for index, color in enumerate(colors):
        rgba[index :: len(colors), :, :3] = color
    rgba[:, :, 3] = 255
    rgba[~mask] = 0
    return Scene(mask=mask, root=(mask.shape[1] // 2, mask.shape[0]), rgba=rgba)
