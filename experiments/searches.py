"""The searches that a config may ask for: a row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

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

Founders: TypeAlias = str | Sequence[bytes]


@dataclass(frozen=True)
class Search:
    """A way to search.

    Parameters
    ----------
    make : callable
        From the config and the founders, a kind or genomes, to a strategy.
    children : callable
        From the config's section to the number of genomes that each generation evaluates, in the
        first ones where that changes.
    """

    make: Callable[[Config, Founders], Strategy]
    children: Callable[[Evolution], int]


def _genetic(config: Config, founders: Founders) -> Strategy:
    evolution = config.evolution
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


def _kind(founders: Founders) -> str:
    if not isinstance(founders, str):
        raise TypeError("the config lets such a search have a kind of founders alone")
    return founders


def _random(config: Config, founders: Founders) -> Strategy:
    return RandomSearch(config.evolution.population, _kind(founders))


def _hill(config: Config, founders: Founders) -> Strategy:
    evolution = config.evolution
    return HillClimbing(evolution.population, evolution.mutation, evolution.creep, _kind(founders))


def _annealing(config: Config, founders: Founders) -> Annealing:
    evolution = config.evolution
    return Annealing(
        evolution.chains,
        evolution.cooling,
        evolution.population,
        evolution.temperature,
        founders=_kind(founders),
    )


def _separable(
    config: Config,
    founders: Founders,
    sigma: float = Separable.sigma,
    learning: float = Separable.learning,
) -> Separable:
    evolution = config.evolution
    return Separable(
        evolution.population,
        sigma if evolution.sigma is None else evolution.sigma,
        founders=_kind(founders),
        learning=learning if evolution.learning is None else evolution.learning,
    )


def _race(config: Config, founders: Founders) -> Race:
    run = _separable(config, founders, learning=4.0)
    return Race(run, config.evolution.runs, max(1, config.evolution.cooling * 65 // 100))


def _guided(config: Config, founders: Founders) -> Guided:
    guides = [
        Guide(
            partial(_column, column=column, risk=config.plant.risk),
            max(1, round(term.until * config.evolution.cooling)),
        )
        for column, term in enumerate(config.guides, len(config.fitness))
    ]
    return Guided(_separable(config, founders, learning=2.0), tuple(guides))


def _column(table: NDArray[np.float64], column: int, risk: float) -> NDArray[np.float64]:
    """Return the fitness of plants if a score were the only one."""
    return combine(table[:, :, [column, -1]], risk=risk)


def _relay(config: Config, founders: Founders) -> Relay:
    share = max(1, config.evolution.cooling * 12 // 100)
    first = replace(_annealing(config, founders), evaluations=share)
    second = _separable(config, founders, sigma=8.0, learning=2.0)
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
    founders: Founders = "seedling"
    if isinstance(evolution.founders, str):
        founders = evolution.founders
    elif needs_founders:
        try:
            founders = ancestors(evolution.founders)
        except (ValueError, OSError) as error:
            raise ConfigError(f"evolution.founders: {error}") from error
    try:
        return SEARCHES[evolution.search].make(config, founders)
    except ValueError as error:
        raise ConfigError(f"evolution.{error}") from error
