"""The problem that a config states: its evaluator, its combining, its growth seeds.

Here genomes, pictures and scores meet; the loop is handed functions of bytes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evo.checks import must
from experiments.config import Config, ConfigError
from experiments.difference import Difference
from experiments.land import AtPlaces, Land, make_land
from fitness import Evaluator, combine, growth_seeds, separate
from render import Recipe, Window, draw, over, warm
from render.kernels.model import frame_floor

__all__ = ["Problem"]

_LINE = 4 * 256
"""Least diameter of what is drawn into a scene, 1/256 px of the world."""


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
    def land(self) -> Land | None:
        """What plants stand on; ConfigError where a file can't be used."""
        terrain = self.config.terrain
        if terrain is None:
            return None
        try:
            return make_land(terrain)
        except OSError as error:
            reason = error.strerror or str(error)
            needed = f"terrain.file must be a readable file, got {terrain.file!r} ({reason})"
            raise ConfigError(needed) from error
        except ValueError as error:
            raise ConfigError(str(error)) from error

    @cached_property
    def windows(self) -> tuple[Window, ...]:
        """The windows that the scores look through, one a place."""
        window, root = self.config.picture.window(), self.config.picture.root
        if self.land is None:
            return (window,)
        return self.land.windows(window, None if root is None else root[0])

    @cached_property
    def evaluator(self) -> Evaluator | AtPlaces:
        """The function from genomes to scores, float64 (n, places * samples, k + g + 1).

        The scores of the fitness, those of the guides, and the frame factor.
        """
        return self._evaluator(self.seeds)

    def prepare(self) -> tuple[str, ...]:
        """Make ready what the scores and the kernel need, and return what a person should know.

        To be called before anything else is made. Workers load what is compiled here, once.

        Raises
        ------
        ConfigError
            When a target cannot be used, or the kernel does not import here.
        """
        notes = self.evaluator.notes
        if self.config.is_pareto and len({term.weight for term in self.config.fitness}) > 1:
            notes += ("weights are without effect with pareto: each score stands for itself",)
        began = time.monotonic()
        try:
            compiled = warm(self.config.parallel.kernel_name)
        except ValueError as error:
            raise ConfigError(f"parallel.{error}") from error
        if compiled:
            seconds = time.monotonic() - began
            notes += (f"compiled the kernel in {seconds:.0f} s, kept for later runs where it can",)
        return notes

    @cached_property
    def unseen(self) -> Evaluator | AtPlaces:
        """The same on the unseen growth seeds, of which there is at least one."""
        return self._evaluator(self.unseen_seeds)

    def _evaluator(self, seeds: Sequence[int]) -> Evaluator | AtPlaces:
        config, land, first = self.config, self.land, self.windows[0]
        ground = land.ground(first) if land else None
        heights = land.seen_from_above(first) if land else None
        try:
            evaluators = [
                Evaluator(
                    [term.score() for term in config.fitness],
                    window,
                    seeds,
                    config.plant.max_circles,
                    config.plant.frame,
                    ground=ground,
                    heights=heights,
                    kernel=config.parallel.kernel_name,
                    guides=[term.score() for term in config.guides],
                )
                for window in self.windows
            ]
        except ValueError as error:  # a score that lacks what it looks at, or no plant could meet
            raise ConfigError(str(error)) from error
        return evaluators[0] if len(evaluators) == 1 else AtPlaces(evaluators)

    def combine(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the fitness of each row of a table of scores, float64 (n,), or (n, scores)."""
        if self.config.is_pareto:
            return separate(self.without_guides(table), self.config.plant.risk)
        return self._weighted(table)

    def _weighted(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        weights = [term.weight for term in self.config.fitness]
        return combine(self.without_guides(table), weights, self.config.plant.risk)

    def without_guides(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the columns of the fitness's scores, and last that of the frame factor."""
        n = len(self.config.fitness)
        return np.delete(table, slice(n, n + len(self.config.guides)), axis=-1)

    @cached_property
    def distance(self) -> Difference:
        """How different two genomes look, on the first growth seed."""
        plant = self.config.plant
        kernel = self.config.parallel.kernel_name
        return Difference(self.windows[0], self.seeds[0], plant.max_circles, kernel)

    def recipe(self, genome: bytes, place: int = 0) -> Recipe:
        """Return how the saved picture of a genome is drawn, at a place.

        It grows on the first growth seed at the first place, and on others at the next ones.
        """
        picture = self.config.picture
        window, zoom = picture.saved_window(), picture.zoom
        column, row = self.windows[place].root
        window = replace(window, root=(column * zoom, row * zoom))
        return Recipe(
            genome=genome,
            seed=self.seeds[place % len(self.seeds)],
            max_circles=self.config.plant.max_circles,
            width=window.width,
            height=window.height,
            unit=window.unit,
            root=window.root,
            style=picture.style,
            oversample=picture.oversample,
        )

    @cached_property
    def backdrop(self) -> NDArray[np.uint8] | None:
        """The land at the size of the saved pictures, uint8 (height, width, 3)."""
        window = self.config.picture.saved_window()
        return self.land.backdrop(window.width, window.height) if self.land else None

    def scene(self, genomes: Sequence[bytes]) -> NDArray[np.uint8]:
        """Return a picture of the land with a genome at each place, uint8 (height, width, 3).

        Plants that stand higher up are farther back. Their twigs are at least 4 px of the world
        wide where the scores see them so: a little more than an agent's step, so that they are
        lines at any zoom and not rows of dots.

        Raises
        ------
        ValueError
            If the problem has no terrain.
        """
        if self.backdrop is None:
            raise must("terrain", "be in the config", None)
        by_row = sorted(range(len(self.windows)), key=lambda place: self.windows[place].root[1])
        least = min(_LINE, frame_floor(self.windows[0].unit))
        recipes = [self.recipe(genomes[place], place) for place in by_row]
        plants = [self.draw(replace(recipe, least_diameter=least)) for recipe in recipes]
        return over(self.backdrop, *plants)

    def best_places(self, tables: Sequence[NDArray[np.float64]]) -> list[int]:
        """Return which of some genomes stands at each place in the garden, by its index.

        The best pair of a place and a genome comes first, then the best of what is left; a genome
        stands at a second place only when all have one.

        Parameters
        ----------
        tables : sequence of float64 arrays of shape (places * samples, k + 1)
            The scores of each genome, at least one.
        """
        n = len(self.windows)
        each = np.stack([np.split(table, n) for table in tables])  # genome, place, sample, score
        values = np.stack([self._weighted(each[:, place]) for place in range(n)])
        chosen: dict[int, int] = {}
        free = set(range(len(tables)))
        while len(chosen) < n:
            free = free or set(range(len(tables)))
            open_places = [place for place in range(n) if place not in chosen]
            place, index = max(
                ((p, i) for p in open_places for i in sorted(free)), key=lambda pair: values[pair]
            )
            chosen[place] = index
            free.discard(index)
        return [chosen[place] for place in range(n)]

    def draw(self, recipe: Recipe) -> NDArray[np.uint8]:
        """Return the picture of a recipe, uint8 (height, width, 4)."""
        return draw(recipe, self.config.parallel.kernel_name)
