"""Strategies: how a search proposes individuals and what it keeps.

One loop (`evo.loop`) drives them all. A strategy is frozen: what changes is the population and
a state, which is a dict of arrays, so that any generation can be saved and gone on from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np
from deap import base
from numpy.typing import NDArray

from evo.brood import brood
from evo.chance import below, chances
from evo.checks import choice, must, number, whole
from evo.genome import GENOME_SIZE, Genome, as_genes
from evo.individual import Individual
from evo.operators import mutate, uniform_crossover
from evo.population import FOUNDERS, founders
from evo.selection import elites, tournament

__all__ = ["FILLS", "Genetic", "State", "Strategy", "genetic_toolbox", "named", "part"]

State: TypeAlias = Mapping[str, NDArray[Any]]
"""What a strategy remembers beside the population: arrays by name."""

Population: TypeAlias = Sequence[Individual]


class Strategy(Protocol):
    """A search, as three pure functions of the population, the state and chance."""

    def init(self, rng: np.random.Generator) -> tuple[list[Individual], State]:
        """Return the founders, not evaluated, and the first state."""
        ...

    def ask(
        self, population: Population, state: State, rng: np.random.Generator
    ) -> list[Individual]:
        """Return new individuals to evaluate, with their parents and operators."""
        ...

    def tell(
        self, population: Population, state: State, children: Population
    ) -> tuple[list[Individual], State]:
        """Return the next population and state, once the children are evaluated."""
        ...


def named(states: Iterable[tuple[int, State]]) -> dict[str, NDArray[Any]]:
    """Return several states as one, each key after the number of its state."""
    return {f"{i}.{key}": value for i, one in states for key, value in one.items()}


def part(state: State, i: int) -> State:
    """Return the state of a number, of what `named` made."""
    mark = f"{i}."
    return {key[len(mark) :]: value for key, value in state.items() if key.startswith(mark)}


def genetic_toolbox(
    tournament_size: int = 3, mutation: float = 0.02, creep: float = 0.5
) -> base.Toolbox:
    """Return a DEAP Toolbox with the operators of `Genetic`: select, mate and mutate.

    Register another under the same name to swap it: select(population, n, rng=), mate(a, b,
    rng=) and mutate(individual, rng=). `evo.stock` adapts DEAP's own.
    """
    toolbox = base.Toolbox()
    toolbox.register("select", tournament, size=tournament_size)
    toolbox.register("mate", uniform_crossover)
    toolbox.register("mutate", mutate, rate=mutation, creep=creep)
    return toolbox


def _breeds_at_once(tools: base.Toolbox) -> bool:
    """Tell whether mate and mutate of a toolbox are those that `brood` does, as registered here."""
    mate, mutation = tools.mate, tools.mutate
    return (
        getattr(mate, "func", None) is uniform_crossover
        and not (mate.args or mate.keywords)
        and getattr(mutation, "func", None) is mutate
        and not mutation.args
        and set(mutation.keywords) == {"rate", "creep"}
    )


def _operators(n_parents: int, mutated: bool) -> str:
    """Return what made a child, as `Individual.operators` has it."""
    names = ["crossover"] * (n_parents == 2) + ["mutation"] * mutated
    return "+".join(names) or "copy"


FILLS = ("seedling", "children")
"""What fills up a population of given founders."""


@dataclass(frozen=True)
class Genetic:
    """A generational genetic algorithm with elites.

    Each generation keeps the elites and fills up with children: two parents are picked by
    tournament, crossed with a probability (else copied), and every child is mutated. A
    crossover makes two children; where only one place is left, the second is dropped.

    Parameters
    ----------
    population : int
        Individuals in every generation, at least 1.
    elites : int
        Best individuals kept unchanged, at most population - 1, so that there is always a
        child.
    tournament : int
        Contestants of a tournament, at least 1.
    crossover : float in [0, 1]
        Probability that a child has two parents.
    mutation : float in [0, 1]
        Probability that a byte mutates.
    creep : float in [0, 1]
        Share of the mutated bytes that are nudged instead of redrawn.
    founders : str or sequence of genomes
        Kind of founders; or some of them, such as Individuals of an earlier run, best first.
        Places left over are filled up; founders beyond the population are not used.
    toolbox : deap.base.Toolbox, optional
        Operators other than `genetic_toolbox`'s; then tournament, mutation and creep are its
        own business.
    fill : {"seedling", "children"}
        What fills the places left over by given founders: seedlings, or children of the given
        ones, crossed and mutated by the operators, or mutants of a single one.
    """

    population: int = 100
    elites: int = 2
    tournament: int = 3
    crossover: float = 0.9
    mutation: float = 0.02
    creep: float = 0.5
    founders: str | Sequence[Genome] = "seedling"
    toolbox: base.Toolbox | None = field(default=None, compare=False)
    fill: str = "seedling"

    def __post_init__(self) -> None:
        whole("population", self.population, 1)
        whole("elites", self.elites, 0)
        whole("tournament", self.tournament, 1)
        number("crossover", self.crossover, 0, 1)
        number("mutation", self.mutation, 0, 1)
        number("creep", self.creep, 0, 1)
        choice("fill", self.fill, FILLS)
        if isinstance(self.founders, str):
            choice("founders", self.founders, FOUNDERS)
        else:
            for genome in self.founders:
                as_genes(genome)

    @property
    def n_elites(self) -> int:
        """How many elites are really kept."""
        return min(self.elites, self.population - 1)

    def tools(self) -> base.Toolbox:
        """Return the operators that it breeds with."""
        return self.toolbox or genetic_toolbox(self.tournament, self.mutation, self.creep)

    def init(self, rng: np.random.Generator) -> tuple[list[Individual], State]:
        """Return the founders and an empty state."""
        if isinstance(self.founders, str):
            return founders(self.founders, self.population, rng), {}
        given = [Individual(genome) for genome in self.founders[: self.population]]
        for individual in given:
            individual.operators = "founder"
        n = self.population - len(given)
        if self.fill == "seedling" or not given:
            return given + founders("seedling", n, rng), {}
        tools = self.tools()
        children: list[Individual] = []
        while len(children) < n:
            a, b = (given[i] for i in below(rng, len(given), 2))
            parents = (a,) if a is b else (a, b)
            made = parents if a is b else tools.mate(a, b, rng=rng)
            children += [self._bred(child, parents, tools, rng) for child in made]
        return given + children[:n], {}

    def ask(
        self, population: Population, state: State, rng: np.random.Generator
    ) -> list[Individual]:
        """Return population - elites children."""
        tools = self.tools()
        n = self.population - self.n_elites
        n_pairs = -(-n // 2)
        picked = tools.select(population, 2 * n_pairs, rng=rng)
        crossed = chances(rng, self.crossover, n_pairs)
        if _breeds_at_once(tools):
            return self._brood(picked, crossed, rng, tools.mutate.keywords)[:n]
        children: list[Individual] = []
        for a, b, both in zip(picked[::2], picked[1::2], crossed, strict=True):
            if both:
                made = tools.mate(a, b, rng=rng)
                children += [self._bred(child, (a, b), tools, rng) for child in made]
            else:
                children += [self._bred(parent, (parent,), tools, rng) for parent in (a, b)]
        return children[:n]

    def _brood(
        self,
        picked: Population,
        crossed: NDArray[np.bool_],
        rng: np.random.Generator,
        rates: Mapping[str, float],
    ) -> list[Individual]:
        """Return what `_bred` makes of pairs, all at once."""
        alleles, mutated = brood(picked, crossed, rng, **rates)
        genomes = alleles.tobytes()
        held = [bytes(parent) for parent in picked]
        objectives = len(picked[0].fitness.weights)
        children = []
        for i, changed in enumerate(mutated.tolist()):
            genome = genomes[i * GENOME_SIZE : (i + 1) * GENOME_SIZE]
            first, last = (i & ~1, i | 1) if crossed[i // 2] else (i, i)
            parents = tuple(held[first : last + 1])
            if changed or genome not in parents:
                child = Individual(genome, objectives)
            else:
                child = picked[i if held[i] == genome else i ^ 1].__copy__()
            child.parents, child.operators = parents, _operators(len(parents), changed)
            children.append(child)
        return children

    def _bred(
        self,
        child: Individual,
        parents: tuple[Individual, ...],
        tools: base.Toolbox,
        rng: np.random.Generator,
    ) -> Individual:
        mutant = tools.mutate(child, rng=rng)
        if not isinstance(mutant, Individual):
            raise must("mutate", "return an Individual (see evo.stock)", mutant)
        mutant = mutant.__copy__() if mutant is child else mutant
        mutant.parents = tuple(map(bytes, parents))
        mutant.operators = _operators(len(parents), mutant != child)
        return mutant

    def tell(
        self, population: Population, state: State, children: Population
    ) -> tuple[list[Individual], State]:
        """Return the elites and the children, in this order."""
        return [*elites(population, self.n_elites), *children], state
