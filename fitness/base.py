"""What every score is, and the rules that all scores of the table keep."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Protocol, TypeVar

from evo.checks import must
from fitness.parameters import check_parameters
from fitness.scene import Scene

__all__ = ["NEEDS", "PlantScore", "Score"]

T = TypeVar("T")

NEEDS = frozenset({"mask", "rgba", "ground", "heights", "summary", "circles"})
"""The parts of a scene that a score may say it needs."""


class Score(Protocol):
    """A pure function of one scene, higher is better."""

    @property
    def name(self) -> str:
        """Name in the table, or "package.module:attribute"."""

    @property
    def needs(self) -> frozenset[str]:
        """Parts of a scene that it reads, of `NEEDS`."""

    def prepare(self, blank: Scene) -> tuple[str, ...]:
        """Get ready for plants in a window, and return what the user should be told."""

    def __call__(self, scene: Scene) -> float:
        """Return the score."""


class PlantScore(ABC):
    """A score of the table: a frozen dataclass of its parameters.

    Called with a scene it gives a float in [0, 1]; an empty plant gives 0. A subclass says its
    name, its needs and, in `value`, its formula for a plant that has ink.
    """

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]]
    alone: ClassVar[bool] = True
    """Whether it refuses cheats without the help of another score, with its usual parameters."""

    def __post_init__(self) -> None:
        check_parameters(self, self.name)

    def prepare(self, blank: Scene) -> tuple[str, ...]:
        """Get ready for plants in a window.

        Called once, before the first plant; work that is the same for all plants (a target's
        distances) is done here and kept. A score that was not prepared prepares itself.

        Parameters
        ----------
        blank : Scene
            The window without a plant, with ground and heights.

        Returns
        -------
        Sentences that the user should read, such as that a target was resized.

        Raises
        ------
        ValueError
            If no plant could ever score in this window.
        """
        return ()

    def __call__(self, scene: Scene) -> float:
        """Return the score of a scene, a float in [0, 1]; 0 for an empty plant.

        Raises
        ------
        ValueError
            If the scene lacks what the score needs.
        """
        for need in sorted(self.needs):
            if getattr(scene, need) is None:
                raise must("scene", f"have {need} for the score {self.name}", None)
        if scene.area == 0:
            return 0.0
        value = self.value(scene)
        # What is not finite is passed on, for the run to count: a clip would hide it.
        return min(1.0, max(0.0, value)) if math.isfinite(value) else value

    def _once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """Return what `make` gives, made again only when the key is another one.

        The last result is kept. Parts of the key are compared by identity, whole numbers by value:
        the read-only arrays of a run are the same object in all its scenes.
        """
        kept = vars(self).get("_kept")
        if kept is not None and len(kept[0]) == len(key):
            pairs = zip(kept[0], key, strict=True)
            if all(old is new or (isinstance(old, int) and old == new) for old, new in pairs):
                result: T = kept[1]
                return result
        result = make()
        object.__setattr__(self, "_kept", (key, result))
        return result

    @abstractmethod
    def value(self, scene: Scene) -> float:
        """Return the score of a plant that has at least one pixel."""
