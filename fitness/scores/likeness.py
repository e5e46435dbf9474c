"""How much a plant looks like a picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evo.checks import must
from fitness.base import PlantScore
from fitness.images import RGBA, Picture, read_image, resized
from fitness.measures import Mask, block_sums
from fitness.parameters import image
from fitness.scene import Scene
from render.kernels import compiled_measures

__all__ = ["SSIM", "similarity"]

_SIDE = 64  # cells a side
_SSIM_WINDOW = 7
_FINE = 2.0**40


def _reduced(rgba: RGBA, mask: Mask) -> NDArray[np.int32]:
    """Return a picture at 64 x 64 cells: means of premultiplied colors and alpha, 0 to 255.

    A window of fewer than 64 rows or columns keeps them, by the nearest pixel.

    Returns
    -------
    int32 array of shape (4, 64, 64)
    """
    rows, columns = (min(_SIDE, size) for size in mask.shape)
    compiled = compiled_measures()
    if compiled is not None:
        means: NDArray[np.int32] = compiled.cell_means(rgba, mask, rows, columns)
    else:
        means = _cell_means(rgba, mask, rows, columns)
    if rows == columns == _SIDE:
        return means
    cells: NDArray[np.int32] = resized(means.transpose(1, 2, 0), _SIDE, _SIDE)
    return np.ascontiguousarray(cells.transpose(2, 0, 1))


def _cell_means(rgba: RGBA, mask: Mask, rows: int, columns: int) -> NDArray[np.int32]:
    """Return the means of premultiplied colors and alpha in cells, int32 (4, rows, columns)."""
    height, width = mask.shape
    pixels = np.ascontiguousarray(rgba).view(np.uint32)[:, :, 0]  # four bytes at a time
    inked = (pixels * mask).view(np.uint8).reshape(height, width, 4)
    alpha = inked[:, :, 3]
    if np.count_nonzero(alpha == 255) != np.count_nonzero(alpha):
        inked[:, :, :3] = (2 * inked[:, :, :3].astype(np.int64) * alpha[:, :, None] + 255) // 510
    whole = block_sums(np.ones((height, width), np.bool_), rows, columns)[:, :, None]
    means = (2 * block_sums(inked, rows, columns) + whole) // (2 * whole)
    layers: NDArray[np.int32] = means.transpose(2, 0, 1).astype(np.int32)
    return layers


def _window_sums(layers: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the sums over 7 x 7 windows round each cell, mirrored at the border.

    Layers are at most 255²; all sums stay below 71² * 255² < 2^31.
    """
    half = _SSIM_WINDOW // 2
    inner = np.arange(_SIDE)
    around = np.concatenate([[0], inner[:half][::-1], inner, inner[-half:][::-1]])
    padded = layers[:, around][:, :, around]
    padded[:, 0] = padded[:, :, 0] = 0
    total = padded.cumsum(axis=1, dtype=np.int32).cumsum(axis=2, dtype=np.int32)
    n = _SSIM_WINDOW
    sums: NDArray[np.int32] = (
        total[:, n:, n:] - total[:, :-n, n:] - total[:, n:, :-n] + total[:, :-n, :-n]
    )
    return sums


class _Moments(NamedTuple):
    """A picture's layers, and over the windows their sums and sums of squares; int32."""

    layers: NDArray[np.int32]
    sums: NDArray[np.int32]
    squares: NDArray[np.int32]


def _kept(layers: NDArray[np.int32]) -> NDArray[np.int32]:
    kept = np.ascontiguousarray(layers)
    kept.flags.writeable = False
    return kept


def _moments(layers: NDArray[np.int32]) -> _Moments:
    return _Moments(layers, _window_sums(layers), _window_sums(layers * layers))


# Times n² (means) and n (n - 1) (covariances) all sums are whole numbers below 2^31.
_C1 = (0.01 * 255) ** 2 * _SSIM_WINDOW**2 * _SSIM_WINDOW**2
_C2 = (0.03 * 255) ** 2 * _SSIM_WINDOW**2 * (_SSIM_WINDOW**2 - 1)


