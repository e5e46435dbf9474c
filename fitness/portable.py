"""Logarithm, exponential and power from the operations that IEEE 754 rounds correctly.

Those of numpy and of the C library differ between processors by a last bit. These use only
+, -, *, / and square roots, one at a time, so scores and fitness are the same bits everywhere.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["exp", "ln", "power", "whole_ln"]

_LN2_HIGH = 0.6931471803691238  # ln 2 in two parts: k * high is exact for the k met here
_LN2_LOW = 1.9082149292705877e-10
_SQRT_HALF = 0.7071067811865476
_LN_TERMS = 13
_EXP_TERMS = 18
_POWER_BITS = 53


def ln(x: float) -> float:
    """Return the natural logarithm of a positive finite number, within 2 units in the last place.

    With x = m 2^e and z = (m - 1) / (m + 1): ln x = e ln 2 + 2 (z + z³/3 + z⁵/5 + ...).
    """
    mantissa, exponent = math.frexp(x)
    if mantissa < _SQRT_HALF:
        mantissa, exponent = 2.0 * mantissa, exponent - 1
    z = (mantissa - 1.0) / (mantissa + 1.0)
    square = z * z
    series = 0.0
    for k in range(_LN_TERMS - 1, -1, -1):
        series = series * square + 1.0 / (2 * k + 1)
    return exponent * _LN2_HIGH + (2.0 * z * series + exponent * _LN2_LOW)


@lru_cache(maxsize=2**16)
def whole_ln(n: int) -> float:
    """Return the natural logarithm of a positive whole number, as `ln` does; it is kept."""
    return ln(n)


def exp(x: float) -> float:
    """Return e to a number from -700 to 700, within 2 units in the last place.

    With x = k ln 2 + r: e^x = 2^k (1 + r + r²/2! + ...).
    """
    k = round(x / (_LN2_HIGH + _LN2_LOW))
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    series = 1.0
    for term in range(_EXP_TERMS, 0, -1):
        series = 1.0 + r * series / term
    return math.ldexp(series, k)


def power(base: NDArray[np.float64], exponent: float) -> NDArray[np.float64]:
    """Return base^exponent, elementwise, within about 1e-14 of the value.

    The exponent is read in binary: x^(b1/2 + b2/4 + ...) is the product of the repeated square
    roots of x whose bit is 1. Exponents 1 and 1/2 give x and sqrt(x) to the last bit.

    Parameters
    ----------
    base : float64 array of any shape
        Above 0; the bits of an exponent below 2^-54 are not seen, so that 0 gives 1 there.
    exponent : float in [0, 1]
    """
    if exponent >= 1.0:
        return base.copy()
    bits = round(exponent * 2**_POWER_BITS)
    root, result = base, np.ones_like(base)
    for position in range(_POWER_BITS - 1, -1, -1):
        root = np.sqrt(root)
        if bits >> position & 1:
            result = result * root
    return result
