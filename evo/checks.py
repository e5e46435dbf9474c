"""Checks of arguments, and the one form that their messages take.

Every package uses these at its boundary; nothing here knows what is checked.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from difflib import get_close_matches

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "FAILURES",
    "LARGEST",
    "as_float",
    "choice",
    "describe",
    "must",
    "nearest",
    "number",
    "real_array",
    "whole",
]

FAILURES = (Exception, SystemExit, GeneratorExit)
"""What code of the user's may fail with: one that exits fails, and does not end the program."""

LARGEST = 1e100
"""The largest number of an array, without its sign: sums of its square stay finite."""

_LONGEST = 80


def describe(value: object) -> str:
    """Return a value as a message shows it: arrays by dtype and shape, long texts cut short."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of {value.dtype} {value.shape}"
    if isinstance(value, bytes | bytearray) and len(value) > 16:
        return f"{len(value)} bytes"
    if isinstance(value, np.generic):
        value = value.item()
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  # too many digits, too deep, or an object's own fault
        return f"a value of type {type(value).__name__} that cannot be shown"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def must(name: str, requirement: str, got: object) -> ValueError:
    """Return the error "<name> must <requirement>, got <value>", for the caller to raise."""
    return ValueError(f"{name} must {requirement}, got {describe(got)}")


def nearest(word: str, words: Iterable[str]) -> str:
    """Return the nearest of some valid words as a hint such as " (nearest: 'size')", or ""."""
    found = get_close_matches(word, list(words), n=1, cutoff=0.5)
    return f" (nearest: {found[0]!r})" if found else ""


def _range(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f" from {low} to {high}"
    if low is not None:
        return f" of at least {low}"
    return f" of at most {high}" if high is not None else ""


def _within(value: float, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def whole(name: str, value: object, low: int | None = None, high: int | None = None) -> int:
    """Return a whole number as an int.

    Parameters
    ----------
    name : str
        What the message calls the value.
    value : int or numpy integer
        A bool or a float is refused, 5.0 too.
    low, high : int, optional
        Both ends belong to the range.

    Raises
    ------
    ValueError
        If the value is not a whole number of the range.
    """
    if type(value) is int and _within(value, low, high):
        return value  # what nearly every call is about
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise must(name, f"be a whole number{_range(low, high)}", value)
    result = operator.index(value)
    if not _within(result, low, high):
        raise must(name, f"be a whole number{_range(low, high)}", value)
    return result


def number(
    name: str,
    value: object,
    low: float | None = None,
    high: float | None = None,
    *,
    infinite: bool = False,
) -> float:
    """Return a real number as a float.

    Parameters
    ----------
    name : str
        What the message calls the value.
    value : int, float, or numpy scalar
        A bool is refused; NaN always; an infinity unless `infinite`.
    low, high : float, optional
        Both ends belong to the range.
    infinite : bool
        Whether an infinity may pass.

    Raises
    ------
    ValueError
        If the value is not a number of the range.
    """
    if type(value) is float and math.isfinite(value) and _within(value, low, high):
        return value  # what nearly every call is about
    kind = "number" if infinite else "finite number"
    requirement = f"be a {kind}{_range(low, high)}"
    if isinstance(value, bool | np.bool_) or not isinstance(
        value, int | float | np.integer | np.floating
    ):
        raise must(name, requirement, value)
    try:
        result = float(value)
    except OverflowError:  # an int that no float can hold
        raise must(name, requirement, value) from None
    if math.isnan(result) or (math.isinf(result) and not infinite):
        raise must(name, requirement, value)
    if not _within(result, low, high):
        raise must(name, requirement, value)
    return result


def as_float(name: str, value: object) -> float:
    """Return what a user's function gave as a float.

    An int, a float, a truth value (1 or 0), a numpy scalar or a 0-d array.

    Raises
    ------
    ValueError
        If it is something else, or no float can hold it.
    """
    item = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
    kinds = int | float | np.bool_ | np.integer | np.floating
    if isinstance(item, np.timedelta64) or not isinstance(item, kinds):
        raise must(name, "return a number", value)
    try:
        return float(item)
    except OverflowError:
        raise must(name, "return a number that a float can hold", value) from None


def choice(name: str, value: object, options: Iterable[str]) -> str:
    """Return a word that is one of the options, or raise ValueError with the nearest one."""
    words = list(options)
    if isinstance(value, str) and value in words:
        return value
    hint = nearest(value, words) if isinstance(value, str) else ""
    raise must(name, f"be one of {', '.join(map(repr, words))}{hint}", value)


def real_array(
    name: str,
    values: ArrayLike,
    *,
    ndim: int | None = None,
    least: int = 1,
    shape: tuple[int, ...] | None = None,
) -> NDArray[np.floating]:
    """Return real numbers as an array of floats; float64 and float32 arrays as they are.

    Parameters
    ----------
    name : str
        What the message calls the values.
    values : array of real numbers
        Finite, of at most `LARGEST` without their sign. Whole numbers beyond 2^53, and wider
        floats that float64 can't hold, are refused: nothing is rounded.
    ndim : int, optional
        Dimensions that it must have, each of at least `least`.
    least : int
    shape : tuple of int, optional
        The shape that it must have.

    Raises
    ------
    ValueError
        If the values are something else.
    """
    try:
        array = np.asarray(values)
    except ValueError:  # rows of several lengths
        raise must(name, "be real numbers", values) from None
    if array.dtype.kind not in "iuf":
        raise must(name, "be real numbers", values)
    if shape is not None and array.shape != shape:
        raise must(name, f"have shape {shape}", array)
    if ndim is not None and (array.ndim != ndim or min(array.shape, default=least) < least):
        dimensions = "one dimension" if ndim == 1 else f"{ndim} dimensions, each"
        raise must(name, f"have {dimensions} of at least {least}", array)
    if array.size == 0:
        return array.astype(np.float64)
    low, high = float(array.min()), float(array.max())
    if not (low >= -LARGEST and high <= LARGEST):  # NaN too
        if not np.isfinite(array).all():
            raise must(name, "be finite", f"{np.count_nonzero(~np.isfinite(array))} that are not")
        got = low if -low > high else high
        raise must(name, f"lie from {-LARGEST:g} to {LARGEST:g}", got)
    if array.dtype == np.float64 or array.dtype == np.float32:
        return array
    floats = array.astype(np.float64)
    exact = (floats == array).all() if array.dtype.kind == "f" else max(-low, high) <= 2.0**53
    if not exact:
        raise must(name, "be numbers that float64 holds (whole ones up to 2^53)", array)
    return floats
