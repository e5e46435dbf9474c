"""How a creeping plant fits the map it grows over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from evo.checks import must
from fitness.base import PlantScore
from fitness.measures import band, block_sums
from fitness.parameters import real
from fitness.scene import Scene

__all__ = ["TerrainDensity"]

_CELL = 8  # px


@dataclass(frozen=True)
class TerrainDensity(PlantScore):
    """A creeping plant grows where a map seen from above suits it.

    Sum over cells of min(p, q) / (1 + (3 x)²), p = the cell's share of the ink, q = its share of
    suitability, band(height; low, high, soft) * clip(1 - slope / slope_max), both adding up to 1:
    the intersection of two histograms (Swain and Ballard 1991, doi:10.1007/BF00130487).
    Cells are 8 x 8 px; their height is the mean of the map.

    x = how far the ink strays: 0 where it is as well placed as ink that is spread by q, 1 where it
    is no better placed than an even cover. With t = q / its maximum, x = max(0, sum(q t) -
    sum(p t)) / max(.2, sum(q t) - mean(t)). Without it an even cover of a map most of which suits
    scores .7; the .2 lets it, where nearly all of the map does.
    """

    name: ClassVar[str] = "terrain_density"
    needs: ClassVar[frozenset[str]] = frozenset({"mask", "heights"})

    low: float = field(default=0.3, metadata=real("lowest height that suits, as in the map", None))
    high: float = field(default=0.6, metadata=real("largest height that suits", None))
    soft: float = field(
        default=0.1, metadata=real("suitability falls to 0 this far outside low to high", 0)
    )
    slope_max: float = field(
        default=4.0,
        metadata=real("slope at which nothing grows, in heights per width of the window", 1e-9),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.low > self.high:
            need = f"be at most terrain_density.high ({self.high})"
            raise must("terrain_density.low", need, self.low)

    def suitability(self, heights: NDArray[Any]) -> NDArray[np.float64]:
        """Return the suitability of each cell, float64, adding up to 1.

        Raises
        ------
        ValueError
            If no cell suits.
        """
        height, width = heights.shape
        row_starts = np.arange(_n_cells(height)) * height // _n_cells(height)
        column_starts = np.arange(_n_cells(width)) * width // _n_cells(width)
        sums = np.add.reduceat(heights.astype(np.float64), row_starts, axis=0)
        sums = np.add.reduceat(sums, column_starts, axis=1)
        rows = np.diff(row_starts, append=height)
        columns = np.diff(column_starts, append=width)
        cells = sums / np.outer(rows, columns)
        steps = (height / _n_cells(height), width / _n_cells(width))  # px from cell to cell
        squares = np.zeros_like(cells)
        for axis, step in enumerate(steps):
            if cells.shape[axis] > 1:
                rise = np.gradient(cells, axis=axis) * (width / step)
                squares = squares + rise * rise
        slope = np.sqrt(squares)
        flat = np.clip(1.0 - slope / self.slope_max, 0.0, 1.0)
        bands = [band(value, self.low, self.high, self.soft) for value in cells.ravel().tolist()]
        suits: NDArray[np.float64] = np.array(bands).reshape(cells.shape) * flat
        total = float(suits.sum())
        if total == 0.0:
            found = f"heights from {cells.min():.4g} to {cells.max():.4g}, slopes from "
            found += f"{slope.min():.4g} to {slope.max():.4g}"
            wanted = f"{self.low:g} to {self.high:g} (soft {self.soft:g})"
            wanted += f" and a slope below {self.slope_max:g}"
            raise must("terrain_density", f"be met by a cell: {wanted}", found)
        return suits / total

    def _suits(self, scene: Scene) -> NDArray[np.float64]:
        heights: Any = scene.heights
        return self._once((heights,), lambda: self.suitability(heights))

    def prepare(self, blank: Scene) -> tuple[str, ...]:
        """Refuse a map without a cell that suits."""
        self._suits(blank)
        return ()

    def value(self, scene: Scene) -> float:
        """Return the sum of min(p, q) / (1 + (3 x)²)."""
        suits = self._suits(scene)
        shares = block_sums(scene.mask, *suits.shape) / scene.area
        relative = suits / suits.max()
        best = float((suits * relative).sum())
        strays = max(0.0, best - float((shares * relative).sum()))
        strays /= max(0.2, best - float(relative.mean()))
        return float(np.minimum(shares, suits).sum()) / (1.0 + 9.0 * strays * strays)


def _n_cells(size: int) -> int:
    return max(1, size // _CELL)
