"""Target images: reading them, with every bad one refused, and shapes cut out of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from evo.checks import must
from fitness.measures import Mask
from render.pillow import UNREADABLE, opened

__all__ = ["MAX_PIXELS", "RGBA", "Picture", "read_image", "resized", "shape_of"]

MAX_PIXELS = 2**26
"""Most pixels of a target image: 8192 x 8192. A larger one is refused before it is decoded."""

Picture: TypeAlias = "str | Path | NDArray[Any]"
"""An image file's path, or an array: bool (H, W), uint8 (H, W), (H, W, 3) or (H, W, 4), uint16
(H, W). In a bool array True is the shape."""

RGBA: TypeAlias = NDArray[np.uint8]
"""uint8 (H, W, 4): red, green, blue and straight alpha."""

_SIXTEEN_BIT = ("I;16", "I;16L", "I;16B", "I;16N", "I")


def _from_grey(grey: NDArray[np.uint8]) -> RGBA:
    opaque = np.full_like(grey, 255)
    return np.stack([grey, grey, grey, opaque], axis=2)


def _from_array(label: str, array: NDArray[Any]) -> RGBA:
    if array.size == 0:
        raise must(label, "have at least one pixel", array)
    if array.dtype == np.bool_ and array.ndim == 2:
        pixels = np.zeros((*array.shape, 4), np.uint8)
        pixels[:, :, 3] = np.where(array, 255, 0)
        return pixels
    if array.dtype == np.uint16 and array.ndim == 2:
        return _from_grey((array >> 8).astype(np.uint8))
    if array.dtype == np.uint8 and array.ndim == 2:
        return _from_grey(array)
    if array.dtype == np.uint8 and array.ndim == 3 and array.shape[2] in (3, 4):
        pixels = np.full((*array.shape[:2], 4), 255, np.uint8)
        pixels[:, :, : array.shape[2]] = array
        return pixels
    shapes = "bool (H, W), uint8 (H, W), (H, W, 3) or (H, W, 4), or uint16 (H, W)"
    raise must(label, f"be an array of {shapes}", array)


def _read(label: str, path: Path) -> Image.Image:
    """Return a file's picture, upright; in RGBA unless it has more than 8 bits a channel."""
    try:
        with opened(path) as picture:
            width, height = picture.size
            if width * height <= MAX_PIXELS:
                upright = ImageOps.exif_transpose(picture)
                deep = upright.mode in {*_SIXTEEN_BIT, "F"}
                return upright if deep else upright.convert("RGBA")
    except Image.DecompressionBombError as error:
        raise must(label, f"have at most {MAX_PIXELS} pixels", str(path)) from error
    except UNREADABLE as error:
        raise must(label, f"be an image that can be read ({error})", str(path)) from error
    raise must(label, f"have at most {MAX_PIXELS} pixels", f"{path} ({width} x {height})")


def _from_file(label: str, path: Path) -> RGBA:
    picture = _read(label, path)
    if picture.mode in _SIXTEEN_BIT:
        values = np.asarray(picture)
        if values.min() < 0 or values.max() > 65535:
            raise must(label, "have 8 or 16 bits a channel", str(path))
        return _from_grey((values.astype(np.int64) >> 8).astype(np.uint8))
    if picture.mode == "F":
        raise must(label, "have 8 or 16 bits a channel, not floating point", str(path))
    return np.array(picture)


def read_image(label: str, image: Picture) -> RGBA:
    """Return a picture's pixels, read-only.

    Parameters
    ----------
    label : str
        What messages call it.
    image : str, Path or array
        Anything that Pillow reads, the first frame of it; 16-bit grey is taken by its upper 8
        bits, a photograph as its camera was held.

    Returns
    -------
    uint8 array of shape (H, W, 4)

    Raises
    ------
    ValueError
        If there is no such file, it is no image, is damaged, or has more than `MAX_PIXELS` pixels;
        or if an array is of another kind.
    """
    if isinstance(image, np.ndarray):
        pixels = _from_array(label, image)
    elif isinstance(image, str | Path):
        path = Path(image)
        if not path.is_file():
            raise must(label, "be an image file that is there", str(path))
        pixels = _from_file(label, path)
    else:
        raise must(label, "be an image: a file's path or an array", image)
    pixels.flags.writeable = False
    return pixels


def resized(pixels: NDArray[Any], height: int, width: int) -> NDArray[Any]:
    """Return an image at another size, by the nearest pixel: center to center, no new colors."""
    rows, columns = pixels.shape[:2]
    near_rows = (2 * np.arange(height) + 1) * rows // (2 * height)
    near_columns = (2 * np.arange(width) + 1) * columns // (2 * width)
    result: NDArray[Any] = pixels[near_rows[:, None], near_columns]
    return result


def shape_of(pixels: RGBA) -> Mask:
    """Return the shape in an image, bool (H, W).

    Where alpha varies, what is more than half opaque; otherwise what is darker than mid-grey
    (luma of ITU-R BT.601 below 128). A fully transparent image has no shape.
    """
    alpha = pixels[:, :, 3]
    if alpha.min() != alpha.max() or alpha.max() <= 127:
        opaque: Mask = alpha > 127
        return opaque
    red, green, blue = (pixels[:, :, channel].astype(np.int64) for channel in range(3))
    dark: Mask = 299 * red + 587 * green + 114 * blue < 128_000
    return dark
