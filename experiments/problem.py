"""The problem that a config states: its evaluator, its combining, its growth seeds.

Here genomes, pictures and scores meet; the loop is handed functions of bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from experiments.config import Config
from experiments.difference import Difference
from fitness import Evaluator, combine, growth_seeds
from render import Recipe, draw

__all__ = ["Problem"]


@dataclass(frozen=True, eq=False)
class Problem:
    """What a config asks to be solved.

    Parameters
    ----------
    config : Config
    """

    config: Config

    @cached_property
    def seeds(self) -> tuple[int, ...]:
        """The growth seeds that every genome of the run is scored on."""
        return growth_seeds(self.config.seed, self.config.plant.samples, "samples")

    @cached_property
    def unseen_seeds(self) -> tuple[int, ...]:
        """Growth seeds that the run never uses."""
        return growth_seeds(self.config.seed, self.config.plant.unseen_samples, "unseen")

    @cached_property
    def evaluator(self) -> Evaluator:
        """The function from genomes to scores, float64 (n, samples, k + 1)."""
        return self._evaluator(self.seeds)

    @cached_property
    def unseen(self) -> Evaluator:
        """The same on the unseen growth seeds, of which there is at least one."""
        return self._evaluator(self.unseen_seeds)

    def _evaluator(self, seeds: Sequence[int]) -> Evaluator:
        config = self.config
        return Evaluator(
            [term.score() for term in config.fitness],
            config.picture.window(),
            seeds,
            config.plant.max_circles,
            config.plant.frame,
            kernel=config.parallel.kernel_name,
        )

    def combine(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the fitness of each row of a table of scores, float64 (n,)."""
        weights = [term.weight for term in self.config.fitness]
        return combine(table, weights, self.config.plant.risk)

    @cached_property
    def distance(self) -> Difference:
        """How different two genomes look, on the first growth seed."""
        plant = self.config.plant
        kernel = self.config.parallel.kernel_name
        return Difference(self.config.picture.window(), self.seeds[0], plant.max_circles, kernel)

    def recipe(self, genome: bytes) -> Recipe:
        """Return how the saved picture of a genome is drawn: on the first growth seed."""
        picture = self.config.picture
        window = picture.saved_window()
        return Recipe(
            genome=genome,
            seed=self.seeds[0],
            max_circles=self.config.plant.max_circles,
            width=window.width,
            height=window.height,
            unit=window.unit,
            root=window.root,
            style=picture.style,
            oversample=picture.oversample,
        )

    def draw(self, recipe: Recipe) -> NDArray[np.uint8]:
        """Return the picture of a recipe, uint8 (height, width, 4)."""
        return draw(recipe, self.config.parallel.kernel_name)
