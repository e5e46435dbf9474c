"""Measures of a mask that several scores share. All counts are whole numbers.

Where numba imports, compiled functions count; the numpy code beside them gives the same numbers.
They count on rows of bits: `words` is the mask as `pack` gives it, where it is there already.

Nothing here wraps round the window: what lies outside it is no plant.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from render.bits import Words, pack, shifted, unpack
from render.kernels import compiled_measures

__all__ = [
    "Mask",
    "MirrorMatch",
    "band",
    "block_sums",
    "column_counts",
    "dilate",
    "first_rows",
    "held_pixels",
    "largest_piece",
    "light_hits",
    "mirror_match",
    "mirror_overlap",
    "mirror_overlaps",
    "mirrored",
    "occupied",
    "pieces",
    "reduce_mask",
    "thick_share",
]

Mask = NDArray[np.bool_]
"""A silhouette, bool (H, W), True where the plant is."""

_EIGHT = np.ones((3, 3), np.bool_)
_CELLS = 128  # about how many cells the shorter side of a reduced mask has
_THICK = 3  # cells: radius of a disc that is massive


def band(value: float, low: float, high: float, soft: float) -> float:
    """Return 1 inside [low, high], falling linearly to 0 at a distance of `soft` outside it."""
    distance = max(low - value, value - high)
    if distance <= 0.0:
        return 1.0
    return max(0.0, 1.0 - distance / soft) if soft > 0.0 else 0.0


def occupied(mask: Mask, axis: int) -> tuple[int, int]:
    """Return the first occupied index along an axis and one past the last; the mask has ink."""
    indices = np.flatnonzero(mask.any(axis=1 - axis))
    return int(indices[0]), int(indices[-1]) + 1


def _packed(mask: Mask, words: Words | None) -> Words:
    return pack(mask) if words is None else words


def pieces(mask: Mask) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return 8-connected pieces as labels, int32 (H, W), and their sizes; label 0 is no plant."""
    labels, n = ndimage.label(mask, structure=_EIGHT)
    if n == 1:
        return labels, np.array([0, np.count_nonzero(mask)])
    return labels, np.bincount(labels[mask], minlength=n + 1)


def largest_piece(mask: Mask, words: Words | None = None) -> int:
    """Return the pixels of the largest 8-connected piece; 0 for an empty mask."""
    compiled = compiled_measures()
    if compiled is not None:
        return int(compiled.largest_piece(_packed(mask, words)))
    rows = np.flatnonzero(mask.any(axis=1))
    if not len(rows):
        return 0
    left, right = occupied(mask, 1)
    return int(pieces(mask[rows[0] : rows[-1] + 1, left:right])[1].max())


def held_pixels(
    mask: Mask, rows: NDArray[np.int64], columns: NDArray[np.int64], words: Words | None = None
) -> int:
    """Return the pixels of all 8-connected pieces that have a pixel at one of some places.

    Parameters
    ----------
    mask : bool array of shape (H, W)
    rows, columns : int64 arrays of shape (n,)
        The places, inside the window.
    """
    compiled = compiled_measures()
    if compiled is not None:
        return int(compiled.held_pixels(_packed(mask, words), rows, columns))
    labels, sizes = pieces(mask)
    held = sorted(set(labels[rows, columns].tolist()) - {0})
    return int(sizes[held].sum())


def column_counts(mask: Mask) -> NDArray[np.int64]:
    """Return the ink in each column, int64 (W,)."""
    compiled = compiled_measures()
    if compiled is not None:
        counts: NDArray[np.int64] = compiled.column_counts(mask)
        return counts
    added: NDArray[np.int64] = mask.sum(axis=0, dtype=np.int64)
    return added


def first_rows(words: Words, width: int) -> NDArray[np.int64]:
    """Return the first row with ink in each column of a mask, int64 (W,); H where there is none.

    Parameters
    ----------
    words : uint64 array
        The mask as `pack` gives it.
    width : int
    """
    compiled = compiled_measures()
    if compiled is not None:
        rows: NDArray[np.int64] = compiled.first_rows(words, width)
        return rows
    mask = unpack(words, width)
    return np.where(mask.any(axis=0), mask.argmax(axis=0), len(mask))


