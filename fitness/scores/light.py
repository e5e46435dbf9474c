"""How much light a plant catches."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from evo.checks import must
from fitness.base import PlantScore
from fitness.measures import light_hits
from fitness.parameters import real, reals
from fitness.portable import exp
from fitness.scene import Scene

__all__ = ["Light"]


@dataclass(frozen=True)
class Light(PlantScore):
    """The plant catches light from several directions.

    Light falls through the window along W parallel columns, sheared by an angle; one that meets n
    pixels of the plant gives it 1 - exp(-k n / depth) (Beer and Lambert's law for a canopy; Monsi
    and Saeki 1953, doi:10.1093/aob/mci052). The score is the mean over angles and columns,
    * (1 - blob) * piece. A column that leaves at one side enters at the other, as if the same
    plant stood on both sides: neighbors shade each other, and no angle has more columns than W.
    """

    name: ClassVar[str] = "light"
    needs: ClassVar[frozenset[str]] = frozenset({"mask"})

    angles: tuple[float, ...] = field(
        default=(-50.0, -25.0, 0.0, 25.0, 50.0),
        metadata=reals("directions of the light, degrees from upright", -80, 80),
    )
    k: float = field(default=0.5, metadata=real("extinction: how dense a pixel is", 0, 100))
    depth: float = field(default=4.0, metadata=real("pixels that count as one layer", 0.01, 1e6))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k == 0.0:
            raise must("light.k", "be above 0", self.k)

    def _tables(self, height: int, width: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return how far each row moves to the right, (angles, H), and the light n pixels catch."""
        above = np.arange(height - 0.5, 0.0, -1.0)
        shifts = [np.rint(above * math.tan(math.radians(angle))) for angle in self.angles]
        caught = [1.0 - exp(-min(700.0, self.k * n / self.depth)) for n in range(height + 1)]
        return np.array(shifts, np.int64) % width, np.array(caught)

    def value(self, scene: Scene) -> float:
        """Return the mean light caught * (1 - blob) * piece."""
        height, width = map(int, scene.mask.shape)
        shifts, caught = self._once((height, width), lambda: self._tables(height, width))
        hits = light_hits(scene.mask, shifts)
        light = math.fsum((hits * caught).tolist()) / (width * len(self.angles))
        return light * (1.0 - scene.blob) * scene.piece
