"""The searches that a config may ask for: a row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from evo import (
    Annealing,
    Genetic,
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
        return SEARCHES[evolution.search].make(evolution, founders)
    except ValueError as error:
        raise ConfigError(f"evolution.{error}") from error
