"""Simulated annealing on the bytes: chains that sometimes step back.

Sources: S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi 1983, "Optimization by Simulated
Annealing"; N. Metropolis et al. 1953, "Equation of State Calculations by Fast Computing
Machines" (the rule of acceptance). Steps of every size are as likely as in B. Doerr et al. 2017,
"Fast Genetic Algorithms", which showed what mutation rates of a power law are good for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evo.chance import below, chances, stream, words
from evo.checks import choice, must, number, whole
from evo.genome import GENOME_SIZE
from evo.individual import Individual
from evo.population import FOUNDERS, founders
from evo.selection import elites
from evo.strategy import State

__all__ = ["Annealing", "patience_of", "temperature_at"]

_FULL = 256
"""Weight of a locus that matters; the least is a sixteenth of it."""
_LEAST = 16
_LN2 = 0.6931471805599453
_SCALES = 7
"""Doublings between the shortest step, 1, and the longest, 127."""


def temperature_at(start: float, halvings: float, done: float) -> float:
    """Return the temperature after a share of the budget.

    It is halved `halvings` times in equal parts of the budget, and falls along a line between
    two halvings: the common geometric cooling, in operations that every machine rounds alike.

    Parameters
    ----------
    start : float
    halvings : float
    done : float
        Share of the budget that is used; above 1 the temperature stays what it was at 1.
    """
    halved = halvings * min(1.0, done)
    part, times = math.modf(halved)
    return math.ldexp(start * (1 - part / 2), -int(times))


def patience_of(word: int) -> float:
    """Return how many temperatures a step back may cost, from 64 uniform bits.

    Near an exponential of mean 1.04, as Metropolis's rule has it: exact at whole powers of two,
    a line between them. A step back of k ln 2 temperatures is taken with probability 2^-k.
    """
    zeros = 64 - word.bit_length()
    rest = (word << (zeros + 1)) % 2**64 / 2**64
    return _LN2 * (zeros + 1 - rest)


@dataclass(frozen=True)
class Annealing:
    """Simulated annealing: each chain changes a few bytes, and takes a worse plant now and then.

    A worse child replaces its parent with a probability of about exp(-loss / temperature), and
    the temperature falls over the budget: a chain roams first and climbs at last. A byte moves
    by 1 to 127, each order of magnitude as likely, so that one rule does for coarse genes and
    fine ones. Loci that never changed the fitness, such as colors where only the shape counts,
    are drawn more rarely.

    The best plant is in the hall of fame; the population holds where the chains are, which may
    lie below it.

    Parameters
    ----------
    chains : int
        Chains side by side, each from a founder of its own, the best ones first; a generation
        has a child of each. They know nothing of each other: one alone gets furthest with a
        small budget, more of them use more processors and find more different plants.
    evaluations : int
        The budget that the cooling is laid out for, of all chains together; beyond it the
        temperature stays.
    n_founders : int
        Founders that the chains pick their starts from, at least as many as chains.
    temperature : float
        The first temperature, in units of fitness, above 0.
    halvings : float
        How often the temperature is halved over the budget.
    loci : float
        Mean number of bytes that change, 1 or more.
    founders : str
        Kind of founders.
    """

    chains: int = 1
    evaluations: int = 20_000
    n_founders: int = 100
    temperature: float = 0.002
    halvings: float = 3.0
    loci: float = 3.0
    founders: str = "seedling"

    def __post_init__(self) -> None:
        whole("chains", self.chains, 1)
        whole("evaluations", self.evaluations, 1)
        whole("n_founders", self.n_founders, 1)
        number("temperature", self.temperature, 1e-12, 1e12)
        number("halvings", self.halvings, 0, 64)
        number("loci", self.loci, 1, GENOME_SIZE)
        choice("founders", self.founders, FOUNDERS)
        if self.n_founders < self.chains:
            raise must("n_founders", f"be at least chains ({self.chains})", self.n_founders)

    def init(self, rng: np.random.Generator) -> tuple[list[Individual], State]:
        """Return the founders and the state: evaluations so far, weights of loci, a seed."""
        return founders(self.founders, self.n_founders, rng), {
            "evaluations": np.array(self.n_founders, np.int64),
            "weights": np.full((self.chains, GENOME_SIZE), _FULL, np.int64),
            "chance": words(rng, 1),
        }

    def _parents(self, population: Sequence[Individual]) -> Sequence[Individual]:
        """Return where the chains are: at first, the best founders."""
        return population if len(population) == self.chains else elites(population, self.chains)

    def ask(
        self, population: Sequence[Individual], state: State, rng: np.random.Generator
    ) -> list[Individual]:
        """Return a child of each chain."""
        children = []
        for parent, weights in zip(self._parents(population), state["weights"], strict=True):
            child = parent
            while bytes(child) == bytes(parent):
                child = self._mutant(parent, weights, rng)
            child.parents, child.operators = (bytes(parent),), "mutation"
            children.append(child)
        return children

    def _mutant(
        self, parent: Individual, weights: NDArray[np.int64], rng: np.random.Generator
    ) -> Individual:
        genes = np.frombuffer(parent, np.uint8).astype(np.int64)
        places = self._loci(weights, rng)
        genes[places] = _moved(genes[places], rng)
        return Individual(genes.astype(np.uint8).tobytes(), len(parent.fitness.weights))

    def _loci(self, weights: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return different loci, one at least, by weight; their number is geometric."""
        n = 1
        while n < GENOME_SIZE and chances(rng, 1 - 1 / self.loci, 1)[0]:
            n += 1
        left = weights.copy()
        picked = []
        for _ in range(n):
            ends = left.cumsum()
            at = int(np.searchsorted(ends, below(rng, int(ends[-1]), 1)[0], side="right"))
            left[at] = 0
            picked.append(at)
        return np.array(picked)

    def tell(
        self, population: Sequence[Individual], state: State, children: Sequence[Individual]
    ) -> tuple[list[Individual], State]:
        """Return where the chains are now, and what they learned."""
        used = int(state["evaluations"])
        temperature = temperature_at(self.temperature, self.halvings, used / self.evaluations)
        drawn = words(stream(int(state["chance"][0]), "acceptance", used), self.chains).tolist()
        weights = state["weights"].copy()
        now = []
        parents = self._parents(population)
        for chain, (parent, child) in enumerate(zip(parents, children, strict=True)):
            loss = _value(parent) - _value(child)
            changed = np.frombuffer(parent, np.uint8) != np.frombuffer(child, np.uint8)
            weights[chain] = _learned(weights[chain], changed, loss == 0)
            kept = loss > temperature * patience_of(drawn[chain])
            now.append(parent if kept else child)
        return now, {
            **state,
            "evaluations": np.array(used + len(children), np.int64),
            "weights": weights,
        }


def _value(individual: Individual) -> float:
    values = individual.fitness.wvalues
    if len(values) != 1:
        raise must("fitness", "be one number, to be annealed", values)
    return values[0] if math.isfinite(values[0]) else -1e300


def _moved(genes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return bytes moved by 1 to 127 either way, reflected at 0 and 255."""
    shortest = 1 << below(rng, _SCALES, len(genes))
    drawn = words(rng, len(genes))
    far = (drawn >> np.uint64(32)).astype(np.int64)
    step = shortest + ((far * shortest) >> 32)
    moved = np.where(drawn & np.uint64(1), genes + step, genes - step)
    moved = np.where(moved < 0, -1 - moved, moved)
    return np.where(moved > 255, 511 - moved, moved)


def _learned(
    weights: NDArray[np.int64], changed: NDArray[np.bool_], equal: bool
) -> NDArray[np.int64]:
    """Return weights after a change that left the fitness equal, or did not."""
    if equal:
        new = np.maximum(_LEAST, weights - weights * 3 // 8)
    elif changed.sum() == 1:
        new = np.full_like(weights, _FULL)
    else:
        new = np.minimum(_FULL, weights + weights // 8 + 1)
    return np.where(changed, new, weights)
