"""Parameters of scores: what each is, its range and its check, in one place.

A score's dataclass fields carry this as metadata; the checks, the listing of all scores and the
schema of the config are made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any

import numpy as np

from evo.checks import choice, must, number, whole

__all__ = ["Parameter", "check_parameters", "flag", "image", "option", "parameters", "real"]
__all__ += ["colors", "count", "reals"]


@dataclass(frozen=True)
class Parameter:
    """One parameter of a score.

    Parameters
    ----------
    name, description : str
    kind : {"number", "whole", "flag", "choice", "numbers", "image", "colors"}
    default : object
        MISSING (of dataclasses) where one must be given.
    low, high : float, optional
        Range, both ends included.
    options : tuple of str
        For a choice.
    """

    name: str
    description: str
    kind: str
    default: Any
    low: float | None = None
    high: float | None = None
    options: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is MISSING


def _about(kind: str, description: str, **more: Any) -> Mapping[str, Any]:
    return {"kind": kind, "description": description, **more}


def real(description: str, low: float | None, high: float | None = None) -> Mapping[str, Any]:
    """Return the metadata of a number from low to high."""
    return _about("number", description, low=low, high=high)


def count(description: str, low: int, high: int | None = None) -> Mapping[str, Any]:
    """Return the metadata of a whole number from low to high."""
    return _about("whole", description, low=low, high=high)


def flag(description: str) -> Mapping[str, Any]:
    """Return the metadata of a switch."""
    return _about("flag", description)


def option(description: str, *options: str) -> Mapping[str, Any]:
    """Return the metadata of one word of several."""
    return _about("choice", description, options=options)


def reals(description: str, low: float, high: float) -> Mapping[str, Any]:
    """Return the metadata of a list of numbers, at least one."""
    return _about("numbers", description, low=low, high=high)


def image(description: str) -> Mapping[str, Any]:
    """Return the metadata of a picture: a file's path or an array."""
    return _about("image", description)


def colors(description: str) -> Mapping[str, Any]:
    """Return the metadata of a list of colors, "#rrggbb" or three whole numbers each."""
    return _about("colors", description)


def _init_fields(score: type[Any] | Any) -> list[Field[Any]]:
    return [field for field in fields(score) if field.init]


def parameters(score: type[Any] | Any) -> tuple[Parameter, ...]:
    """Return the parameters of a score's class, in order."""
    result = []
    for field in _init_fields(score):
        about = dict(field.metadata)
        result.append(Parameter(name=field.name, default=field.default, **about))
    return tuple(result)


def _checked(label: str, parameter: Parameter, value: object) -> object:
    if value is None and parameter.default is None:
        return None
    low, high = parameter.low, parameter.high
    if parameter.kind == "number":
        return number(label, value, low, high)
    if parameter.kind == "whole":
        return whole(
            label, value, None if low is None else int(low), None if high is None else int(high)
        )
    if parameter.kind == "flag":
        if not isinstance(value, bool):
            raise must(label, "be true or false", value)
        return value
    if parameter.kind == "choice":
        return choice(label, value, parameter.options)
    if parameter.kind == "numbers":
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, tuple | list) or not value:
            raise must(label, "be a list of at least one number", value)
        return tuple(number(label, item, low, high) for item in value)
    return value  # images and colors: their score reads them


def check_parameters(score: Any, name: str) -> None:
    """Check a score's parameters in place: numbers become floats, lists tuples.

    Raises
    ------
    ValueError
        "<score>.<parameter> must ...", a line for each that is not of its kind or range.
    """
    mistakes = []
    for parameter in parameters(score):
        label = f"{name}.{parameter.name}"
        try:
            value = _checked(label, parameter, getattr(score, parameter.name))
        except ValueError as error:
            mistakes.append(str(error))
        else:
            object.__setattr__(score, parameter.name, value)
    if mistakes:
        raise ValueError("\n".join(mistakes))
