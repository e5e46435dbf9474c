"""The one table of scores, and how a config's entry becomes a score."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from evo.checks import choice, must, nearest
from fitness.base import PlantScore, Score
from fitness.own import load_own
from fitness.parameters import parameters as parameters_of
from fitness.scores.color import Palette
from fitness.scores.cover import Coverage
from fitness.scores.density import TerrainDensity
from fitness.scores.form import Balance, Branching, Complexity
from fitness.scores.light import Light
from fitness.scores.likeness import SSIM
from fitness.scores.mirror import MirrorIoU, Symmetry
from fitness.scores.shape import Silhouette
from fitness.scores.terrain import (
    TerrainBand,
    TerrainFit,
    TerrainFollow,
    TerrainRooted,
)

__all__ = ["SCORES", "make_score"]

_CLASSES: tuple[type[PlantScore], ...] = (
    Coverage,
    Symmetry,
    MirrorIoU,
    Silhouette,
    Light,
    Balance,
    Branching,
    Complexity,
    Palette,
    TerrainRooted,
    TerrainBand,
    TerrainFollow,
    TerrainFit,
    TerrainDensity,
    SSIM,
)

SCORES: Mapping[str, type[PlantScore]] = MappingProxyType({cls.name: cls for cls in _CLASSES})
"""Name -> class. `SCORES[name](**parameters)(scene)` is a float in [0, 1]."""


def make_score(name: str, parameters: Mapping[str, Any] | None = None) -> Score:
    """Return the score of a name with its parameters.

    Parameters
    ----------
    name : str
        A key of `SCORES`, or "package.module:attribute" for a callable of the user's own.
    parameters : mapping of str to values, optional
        The others keep their defaults.

    Raises
    ------
    ValueError
        If the score or a parameter is unknown (with the nearest valid one), missing, or out of its
        range: a line for each mistake.
    """
    given = {} if parameters is None else dict(parameters)
    if isinstance(name, str) and ":" in name:
        return load_own(name, given)
    score = SCORES[choice("fitness name", name, SCORES)]
    known = parameters_of(score)
    names = [parameter.name for parameter in known]
    mistakes = []
    for key in given:
        if key not in names:
            words = ", ".join(names) or "no parameters"
            requirement = f"have parameters among {words}{nearest(str(key), names)}"
            mistakes.append(must(name, requirement, key))
    lacking = [one for one in known if one.required and one.name not in given]
    for parameter in lacking:
        requirement = f"be given {parameter.name} ({parameter.description})"
        mistakes.append(must(name, requirement, sorted(given)))
    if not lacking:
        try:
            made = score(**{key: value for key, value in given.items() if key in names})
        except ValueError as error:
            mistakes.append(error)
    if mistakes:
        raise ValueError("\n".join(map(str, mistakes)))
    return made
