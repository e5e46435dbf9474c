"""Scores as a config names them: those of the fitness, and those that guide a search."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Self

from pydantic import ConfigDict, Field, model_validator

from evo.checks import must
from experiments.section import Section
from fitness import Score, make_score

__all__ = ["FitnessTerm", "GuideTerm", "Term"]

_DEEPEST = 16
"""Levels of lists and tables in a parameter of a score of one's own."""


class Term(Section):
    """A score by its name and its parameters."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True, allow_inf_nan=False)

    name: str = Field(description="a score that `evogarden fitness` lists, or package.module:name")

    @property
    def is_ours(self) -> bool:
        """Whether it is a score of the table, and not the user's own."""
        return ":" not in self.name

    @property
    def parameters(self) -> dict[str, Any]:
        """The score's parameters."""
        return dict(self.model_extra or {})

    @model_validator(mode="after")
    def _buildable(self) -> Self:
        mistakes = [
            line
            for name, value in self.parameters.items()
            for line in _unsuitable(f"{self.name}.{name}", value)
        ]
        if mistakes:
            raise ValueError("\n".join(mistakes))
        self.score()
        return self

    def score(self) -> Score:
        """Return the score itself."""
        return make_score(self.name, self.parameters)


def _unsuitable(name: str, value: object, depth: int = 0) -> Iterator[str]:
    """Yield what a run directory could not hold and give back: dates, and what is not finite."""
    if depth > _DEEPEST:
        yield str(must(name, f"be nested at most {_DEEPEST} deep", type(value).__name__))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _unsuitable(f"{name}.{key}", item, depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _unsuitable(f"{name}.{index}", item, depth + 1)
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield str(must(name, "be a finite number", value))
    elif not isinstance(value, str | int | bool):
        requirement = "be a number, a text, true, false, a list or a table"
        yield str(must(name, requirement, value))


class FitnessTerm(Term):
    """A score, and what it weighs in the fitness."""

    weight: float = Field(1.0, gt=0, description="weight in the geometric mean")


class GuideTerm(Term):
    """A score that the search `guided` looks at, at first instead of the fitness."""

    until: float = Field(
        gt=0,
        le=1,
        description="share of `evolution.cooling`, the budget, after which the next guide takes "
        "over; behind the last one it is the fitness",
    )
