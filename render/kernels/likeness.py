"""Colors of a plant against a palette and a picture, compiled."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numba import types as _types
from numpy.typing import NDArray

from render.kernels.jit import Compiled, helper, inline
from render.kernels.rows import given, has_ink
from render.kernels.vector import first_bit

__all__ = ["cell_means", "palette_tally", "similarity_total"]

types: Any = _types  # numba ships no annotations
RGBA = NDArray[np.uint8]
Words = NDArray[np.uint64]
Layers = NDArray[np.int32]


def _palette_tally(rgba: Any, words: Any, distances: Any, nearest: Any, bits: Any, n: Any) -> Any:
    counts = np.zeros(n, np.int64)
    total = np.int64(0)
    drop = np.uint32(8 - bits)
    for row in range(words.shape[0]):
        for word in range(words.shape[1]):
            left = words[row, word]
            while left != 0:
                pixel = rgba[row, (word << 6) + first_bit(left)]
                left &= left - np.uint64(1)
                cell = np.int64(0)
                for channel in range(3):
                    cell = (cell << bits) + np.int64(pixel[channel] >> drop)
                total += distances[cell]
                counts[nearest[cell]] += 1
    return total, counts


@inline
def _inked(pixels: Any, mask: Any, row: Any, out: Any) -> Any:
    """Write a row's pixels to out, 0 outside the mask; return whether alphas are 0 or 255."""
    line, ink = pixels[row], mask[row]
    between = np.uint32(0)
    for column in range(line.size):
        pixel = line[column] * np.uint32(ink[column])
        out[column] = pixel
        alpha = pixel >> np.uint32(24)
        between |= np.uint32((alpha + np.uint32(1)) & np.uint32(255)) >> np.uint32(1)
    return between == 0


