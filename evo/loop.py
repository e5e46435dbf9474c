"""The generation loop: one for every search, as a generator.

It yields a frozen `Generation` and knows nothing of logs, files or screens: whoever drives it
stops, saves and shows. A `Generation` is all that it takes to go on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evo.archive import Distance, Entry, HallOfFame
from evo.chance import stream
from evo.checks import must, number, whole
from evo.individual import Individual, check_length
from evo.statistics import diversity, mean_and_sd, scalar, score_rows
from evo.strategy import Genetic, State, Strategy

__all__ = ["Combine", "Evaluate", "EvaluationError", "Generation", "each", "evolve"]

Evaluate: TypeAlias = Callable[[Sequence[bytes]], NDArray[np.float64]]
"""From n genomes to a float64 table whose first axis is n."""

Combine: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""From such a table to the fitness, float64 (n,) or (n, objectives)."""


class EvaluationError(RuntimeError):
    """An evaluation failed; the message names the generation, the cause is chained."""


@dataclass(frozen=True)
class Generation:
    """A generation of a run, and all that the next one needs.

    Parameters
    ----------
    number : int
        0 for the founders.
    population : tuple of Individual
        All evaluated.
    newborn : tuple of Individual
        Those whose bytes were not in the population before.
    hall_of_fame : tuple of Entry
        Best first, over all generations so far.
    statistics : mapping of str to float
        The row of the log: generation, evaluations, best, best_so_far, mean, std, min,
        non_finite, best and mean of each score, diversity.
    state : mapping of str to array
        What the strategy remembers.
    improved : int
        The last generation that raised the best so far.
    stop : str
        Why the loop ends here: "generations", "target" or "patience"; else "".
    """

    number: int
    population: tuple[Individual, ...]
    newborn: tuple[Individual, ...]
    hall_of_fame: tuple[Entry, ...]
    statistics: Mapping[str, float]
    state: State
    improved: int
    stop: str = ""


def each(score: Callable[[bytes], Any]) -> Evaluate:
    """Return an evaluation of many genomes from a score of one.

    Parameters
    ----------
    score : callable
        From 180 bytes to an int, a float, a numpy scalar or a 0-d array of a real number.
        Anything else that it returns is an error that names it.
    """
    name = getattr(score, "__qualname__", type(score).__qualname__)

    def evaluate(genomes: Sequence[bytes]) -> NDArray[np.float64]:
        return np.array([as_float(name, score(genome)) for genome in genomes], np.float64)

    return evaluate


