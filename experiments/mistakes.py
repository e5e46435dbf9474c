"""What is wrong with a config, in the one form: dotted key, what it must be, what was there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from pydantic import BaseModel, ValidationError

from evo.checks import describe, nearest
from experiments.config import Config

__all__ = ["mistakes"]

_REQUIREMENTS = {
    "int_type": "be a whole number",
    "int_from_float": "be a whole number",
    "float_type": "be a number",
    "finite_number": "be a finite number",
    "string_type": "be a text",
    "bool_type": "be true or false",
    "tuple_type": "be a list",
    "model_type": "be a table",
    "model_attributes_type": "be a table",
    "missing": "be given",
    "greater_than_equal": "be at least {ge}",
    "greater_than": "be more than {gt}",
    "less_than_equal": "be at most {le}",
    "literal_error": "be {expected}",
    "too_short": "have at least {min_length}",
    "too_long": "have at most {max_length}",
    "string_too_short": "have at least {min_length} character",
    "string_too_long": "have at most {max_length} characters",
}
"""Kind of a pydantic error -> what the value must be or do."""


def mistakes(error: ValidationError) -> Iterator[str]:
    """Yield a line for each mistake that pydantic found in a config."""
    for item in error.errors():
        key = ".".join(map(str, item["loc"]))
        kind, value = item["type"], item["input"]
        if kind == "value_error":
            # Ours, in the one form already; it names the last part of the key itself.
            last = key.rpartition(".")[2]
            for text in str(item["ctx"]["error"]).splitlines():
                named = text.startswith(f"{last} ")
                rest = text.removeprefix(last)
                yield f"{key}{rest}" if named else f"{key}: {text}" if key else text
        elif kind == "extra_forbidden":
            word, known = str(item["loc"][-1]), _known_keys(item["loc"][:-1])
            hint = _elsewhere(word) or nearest(word, known)
            yield f"{key} must be a known key{hint}, got {describe(value)}"
        elif kind == "missing":
            yield f"{key} must be given, got nothing"
        else:
            requirement = _REQUIREMENTS.get(kind)
            said = requirement.format(**item.get("ctx", {})) if requirement else item["msg"]
            yield f"{key} must {said}, got {describe(value)}"


def _elsewhere(word: str) -> str:
    """Return a hint of the section that has such a key, or ""."""
    for section in Config.model_fields:
        if word in _known_keys((section,)):
            return f" (nearest: '{section}.{word}')"
    return ""


def _known_keys(place: tuple[int | str, ...]) -> list[str]:
    model: type[BaseModel] = Config
    for part in place:
        annotation = model.model_fields[str(part)].annotation
        for found in (annotation, *get_args(annotation)):  # a table may be left out
            if isinstance(found, type) and issubclass(found, BaseModel):
                model = found
    return list(model.model_fields)
