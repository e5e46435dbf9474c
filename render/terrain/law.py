"""What every generator shares: displacements, draws, the bound, and the limit on memory.

The law is that of midpoint displacement as F. Sancho Caparrini describes it ("Classical Elements
in NetLogo: Earth", 2016): d_1 is half of the world's half height, and the displacement is reduced
after each level, here by the common factor 2^-roughness. Heights are in half heights of the world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from evo.chance import Rng, as_rng
from evo.checks import LARGEST, choice, must, number, real_array, whole

__all__ = [
    "BAND",
    "FIRST",
    "MAX_BYTES",
    "START",
    "Distribution",
    "Heights",
    "Noise",
    "as_roughness",
    "displacements",
    "float_type",
    "given_heights",
    "refuse_memory",
]

START = 0.5
"""Heights that start a surface lie in (-START, START): a quarter of the world either way."""

FIRST = 0.5
"""d_1, the largest displacement of the first level: half of the world's half height."""

BAND = 1 << 16
"""Cells that are worked on at a time, so that they stay in a processor's cache; by measurement at
4097 x 4097. Heights do not depend on it."""

MAX_BYTES = 4 * 2**30
"""Memory that a generator may take unless it is told otherwise: 4 GiB."""

Heights: TypeAlias = NDArray[np.floating[Any]]
"""Heights: float64 or float32, (n,), (n_curves, n) or (height, width); row 0 is the top."""

Distribution: TypeAlias = Literal["uniform", "gaussian"]


def as_roughness(roughness: float) -> float:
    """Return a roughness: a number of at least 0, infinity included."""
    return number("roughness", roughness, low=0.0, infinite=True)


def float_type(dtype: DTypeLike) -> np.dtype[np.floating[Any]]:
    """Return float64 or float32 as a dtype; ValueError for another one."""
    try:
        found: np.dtype[Any] = np.dtype(dtype)
    except TypeError:
        raise must("dtype", "be float64 or float32", dtype) from None
    if found not in (np.dtype(np.float64), np.dtype(np.float32)):
        raise must("dtype", "be float64 or float32", dtype)
    return found


def given_heights(name: str, values: ArrayLike, dtype: np.dtype[np.floating[Any]]) -> Heights:
    """Return heights that a user gives to a generator, so small that sums of neighbors are finite.

    Raises
    ------
    ValueError
        If they are no numbers, not finite or too large for `dtype`.
    """
    array = real_array(name, values)
    most = min(LARGEST, float(np.finfo(dtype).max) / 16)
    top = float(np.abs(array).max(initial=0.0))
    if top > most:
        raise must(name, f"lie from {-most:.3g} to {most:.3g} for {dtype}", top)
    return array.astype(dtype)


def displacements(iterations: int, roughness: float) -> list[float]:
    """Return d_1 .. d_s: d_k = d_1 2^(-roughness (k - 1)), and d_1 at k = 1 for every roughness."""
    return [FIRST] + [FIRST * 2.0 ** (-roughness * k) for k in range(1, iterations)]


@dataclass(frozen=True)
class Noise:
    """Draws of one generator in one distribution and dtype.

    Parameters
    ----------
    generator : numpy Generator
    distribution : {"uniform", "gaussian"}
        Uniform over (-size, size), or normal with the same standard deviation, size / sqrt(3)
        (D. Saupe in "The Science of Fractal Images", 1988).
    """

    generator: np.random.Generator
    distribution: Distribution

    def fill(self, out: Heights, size: float) -> None:
        """Fill a C-contiguous array with draws, in the order of its memory."""
        if self.distribution == "uniform":
            self.generator.random(dtype=out.dtype, out=out)
            out -= 0.5
            out *= 2.0 * size
        else:
            self.generator.standard_normal(dtype=out.dtype, out=out)
            out *= size / math.sqrt(3.0)

    def draw(self, shape: tuple[int, ...], size: float, dtype: np.dtype[Any]) -> Heights:
        """Return a new array of draws."""
        out = np.empty(shape, dtype)
        self.fill(out, size)
        return out


def make_noise(rng: Rng, distribution: str) -> Noise:
    """Return the draws of a seed or Generator, after a check of both arguments."""
    choice("distribution", distribution, ("uniform", "gaussian"))
    return Noise(as_rng(rng), distribution)  # type: ignore[arg-type]


def readable(n_bytes: float) -> str:
    """Return a number of bytes as a text such as "4.0 GiB"."""
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if n_bytes < 1024:
            return f"{n_bytes:.4g} {unit}"
        n_bytes /= 1024
    return f"{n_bytes:.4g} TiB"


def refuse_memory(name: str, got: object, n_bytes: float, max_bytes: int) -> None:
    """Raise ValueError where more memory would be taken than is allowed.

    Parameters
    ----------
    name, got : str, object
        The argument to blame and its value.
    n_bytes : float
        What would be taken at the peak.
    max_bytes : int
        What is allowed, at least 1.
    """
    limit = whole("max_bytes", max_bytes, low=1)
    if n_bytes > limit:
        requirement = (
            f"be small enough for {readable(limit)} of memory (max_bytes) "
            f"where {readable(n_bytes)} would be taken"
        )
        raise must(name, requirement, got)
