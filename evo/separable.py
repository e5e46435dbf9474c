"""A separable evolution strategy (sep-CMA-ES), on the bytes as real numbers.

The strategy itself is that of the package `cmaes` (extra `[cmaes]`); here are the ways from
numbers to bytes and from one generation to the next.

Source: R. Ros and N. Hansen 2008, "A Simple Modification in CMA-ES Achieving Linear Time and
Space Complexity".
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evo.chance import stream, words
from evo.checks import choice, must, number, whole
from evo.genome import GENOME_SIZE
from evo.individual import Individual
from evo.population import FOUNDERS, founders
from evo.selection import elites
from evo.strategy import State

__all__ = ["Separable"]

_KEPT = ("_mean", "_sigma", "_C", "_p_sigma", "_pc", "_g")
"""What the strategy of `cmaes` learns, by the names in its own state."""

_WORST = 1e300
"""Loss of a fitness that is not finite."""


@dataclass(frozen=True)
class Separable:
    """An evolution strategy that learns a step size for each byte.

    Children are drawn from a normal distribution, at first around the best founder; its center
    and its width along each byte follow the better half of them. Numbers past 0 and 255 are
    mirrored back, then rounded.

    Runs of one seed are equal whatever evaluates them, but since the distribution is made of
    sums and roots of floats, not on every kind of processor.

    Parameters
    ----------
    n_founders : int
        The best of so many is the first center.
    sigma : float
        The first standard deviation of every byte, above 0.
    children : int
        Children in a generation, 2 or more; by default 4 + 3 ln 180, that is 19, as its authors
        have it.
    founders : str
        Kind of founders.
    learning : float
        Factor of the rates at which the width along each byte is learned, above 0; the two rates
        together stay at 1 at most. Those of the source are made for functions of any kind and
        careful: on plants some four times as fast is better.

    Raises
    ------
    ValueError
        For a parameter out of its range, or when the package `cmaes` is not installed.
    """

    n_founders: int = 100
    sigma: float = 25.0
    children: int = 4 + int(3 * math.log(GENOME_SIZE))
    founders: str = "seedling"
    learning: float = 1.0

    def __post_init__(self) -> None:
        whole("n_founders", self.n_founders, 1)
        number("learning", self.learning, 1e-6, 1000)
        number("sigma", self.sigma, 1e-6, 255)
        whole("children", self.children, 2)
        choice("founders", self.founders, FOUNDERS)
        if importlib.util.find_spec("cmaes") is None:
            requirement = "have its package installed (pip install 'evogarden[cmaes]')"
            raise must("search", requirement, "cmaes")

    def init(self, rng: np.random.Generator) -> tuple[list[Individual], State]:
        """Return the founders and the state: a seed, and what is learned."""
        fresh = self._strategy(np.zeros(GENOME_SIZE), 0)
        return founders(self.founders, self.n_founders, rng), {
            "chance": words(rng, 1),
            **_learned(fresh),
        }

    def ask(
        self, population: Sequence[Individual], state: State, rng: np.random.Generator
    ) -> list[Individual]:
        """Return the children of the next generation."""
        parent = elites(population, 1)[0]
        points = self._points(self._going_on(population, state))
        return [_child(point, parent) for point in points]

    def tell(
        self, population: Sequence[Individual], state: State, children: Sequence[Individual]
    ) -> tuple[list[Individual], State]:
        """Return the children, and what they taught."""
        strategy = self._going_on(population, state)
        points = self._points(strategy)  # drawn anew from the same seed
        strategy.tell([(x, _loss(child)) for x, child in zip(points, children, strict=True)])
        return list(children), {"chance": state["chance"], **_learned(strategy)}

    def _points(self, strategy: Any) -> list[NDArray[np.float64]]:
        return [strategy.ask() for _ in range(self.children)]

    def _going_on(self, population: Sequence[Individual], state: State) -> Any:
        """Return the strategy as it was left, about to draw the next generation."""
        learned = {name: state[name].copy() for name in _KEPT}
        number_ = int(state["_g"])
        if number_ == 0:
            best = elites(population, 1)[0]
            learned["_mean"] = np.frombuffer(best, np.uint8).astype(np.float64)
        seed = int(words(stream(int(state["chance"][0]), "variation", number_), 1)[0] >> 32)
        strategy = self._strategy(learned["_mean"], seed)
        scalars = {"_sigma": float(learned["_sigma"]), "_g": number_}
        strategy.__dict__.update(learned | scalars)
        return strategy

    def _strategy(self, mean: NDArray[np.float64], seed: int) -> Any:
        cmaes: Any = importlib.import_module("cmaes")
        strategy = cmaes.SepCMA(mean, self.sigma, seed=seed, population_size=self.children)
        strategy._c1 = min(strategy._c1 * self.learning, 1.0)
        strategy._cmu = min(strategy._cmu * self.learning, 1.0 - strategy._c1)
        return strategy


def _learned(strategy: Any) -> dict[str, NDArray[Any]]:
    return {name: np.asarray(getattr(strategy, name)) for name in _KEPT}


def _loss(individual: Individual) -> float:
    values = individual.fitness.wvalues
    if len(values) != 1:
        raise must("fitness", "be one number, to be searched by sep-CMA-ES", values)
    return -values[0] if math.isfinite(values[0]) else _WORST


def _child(point: NDArray[np.float64], parent: Individual) -> Individual:
    genes = _bytes_of(point).tobytes()
    child = Individual(genes, len(parent.fitness.weights))
    child.parents, child.operators = (bytes(parent),), "mutation"
    return child


def _bytes_of(point: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the bytes of real numbers, uint8: mirrored at -0.5 and 255.5, and rounded."""
    folded = (point + 0.5) % 512
    inside = np.where(folded < 256, folded, np.nextafter(512, 0) - folded)
    return np.asarray(inside.clip(0, 255.5), np.uint8)
