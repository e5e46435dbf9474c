"""The searches that a config may ask for: a row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from evo import (
    Annealing,
    Genetic,
    Guide,
    Guided,
    HillClimbing,
    Pareto,
    Race,
    RandomSearch,
    Relay,
    Separable,
    Strategy,
)
from experiments.ancestors import ancestors
from experiments.config import Config, ConfigError, Evolution
from fitness import combine

__all__ = ["SEARCHES", "Search", "make_strategy"]


@dataclass(frozen=True)
class Search:
    """A way to search.

    Parameters
    ----------
    make : callable
        From the config's section and the founders, a kind or genomes, to a strategy.
    children : callable
        From the config's section to the number of genomes that each generation evaluates, in the
        first ones where that changes.
    """

    make: Callable[[Evolution, str | Sequence[bytes]], Strategy]
    children: Callable[[Evolution], int]


def _genetic(evolution: Evolution, founders: str | Sequence[bytes]) -> Strategy:
    make = Pareto if evolution.objectives == "pareto" else Genetic
    return make(
        evolution.population,
        evolution.elites,
        evolution.tournament,
        evolution.crossover,
        evolution.mutation,
        evolution.creep,
        founders,
        fill=evolution.fill,
    )


def _children(evolution: Evolution) -> int:
    elites = 0 if evolution.objectives == "pareto" else evolution.elites
    return evolution.population - min(elites, evolution.population - 1)


def _kind(founders: str | Sequence[bytes]) -> str:
    if not isinstance(founders, str):
        raise TypeError("the config lets such a search have a kind of founders alone")
    return founders


def _random(evolution: Evolution, founders: str | Sequence[bytes]) -> Strategy:
    return RandomSearch(evolution.population, _kind(founders))


def _hill(evolution: Evolution, founders: str | Sequence[bytes]) -> Strategy:
    return HillClimbing(evolution.population, evolution.mutation, evolution.creep, _kind(founders))


def _annealing(evolution: Evolution, founders: str | Sequence[bytes]) -> Annealing:
    return Annealing(
        evolution.chains,
        evolution.cooling,
        evolution.population,
        evolution.temperature,
        founders=_kind(founders),
    )


def _separable(
    evolution: Evolution,
    founders: str | Sequence[bytes],
    sigma: float = Separable.sigma,
    learning: float = Separable.learning,
) -> Separable:
    return Separable(
        evolution.population,
        sigma if evolution.sigma is None else evolution.sigma,
        founders=_kind(founders),
        learning=learning if evolution.learning is None else evolution.learning,
    )


def _race(evolution: Evolution, founders: str | Sequence[bytes]) -> Race:
    run = _separable(evolution, founders, learning=4.0)
    return Race(run, evolution.runs, max(1, evolution.cooling * 65 // 100))


def _guided(evolution: Evolution, founders: str | Sequence[bytes]) -> Separable:
    return _separable(evolution, founders, learning=2.0)


def _guides(config: Config) -> tuple[Guide, ...]:
    """Return the guides of a config, each a column of the table of scores."""
    return tuple(
        Guide(
            partial(_column, column=column, risk=config.plant.risk),
            max(1, round(term.until * config.evolution.cooling)),
        )
        for column, term in enumerate(config.guides, len(config.fitness))
    )


def _column(table: NDArray[np.float64], column: int, risk: float) -> NDArray[np.float64]:
    """Return the fitness of plants if a score were the only one."""
    return combine(table[:, :, [column, -1]], risk=risk)


def _relay(evolution: Evolution, founders: str | Sequence[bytes]) -> Relay:
    share = max(1, evolution.cooling * 12 // 100)
    first = replace(_annealing(evolution, founders), evaluations=share)
    second = _separable(evolution, founders, sigma=8.0, learning=2.0)
    return Relay(first, replace(second, n_founders=1), share)


SEARCHES: Mapping[str, Search] = MappingProxyType(
    {
        "ga": Search(_genetic, _children),
        "random": Search(_random, lambda one: one.population),
        "hill": Search(_hill, lambda one: 1),
        "annealing": Search(_annealing, lambda one: one.chains),
        "cmaes": Search(_separable, lambda _: Separable.children),
        "race": Search(_race, lambda one: one.runs * Separable.children),
        "relay": Search(_relay, lambda one: one.chains),
        "guided": Search(_guided, lambda _: Separable.children),
    }
)
"""Name -> search, as `evolution.search` has it."""


def make_strategy(config: Config, needs_founders: bool = True) -> Strategy:
    """Return the strategy that a config asks for.

    Parameters
    ----------
    config : Config
    needs_founders : bool
        Whether founders of earlier runs are read: what goes on does without.

    Raises
    ------
    ConfigError
        When such founders cannot be read, or the search needs a package that is not installed.
    """
    evolution = config.evolution
    founders: str | Sequence[bytes] = "seedling"
    if isinstance(evolution.founders, str):
        founders = evolution.founders
    elif needs_founders:
        try:
            founders = ancestors(evolution.founders)
        except (ValueError, OSError) as error:
            raise ConfigError(f"evolution.founders: {error}") from error
    try:
        search = SEARCHES[evolution.search].make(evolution, founders)
        return Guided(search, _guides(config)) if config.guides else search
    except ValueError as error:
        raise ConfigError(f"evolution.{error}") from error
