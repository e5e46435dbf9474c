"""Heights as TIFF: any one-channel TIFF (GeoTIFF too) in, float32 out."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evo.checks import must
from render.pillow import opened
from render.terrain.formats.grid import Grid

if TYPE_CHECKING:
    import tifffile

__all__ = ["decode_tiff", "encode_tiff"]

_GDAL_NODATA = 42113

_PILLOW_MODES = {"L": (8,), "I;16": (16,), "I": (32,), "F": (32,)}
"""Pillow's modes and the bits that they keep whole."""


def decode_tiff(data: bytes) -> Grid:
    """Return the heights of the only full picture of a TIFF; GDAL's NoData value is heeded."""
    import tifffile  # late: it takes a tenth of a second

    with _silence(tifffile.logger()), tifffile.TiffFile(BytesIO(data)) as file:
        pages = [
            page
            for page in file.pages
            if isinstance(page, tifffile.TiffPage) and not (page.is_reduced or page.is_mask)
        ]
        if len(pages) != 1:
            raise must("TIFF", "hold one picture", len(pages))
        page = pages[0]
        values = _pixels(page, data)
        tag = page.tags.get(_GDAL_NODATA)
    if tag is None:
        return Grid(values)
    nodata = float(str(tag.value).strip(" \0"))
    return Grid(values, values == np.asarray(nodata).astype(values.dtype))


@contextmanager
def _silence(logger: logging.Logger) -> Iterator[None]:
    """Keep a logger silent in this thread: what a damaged file lacks is an error of ours."""
    here = threading.get_ident()

    def elsewhere(record: logging.LogRecord) -> bool:
        return record.thread != here

    logger.addFilter(elsewhere)
    try:
        yield
    finally:
        logger.removeFilter(elsewhere)


def _pixels(page: tifffile.TiffPage, data: bytes) -> NDArray[np.generic]:
    """Return a page by tifffile, or by Pillow where tifffile lacks its compression (LZW)."""
    try:
        return page.asarray()
    except ValueError as error:
        if "imagecodecs" not in str(error):
            raise
        with opened(BytesIO(data), formats=["TIFF"]) as image:
            image.seek(page.index)
            if (
                image.mode not in _PILLOW_MODES
                or page.bitspersample not in _PILLOW_MODES[image.mode]
            ):
                raise
            return np.asarray(image)


def encode_tiff(heights: NDArray[np.floating]) -> bytes:
    """Return a TIFF of float32, without compression, so that every reader takes it."""
    import tifffile

    largest = float(np.abs(heights).max())
    if largest > float(np.finfo(np.float32).max):
        raise must("heights", "fit float32", largest)
    file = BytesIO()
    tifffile.imwrite(file, heights.astype(np.float32), photometric="minisblack", metadata=None)
    return file.getvalue()