def light_hits(mask: Mask, shifts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many columns of light meet 0 .. H pixels, all angles together.

    Parameters
    ----------
    mask : bool array of shape (H, W)
    shifts : int64 array of shape (angles, H)
        How far each row moves to the right before columns are counted, from 0 to W - 1; what
        leaves at the right enters at the left.

    Returns
    -------
    int64 array of shape (H + 1,), adding up to angles * W
    """
    compiled = compiled_measures()
    if compiled is not None:
        hits: NDArray[np.int64] = compiled.light_hits(mask, shifts)
        return hits
    height, width = mask.shape
    rows, columns = np.nonzero(mask)
    moved = (columns + shifts[:, rows]) % width
    moved += np.arange(len(shifts))[:, None] * width  # each angle has columns of its own
    met = np.bincount(moved.ravel(), minlength=len(shifts) * width)
    return np.bincount(met, minlength=height + 1)


def block_sums(
    array: NDArray[Any], rows: int, columns: int, words: Words | None = None
) -> NDArray[np.int64]:
    """Return the sums over rows x columns blocks that tile an array of whole numbers.

    Parameters
    ----------
    array : bool or integer array of shape (H, W, ...)
        Sums over a block's rows stay below 2^31.
    rows, columns : int
        At most H and W; block i of n spans [i H // n, (i + 1) H // n).

    Returns
    -------
    int64 array of shape (rows, columns, ...)
    """
    height, width = array.shape[:2]
    compiled = compiled_measures()
    if compiled is not None and array.dtype == np.bool_ and array.ndim == 2:
        packed = _packed(array, words)
        counts: NDArray[np.int64] = compiled.block_counts(packed, width, rows, columns)
        return counts
    if height % rows or width % columns:
        starts = np.arange(columns) * width // columns
        sums = np.add.reduceat(array, starts, axis=1, dtype=np.int64)
        result: NDArray[np.int64] = np.add.reduceat(sums, np.arange(rows) * height // rows, axis=0)
        return result
    tall, wide = height // rows, width // columns
    if array.dtype == np.bool_ and array.ndim == 2:
        return _block_counts(array, tall, wide)
    strips = array[::tall].astype(np.int32)  # slices are faster than reduceat
    for k in range(1, tall):
        strips += array[k::tall]
    added = strips[:, ::wide].astype(np.int64)
    for k in range(1, wide):
        added += strips[:, k::wide]
    return added


def _block_counts(mask: Mask, tall: int, wide: int) -> NDArray[np.int64]:
    """Return the ink of blocks of tall x wide pixels, in the smallest numbers that can hold it."""
    if wide % 8 == 0:  # eight pixels are a byte, whose bits are counted
        pixels = np.bitwise_count(np.packbits(mask, axis=1))
        wide //= 8
        most = 8
    else:
        pixels, most = mask.view(np.uint8), 1
    kind = np.min_scalar_type(most * tall * wide)
    strips = pixels[::tall].astype(kind)
    for k in range(1, tall):
        strips += pixels[k::tall]
    added = strips[:, ::wide].copy()
    for k in range(1, wide):
        added += strips[:, k::wide]
    return added.astype(np.int64)


def reduce_mask(mask: Mask, factor: int, words: Words | None = None) -> Mask:
    """Return the mask at 1 / factor of its size: cells of which at least half is plant.

    Cells that reach over the right or lower border count the outside as no plant.
    """
    height, width = mask.shape
    rows, columns = -(-height // factor), -(-width // factor)
    if (rows * factor, columns * factor) != mask.shape:
        below, right = rows * factor - height, columns * factor - width
        mask, words = np.pad(mask, ((0, below), (0, right))), None
    reduced: Mask = 2 * block_sums(mask, rows, columns, words) >= factor * factor
    return reduced


def thick_share(mask: Mask, words: Words | None = None) -> float:
    """Return the share of ink in massive parts: what a disc of 1/18 of the window can paint.

    The morphological opening of the mask by a disc of 7 cells across, on a mask reduced to about
    128 cells (14 of 256 px: wider than nearly any twig at the usual scale).
    The disc must fit into plant and window. A disc, a hedge and a full canvas give 1, a twig 0.
    (The largest inscribed disc alone lets a hedge pass: it is long, and that disc is a small part.)

    Returns
    -------
    float in [0, 1]; 0 for an empty mask.

    References
    ----------
    Serra 1982, *Image Analysis and Mathematical Morphology*: granulometry by opening.
    """
    factor = max(1, min(mask.shape) // _CELLS)
    compiled = compiled_measures()
    if compiled is not None:
        n, opened = compiled.opened_counts(_packed(mask, words), mask.shape[1], factor, _THICK)
        return opened / n if n else 0.0
    cells = reduce_mask(mask, factor)
    n = int(np.count_nonzero(cells))
    if n == 0:
        return 0.0
    padded = np.pad(cells, _THICK)
    cores = ~dilate(~padded, _THICK)
    if not cores.any():
        return 0.0
    return int(np.count_nonzero(dilate(cores, _THICK))) / n


def dilate(mask: Mask, radius: int) -> Mask:
    """Return the pixels within `radius` (Euclidean, in whole px, to 63) of a pixel of the mask."""
    words = pack(mask)
    wide = words.copy()  # the mask spread over -reach .. reach columns
    result = np.zeros_like(words)
    reach = 0
    for step in range(radius, -1, -1):
        goal = int((radius * radius - step * step) ** 0.5)
        while reach < goal:
            reach += 1
            wide |= shifted(words, reach)
            wide |= shifted(words, -reach)
        if step:
            result[step:] |= wide[:-step]
            result[:-step] |= wide[step:]
        else:
            result |= wide
    return unpack(result, mask.shape[1])


def mirrored(mask: Mask, axis: int) -> Mask:
    """Return the mirror image in which column x shows column axis - x; outside, no plant.

    An axis at pixel corner c (as a root's column) is 2 c - 1; even numbers are pixel centers.
    """
    width = mask.shape[1]
    image = np.zeros_like(mask)
    first, last = max(0, axis - width + 1), min(width - 1, axis)
    if first <= last:
        image[:, first : last + 1] = mask[:, axis - last : axis - first + 1][:, ::-1]
    return image


class MirrorMatch(NamedTuple):
    """What a mirror match counts, in pixels; see `mirror_match`."""

    n: int
    matched: int
    chance: int
    height: int
    width: int


def mirror_match(
    mask: Mask, axis: int, far: Mask, radius: int, words: Words | None = None
) -> MirrorMatch:
    """Return how much of the ink in some columns lies near the mirror image of a mask.

    Parameters
    ----------
    mask : bool array of shape (H, W)
    axis : int
        See `mirrored`.
    far : bool array of shape (W,)
        The columns.
    radius : int
        How near, in px.

    Returns
    -------
    MirrorMatch
        n: ink in those columns; matched: of it, what lies within the radius of the mirror image;
        height and width of its bounding box; chance: pixels of that box within the radius.
    """
    compiled = compiled_measures()
    if compiled is not None:
        words = _packed(mask, words)
        return MirrorMatch(*compiled.mirror_counts(words, mask.shape[1], axis, far, radius))
    off = mask & far
    n = int(np.count_nonzero(off))
    if n == 0:
        return MirrorMatch(0, 0, 0, 0, 0)
    near = dilate(mirrored(mask, axis), radius)
    (top, bottom), (left, right) = occupied(off, 0), occupied(off, 1)
    chance = int(np.count_nonzero(near[top:bottom, left:right]))
    matched = int(np.count_nonzero(off & near))
    return MirrorMatch(n, matched, chance, bottom - top, right - left)


def mirror_overlap(mask: Mask, axis: int, words: Words | None = None) -> int:
    """Return the pixels that a mask shares with its mirror image."""
    compiled = compiled_measures()
    if compiled is not None:
        return int(compiled.mirror_overlap(_packed(mask, words), mask.shape[1], axis))
    return int(np.count_nonzero(mask & mirrored(mask, axis)))


def mirror_overlaps(mask: Mask, words: Words | None = None) -> NDArray[np.int64]:
    """Return the pixels that a mask shares with its mirror image, for all axes 0 .. 2 W - 2.

    In numpy the rows' convolutions with themselves, added up: exact, since the transform's error
    is far below a half.
    """
    width = mask.shape[1]
    compiled = compiled_measures()
    if compiled is not None:
        counted: NDArray[np.int64] = compiled.mirror_overlaps(_packed(mask, words), width)
        return counted
    rows = mask[mask.any(axis=1)].astype(np.float64)
    size = 1 << (2 * width - 1).bit_length()
    spectrum = np.fft.rfft(rows, size, axis=1)
    total = np.fft.irfft((spectrum * spectrum).sum(axis=0), size)
    overlaps: NDArray[np.int64] = np.rint(total[: 2 * width - 1]).astype(np.int64)
    return overlaps
