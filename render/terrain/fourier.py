"""Spectral synthesis: a surface from random Fourier coefficients (D. Saupe, 1988)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from render.terrain.law import FIRST, Heights, Noise
from render.terrain.miller import closed

__all__ = ["spectral_cells", "spectral_map"]


def spectral_cells(iterations: int, *, wrap: bool) -> float:
    """Return how many heights are held at once at most, as measured."""
    return 3.2 * 4.0 ** min(iterations if wrap else iterations + 1, 500) + 1000


def spectral_map(
    iterations: int, roughness: float, noise: Noise, dtype: np.dtype[np.floating], *, wrap: bool
) -> Heights:
    """Return a map of 2^s + 1 rows and columns whose power falls as f^-(2 roughness + 2).

    The lowest octave of frequencies has variance d_1² / 3, and with roughness infinity its lowest
    frequency is all there is; the mean height of a period is 0. Coefficients are drawn from low to
    high frequencies, so that a seed makes the same land at each size. Without `wrap` a map of twice
    the period is made and its first quarter taken, so that opposite borders don't meet.

    Parameters
    ----------
    iterations : int
        s, at least 1.
    roughness : float
        At least 0; infinity is allowed.
    noise : Noise
    dtype : float64 or float32
    wrap : bool
        Whether the last row and column are the first ones again.
    """
    size = 2**iterations
    period = size if wrap else 2 * size
    spectrum = _coefficients(period, noise, dtype)
    power = -(min(roughness, 1e6) + 1) / 2  # 2 to the -1e6 is 0 already
    across = np.arange(period // 2 + 1, dtype=dtype) ** 2
    for row, down in enumerate(np.fft.fftfreq(period, 1 / period).astype(dtype) ** 2):
        square = across + down
        if row == 0:
            square[0] = np.inf  # no mean height
        spectrum[row] *= square ** dtype.type(power)

    octave = 4 + 4 * 4**power  # f = 1 and f = sqrt(2), four times each
    # a coefficient and its conjugate make one real wave: half of the variance, twice
    scale = period * period * FIRST / math.sqrt(3 * octave)
    heights: Heights = np.fft.irfft2(spectrum, s=(period, period))
    heights = closed(heights) if wrap else heights[: size + 1, : size + 1].copy()
    heights *= scale
    return heights


def _coefficients(
    period: int, noise: Noise, dtype: np.dtype[np.floating]
) -> NDArray[np.complexfloating]:
    """Return half a plane of white coefficients, of variance 1, as `irfft2` takes it."""
    spectrum = np.zeros((period, period // 2 + 1), np.result_type(dtype, np.complex64))

    def draw(n_rows: int, n_columns: int) -> NDArray[np.complexfloating]:
        parts = noise.draw((n_rows, n_columns, 2), math.sqrt(1.5), dtype)
        return parts.view(spectrum.dtype)[..., 0]

    for octave in range(period.bit_length() - 1):
        high = 1 << octave
        low = high // 2
        block = draw(2 * high + 1, high - low)
        spectrum[: high + 1, low + 1 : high + 1] = block[: high + 1]
        spectrum[-high:, low + 1 : high + 1] = block[high + 1 :]
        block = draw(2 * (high - low), low + 1)
        spectrum[low + 1 : high + 1, : low + 1] = block[: high - low]
        spectrum[period - high : period - low, : low + 1] = block[high - low :]
    # irfft2 takes the real part of what column 0 gives, half of its variance
    spectrum[:, 0] *= math.sqrt(2)
    return spectrum