def as_float(name: str, value: object) -> float:
    """Return what a score gave as a float, or raise ValueError that names the score."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool | np.bool_) or not isinstance(
        value, int | float | np.integer | np.floating
    ):
        raise must(name, "return a number", value)
    return float(value)


def evolve(
    evaluate: Evaluate,
    strategy: Strategy | None = None,
    *,
    seed: int,
    generations: int = 100,
    combine: Combine | None = None,
    score_names: Sequence[str] = (),
    hall_of_fame: int = 12,
    distance: Distance | None = None,
    min_distance: float = 0.0,
    target: float | None = None,
    patience: int | None = None,
    start: Generation | None = None,
) -> Iterator[Generation]:
    """Yield the generations of a run, the founders first.

    Parameters
    ----------
    evaluate : callable
        From a list of n genomes (180 bytes each) to a float64 table of first axis n. Each
        individual is evaluated once; see `evo.Pool` for doing so in parallel.
    strategy : Strategy, optional
        By default `Genetic()`.
    seed : int
        0 to 2^64 - 1: all chance of the run comes from it.
    generations : int
        Rounds after the founders.
    combine : callable, optional
        From the table to the fitness, float64 (n,) or (n, objectives), higher is better; by
        default the table is the fitness.
    score_names : sequence of str
        Names of the first columns of the table's last axis, for the statistics.
    hall_of_fame, distance, min_distance
        See `HallOfFame`.
    target : float, optional
        Stop when the best so far reaches it.
    patience : int, optional
        Stop after so many generations that did not raise the best so far.
    start : Generation, optional
        Go on after this one instead of making founders; it is not yielded again.

    Yields
    ------
    Generation
        The last one says in `stop` why it is the last.

    Raises
    ------
    ValueError
        For an argument out of its range, before anything is evaluated.
    EvaluationError
        When `evaluate` or `combine` raises or returns something else than it should.
    """
    run = _Run(
        evaluate,
        Genetic() if strategy is None else strategy,
        whole("seed", seed, 0, 2**64 - 1),
        whole("generations", generations, 0),
        combine,
        tuple(score_names),
        HallOfFame(hall_of_fame, distance, min_distance),
        None if target is None else number("target", target),
        None if patience is None else whole("patience", patience, 1),
    )
    return run.go(start)


@dataclass(frozen=True)
class _Run:
    evaluate: Evaluate
    strategy: Strategy
    seed: int
    generations: int
    combine: Combine | None
    score_names: tuple[str, ...]
    empty_hall: HallOfFame
    target: float | None
    patience: int | None

    def go(self, last: Generation | None) -> Iterator[Generation]:
        if last is None:
            last = self._founders()
            yield last
        while not self._reason(last):
            last = self._next(last)
            yield last

    def _founders(self) -> Generation:
        population, state = self.strategy.init(stream(self.seed, "founders", 0))
        self._evaluate(population, 0)
        return self._generation(0, population, population, self.empty_hall, state, None)

    def _next(self, last: Generation) -> Generation:
        number = last.number + 1
        children = self.strategy.ask(
            last.population, last.state, stream(self.seed, "variation", number)
        )
        known = {bytes(twin): twin for twin in last.population}
        for child in children:
            twin = known.get(bytes(child))
            if twin is not None and not child.evaluated:
                child.record(twin.fitness.values, twin.scores, twin.born)
        self._evaluate([child for child in children if not child.evaluated], number)
        newborn = [child for child in children if bytes(child) not in known]
        population, state = self.strategy.tell(last.population, last.state, children)
        hall = HallOfFame(
            self.empty_hall.size,
            self.empty_hall.distance,
            self.empty_hall.min_distance,
            last.hall_of_fame,
        )
        return self._generation(number, population, newborn, hall, state, last)

    def _evaluate(self, individuals: Sequence[Individual], generation: int) -> None:
        """Give each individual the fitness of its bytes, equal bytes evaluated once."""
        for individual in individuals:
            check_length(individual)
        genomes = list(dict.fromkeys(map(bytes, individuals)))
        if not genomes:
            return
        try:
            table = _table("evaluate", self.evaluate(genomes), len(genomes))
            combined = self.combine(table) if self.combine else table
            values = _table("combine" if self.combine else "evaluate", combined, len(genomes))
            if values.ndim > 2:
                raise must("fitness", "have shape (n,) or (n, objectives)", values)
        except Exception as error:
            raise EvaluationError(f"generation {generation}: {error}") from error
        values = values.reshape(len(genomes), -1)
        table.flags.writeable = False
        found = {genome: (values[i], table[i]) for i, genome in enumerate(genomes)}
        for individual in individuals:
            fitness, scores = found[bytes(individual)]
            individual.record([float(v) for v in fitness], scores, generation)

    def _generation(
        self,
        number: int,
        population: Sequence[Individual],
        newborn: Sequence[Individual],
        hall: HallOfFame,
        state: State,
        last: Generation | None,
    ) -> Generation:
        numbers = [scalar(individual.fitness.values) for individual in population]
        finite = [value for value in numbers if math.isfinite(value)]
        newborn_values = [scalar(individual.fitness.values) for individual in newborn]
        best_before = last.statistics["best_so_far"] if last else math.nan
        seen = [v for v in (best_before, *finite, *newborn_values) if math.isfinite(v)]
        best_so_far = max(seen, default=math.nan)
        rose = last is None or (math.isfinite(best_so_far) and not best_so_far <= best_before)
        mean, sd = mean_and_sd(finite)
        statistics = {
            "generation": number,
            "evaluations": len(newborn),
            "best": max(finite, default=math.nan),
            "best_so_far": best_so_far,
            "mean": mean,
            "std": sd,
            "min": min(finite, default=math.nan),
            "non_finite": sum(not math.isfinite(value) for value in newborn_values),
            **score_rows(population, self.score_names),
            "diversity": diversity(population),
        }
        made = Generation(
            number,
            tuple(population),
            tuple(newborn),
            hall.updated([*newborn, *population]).entries,
            statistics,
            state,
            number if rose or last is None else last.improved,
        )
        return _with_stop(made, self._reason(made))

    def _reason(self, made: Generation) -> str:
        best = made.statistics["best_so_far"]
        if self.target is not None and best >= self.target:
            return "target"
        if self.patience is not None and made.number - made.improved >= self.patience:
            return "patience"
        return "generations" if made.number >= self.generations else ""


def _with_stop(generation: Generation, reason: str) -> Generation:
    return Generation(**{**generation.__dict__, "stop": reason})


def _table(name: str, value: ArrayLike, n: int) -> NDArray[np.float64]:
    table = np.array(value)
    if table.ndim < 1 or len(table) != n or table.dtype.kind not in "iuf":
        raise must(name, f"return numbers with a first axis of {n}", value)
    return table.astype(np.float64)