def _total(layers: NDArray[np.int32], target: _Moments) -> tuple[int, int]:
    """Return the sum of similarities in fine whole numbers, and how many they are.

    Of the cells that either picture touches: whole sums are the same in any order.
    """
    compiled = compiled_measures()
    if compiled is not None:
        total: tuple[int, int] = compiled.similarity_total(
            layers, *target, _SSIM_WINDOW, _C1, _C2, _FINE
        )
        return total
    union = (layers[3] > 0) | (target.layers[3] > 0)
    values = similarity(_moments(layers), target)[:, union]
    return int(np.rint(values * _FINE).astype(np.int64).sum()), values.size


def similarity(a: _Moments, b: _Moments) -> NDArray[np.float64]:
    """Return the structural similarity of two pictures, float64 (4, 64, 64).

    Equation 13 of Wang and others 2004 with windows of 7 x 7, sample covariances, K1 = .01,
    K2 = .03 and a range of 255, as `skimage.metrics.structural_similarity` has it; from whole
    sums, so that it is the same on every machine.
    """
    n = _SSIM_WINDOW**2
    both = n * _window_sums(a.layers * b.layers) - a.sums * b.sums
    apart = n * (a.squares + b.squares) - a.sums**2 - b.sums**2
    means: NDArray[np.float64] = (2 * a.sums * b.sums + _C1) / (a.sums**2 + b.sums**2 + _C1)
    return means * ((2 * both + _C2) / (apart + _C2))


@dataclass(frozen=True, eq=False)
class SSIM(PlantScore):
    """The plant looks like a picture with a transparent background.

    Structural similarity (Wang, Bovik, Sheikh and Simoncelli 2004, doi:10.1109/TIP.2003.819861) of
    both at 64 x 64, uniform windows of 7 x 7, of colors premultiplied by alpha and of alpha itself;
    the mean over the cells that either of them touches, for two empty halves are equal. A picture
    without transparency is taken whole. Another size is stretched to the window.
    """

    name: ClassVar[str] = "ssim"
    needs: ClassVar[frozenset[str]] = frozenset({"mask", "rgba"})

    image: Picture = field(metadata=image("file of the picture to look like"))

    def __post_init__(self) -> None:
        super().__post_init__()
        pixels = read_image("ssim.image", self.image)
        height, width = pixels.shape[:2]
        if min(height, width) < _SSIM_WINDOW:
            size = f"{width} x {height}"
            raise must("ssim.image", f"have at least {_SSIM_WINDOW} x {_SSIM_WINDOW} pixels", size)
        if not pixels[:, :, 3].any():
            raise must("ssim.image", "show something", "an image that is all transparent")
        object.__setattr__(self, "_pixels", pixels)

    def _target(self, height: int, width: int) -> _Moments:
        pixels = resized(vars(self)["_pixels"], height, width)
        target = _moments(_reduced(pixels, pixels[:, :, 3] > 0))
        return _Moments(*map(_kept, target))

    def prepare(self, blank: Scene) -> tuple[str, ...]:
        """Bring the picture to the window; say when it was resized."""
        height, width = blank.mask.shape
        self._once((height, width), lambda: self._target(height, width))
        rows, columns = vars(self)["_pixels"].shape[:2]
        if (rows, columns) == (height, width):
            return ()
        return (
            f"ssim: the image of {columns} x {rows} is resized to {width} x {height} "
            "by the nearest pixel",
        )

    def value(self, scene: Scene) -> float:
        """Return the mean structural similarity over the union of both."""
        rgba: Any = scene.rgba
        height, width = scene.mask.shape
        target = self._once((height, width), lambda: self._target(height, width))
        total, n = _total(_reduced(rgba, scene.mask), target)
        return total / (_FINE * n) if n else 0.0
