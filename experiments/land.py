"""The terrain of an experiment: the ground under its plants, their roots, and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evo.checks import must
from experiments.config import Terrain
from fitness import Evaluator
from render import (
    Window,
    diamond_square,
    ground_line,
    ground_rows,
    landscape,
    map_picture,
    midpoint_curve,
    read_heights,
    resampled,
)

__all__ = ["AtPlaces", "Land", "make_land"]


@dataclass(frozen=True, eq=False)
class Land:
    """Heights, and how they lie under a picture.

    Parameters
    ----------
    terrain : Terrain
        The section of the config.
    heights : float64 array
        A ground line of shape (n,), or a map seen from above of shape (n, m). Read-only.
    """

    terrain: Terrain
    heights: NDArray[np.float64]

    def ground(self, window: Window) -> NDArray[np.int64] | None:
        """Return the ground row of each column, read-only; None for a map seen from above."""
        if self.heights.ndim == 2:
            return None
        terrain = self.terrain
        rows = ground_rows(
            self.heights, window.width, window.height, terrain.base, terrain.amplitude
        )
        rows.flags.writeable = False
        return rows

    def seen_from_above(self, window: Window) -> NDArray[np.float64] | None:
        """Return the map on the window's pixels, read-only; None for a ground line."""
        if self.heights.ndim == 1:
            return None
        seen = resampled(self.heights, (window.height, window.width)).astype(np.float64)
        seen.flags.writeable = False
        return seen

    def windows(self, window: Window, column: int | None) -> tuple[Window, ...]:
        """Return the window of each place: the same view, its root on the ground.

        Parameters
        ----------
        window : Window
            Its root's column counts where there are no places; on a ground line its row never does.
        column : int or None
            The column that the config gives. Without it a map is rooted at its middle.
        """
        ground = self.ground(window)
        if ground is None:
            middle = (window.width // 2, window.height // 2)
            return (window if column is not None else replace(window, root=middle),)
        last = window.width - 1
        columns = [window.root[0]]
        if self.terrain.places is not None:
            columns = [min(last, int(place * window.width)) for place in self.terrain.places]
        rows = [int(ground[min(last, max(0, at))]) for at in columns]
        return tuple(replace(window, root=root) for root in zip(columns, rows, strict=True))

    def backdrop(self, width: int, height: int) -> NDArray[np.uint8]:
        """Return the land as a picture, uint8 (height, width, 3)."""
        if self.heights.ndim == 2:
            return map_picture(self.heights, (height, width))
        terrain = self.terrain
        line = ground_line(self.heights, width, height, terrain.base, terrain.amplitude)
        return landscape(width, height, line)


def make_land(terrain: Terrain) -> Land:
    """Return the land that a config asks for.

    Raises
    ------
    ValueError
        If a file does not hold one map of heights, or has no such row.
    OSError
        If it can't be read.
    """
    if terrain.kind == "curve":
        heights = midpoint_curve(terrain.iterations, terrain.roughness, rng=terrain.seed)
    elif terrain.kind == "map":
        heights = diamond_square(
            terrain.iterations,
            terrain.roughness,
            rng=terrain.seed,
            variant=terrain.variant,
            normalize="minmax",
        )
    else:
        heights = read_heights(str(terrain.file), terrain.array, fill=terrain.fill)  # type: ignore[arg-type]
    if terrain.row is not None:
        if terrain.row >= len(heights):
            raise must("terrain.row", f"be a row of the map, 0 to {len(heights) - 1}", terrain.row)
        heights = heights[terrain.row]
    kept = heights.astype(np.float64)
    kept.flags.writeable = False
    return Land(terrain, kept)


@dataclass(frozen=True, eq=False)
class AtPlaces:
    """Evaluators of the same scores at several places, as one.

    Parameters
    ----------
    evaluators : sequence of Evaluator
        One a place.
    """

    evaluators: Sequence[Evaluator]

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should be told before the run."""
        return tuple(dict.fromkeys(note for each in self.evaluators for note in each.notes))

    def __call__(self, genomes: Sequence[bytes]) -> NDArray[np.float64]:
        """Return float64 (n, places * samples, k + g + 1): all samples of the first place first."""
        return np.concatenate([each(genomes) for each in self.evaluators], axis=1)