@inline
def _premultiply(line: Any) -> None:
    """Multiply the colors of a row, uint8 (4 W,), by alpha."""
    for pixel in range(0, line.size, 4):
        alpha = np.int64(line[pixel + 3])
        for channel in range(3):
            value = np.int64(line[pixel + channel])
            line[pixel + channel] = np.uint8((2 * value * alpha + 255) // 510)


@inline
def _add(values: Any, times: Any, out: Any) -> None:
    """Add values, once or taken off by -1, to sums."""
    for i in range(out.size):
        out[i] += np.int32(times) * np.int32(values[i])


@inline
def _fold(down: Any, low: Any, high: Any) -> Any:
    """Return the sums of red, green, blue and alpha over some columns of a row of sums."""
    red = green = blue = alpha = np.int64(0)
    for at in range(4 * low, 4 * high, 4):
        red += down[at]
        green += down[at + 1]
        blue += down[at + 2]
        alpha += down[at + 3]
    return red, green, blue, alpha


def _cell_means(pixels: Any, mask: Any, rows: Any, columns: Any, opaque: Any) -> Any:
    """Return the means in cells; pixels are uint32, (H, W), alpha in the upper byte.

    And whether all alphas are 0 or 255: if not, colors have to be multiplied by it, which `opaque`
    leaves out.
    """
    height, width = mask.shape
    inked = np.empty(width, np.uint32)
    line = inked.view(np.uint8)
    clear = True
    edges = np.array([j * width // columns for j in range(columns + 1)])
    down = np.empty(4 * width, np.int32)
    means = np.empty((4, rows, columns), np.int32)
    for i in range(rows):
        top, bottom = i * height // rows, (i + 1) * height // rows
        blank = True
        for row in range(top, bottom):
            blank &= not has_ink(mask, row)
        if blank:
            means[:, i] = 0
            continue
        down[:] = 0
        if opaque:
            for row in range(top, bottom):
                clear &= _inked(pixels, mask, row, inked)
                _add(line, 1, down)
        else:
            for row in range(top, bottom):
                _inked(pixels, mask, row, inked)
                _premultiply(line)
                _add(line, 1, down)
        for j in range(columns):
            low, high = edges[j], edges[j + 1]
            n = (bottom - top) * (high - low)
            # A quotient that is not whole is farther from a whole one than a float rounds.
            share = 2.0 * n
            red, green, blue, alpha = _fold(down, low, high)
            means[0, i, j] = np.int32(np.float64(2 * red + n) / share)
            means[1, i, j] = np.int32(np.float64(2 * green + n) / share)
            means[2, i, j] = np.int32(np.float64(2 * blue + n) / share)
            means[3, i, j] = np.int32(np.float64(2 * alpha + n) / share)
    return means, clear


@inline
def _mirrored(i: Any, n: Any) -> Any:
    """Return the place from 0 to n - 1 that a place beyond the border shows."""
    return min(max(i, -1 - i), 2 * n - 1 - i)


@inline
def _widened(line: Any, half: Any, out: Any) -> None:
    """Write a row to out, mirrored at its ends."""
    n = line.size
    inner = out[half : half + n]
    for j in range(n):
        inner[j] = line[j]
    for j in range(half):
        out[half - 1 - j] = line[_mirrored(-1 - j, n)]
        out[half + n + j] = line[_mirrored(n + j, n)]


@helper
def _products(a: Any, b: Any, half: Any) -> Any:
    """Return a, a² and a b of all layers, row by row: (rows, 3, layers, columns + 2 half).

    Columns are mirrored at the border.
    """
    n_layers, rows, columns = a.shape
    wide = columns + 2 * half
    out = np.empty((rows, 3, n_layers, wide), np.int32)
    other = np.empty(wide, np.int32)
    for row in range(rows):
        for layer in range(n_layers):
            one, squares, both = out[row, 0, layer], out[row, 1, layer], out[row, 2, layer]
            _widened(a[layer, row], half, one)
            _widened(b[layer, row], half, other)
            for j in range(wide):
                squares[j] = one[j] * one[j]
                both[j] = one[j] * other[j]
    return out


@inline
def _similarity(s: Any, t: Any, squares: Any, both: Any, n: Any, c1: Any, c2: Any) -> Any:
    """Return the similarity of two windows of n cells.

    Of the sums s and t of both, the sum of both's squares, and the sum of products.
    """
    means = (np.float64(2 * s * t) + c1) / (np.float64(s * s + t * t) + c1)
    together = np.float64(2 * (n * both - s * t)) + c2
    return means * (together / (np.float64(n * squares - s * s - t * t) + c2))


def _similarity_total(
    a: Any, b: Any, b_sums: Any, b_squares: Any, half: Any, c1: Any, c2: Any, fine: Any
) -> Any:
    """Return the sum of similarities, with windows that move down row by row."""
    n_layers, rows, columns = a.shape
    n = (2 * half + 1) * (2 * half + 1)
    products = _products(a, b, half)
    flat = products.reshape(rows, products.size // rows)
    down = np.zeros(flat.shape[1], np.int32)
    sums = np.zeros((3, n_layers, columns + 2 * half), np.int32)
    across = sums.reshape(-1)
    m = across.size - 2 * half  # the last window of a row ends here
    for row in range(-half, half):
        _add(flat[_mirrored(row, rows)], 1, down)
    total = np.int64(0)
    n_cells = 0
    for i in range(rows):
        _add(flat[_mirrored(i + half, rows)], 1, down)
        across[:] = 0
        for k in range(2 * half + 1):
            _add(down[k : k + m], 1, across[:m])
        _add(flat[_mirrored(i - half, rows)], -1, down)
        for j in range(columns):
            if a[3, i, j] <= 0 and b[3, i, j] <= 0:
                continue
            n_cells += n_layers
            for layer in range(n_layers):
                s, t = np.int64(sums[0, layer, j]), np.int64(b_sums[layer, i, j])
                squares = np.int64(sums[1, layer, j]) + np.int64(b_squares[layer, i, j])
                both = np.int64(sums[2, layer, j])
                value = _similarity(s, t, squares, both, n, c1, c2)
                total += np.int64(np.rint(value * fine))
    return total, n_cells


_RGBA = types.Array(types.uint8, 3, "C", readonly=True)
_PIXELS = types.Array(types.uint32, 2, "C", readonly=True)
_MASK = types.Array(types.uint8, 2, "C", readonly=True)
_WORDS = types.Array(types.uint64, 2, "C", readonly=True)
_U16 = types.Array(types.uint16, 1, "C", readonly=True)
_U8 = types.Array(types.uint8, 1, "C", readonly=True)
_LAYERS = types.Array(types.int32, 3, "C", readonly=True)
_I64, _F64 = types.int64, types.float64
_palette = Compiled(_palette_tally, (_RGBA, _WORDS, _U16, _U8, _I64, _I64))
_means = Compiled(_cell_means, (_PIXELS, _MASK, _I64, _I64, types.boolean))
_totals = Compiled(_similarity_total, (*(_LAYERS,) * 4, _I64, _F64, _F64, _F64))

COMPILED = (_palette, _means, _totals)


def palette_tally(
    rgba: RGBA,
    words: Words,
    distances: NDArray[np.uint16],
    nearest: NDArray[np.uint8],
    bits: int,
    n: int,
) -> tuple[int, NDArray[np.int64]]:
    """Return the sum over the ink of its cells' distances, and the ink by nearest color, (n,).

    A pixel's cell has the upper bits of red, green and blue as its number.
    """
    tables = given(distances), given(nearest)
    total, counts = _palette(given(rgba), given(words), *tables, bits, n)
    return int(total), cast(NDArray[np.int64], counts)


def cell_means(rgba: RGBA, mask: NDArray[np.bool_], rows: int, columns: int) -> Layers:
    """Return the means of premultiplied colors and of alpha in cells, int32 (4, rows, columns)."""
    pixels = given(rgba).view("<u4")[:, :, 0].astype(np.uint32, copy=False)
    given_ = given(pixels), given(mask).view(np.uint8), rows, columns
    means, opaque = _means(*given_, True)
    if not opaque:
        means, _ = _means(*given_, False)
    return cast(Layers, means)


def similarity_total(
    a: Layers,
    b: Layers,
    b_sums: Layers,
    b_squares: Layers,
    window: int,
    c1: float,
    c2: float,
    fine: float,
) -> tuple[int, int]:
    """Return the sum of the similarities of two pictures, each times `fine` and rounded.

    And how many there are: of all layers, the cells where the last layer of either is above 0.
    """
    layers = given(a), given(b), given(b_sums), given(b_squares)
    total, n = _totals(*layers, window // 2, c1, c2, fine)
    return int(total), int(n)
