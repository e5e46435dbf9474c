"""The generation loop: one for every search, as a generator.

It yields a frozen `Generation` and knows nothing of logs, files or screens: whoever drives it
stops, saves and shows. A `Generation` is all that it takes to go on.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evo.archive import Distance, Entry, HallOfFame
from evo.chance import stream
from evo.checks import must, number, whole
from evo.individual import Individual, check_length
from evo.scoring import (
    Combine,
    Evaluate,
    EvaluationError,
    GenomeError,
    as_table,
    attempt,
    name_of,
)
from evo.statistics import shape_diversity, summary
from evo.strategy import Genetic, State, Strategy

__all__ = ["Generation", "evolve"]


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
        non_finite, best and mean of each score, diversity; shape_diversity where there is a
        distance; front and hypervolume of several objectives.
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
        return self._generation(0, population, population, state, None)

    def _next(self, last: Generation) -> Generation:
        number = last.number + 1
        children = self.strategy.ask(
            last.population, last.state, stream(self.seed, "variation", number)
        )
        for index, individual in enumerate(last.population):
            if not individual.evaluated:
                raise must("population", "stay as it was evaluated", f"a change at index {index}")
        known = {bytes(twin): twin for twin in last.population}
        for child in children:
            twin = known.get(bytes(child))
            if twin is not None:
                child.share(twin)
        self._evaluate([child for child in children if not child.evaluated], number)
        newborn = [child for child in children if bytes(child) not in known]
        population, state = self.strategy.tell(last.population, last.state, children)
        return self._generation(number, population, newborn, state, last)

    def _evaluate(self, individuals: Sequence[Individual], generation: int) -> None:
        """Give each individual the fitness of its bytes, equal bytes evaluated once."""
        for individual in individuals:
            check_length(individual)
        genomes = list(dict.fromkeys(map(bytes, individuals)))
        if not genomes:
            return
        try:
            table = attempt(self.evaluate, genomes)
            columns = table.shape[-1] if table.ndim > 1 else 0
            if columns < len(self.score_names):
                requirement = f"return a column for each of {len(self.score_names)} scores"
                raise must(name_of(self.evaluate), requirement, table)
            values = table
            if self.combine:
                values = as_table(name_of(self.combine), self.combine(table), len(genomes))
            if values.ndim > 2:
                raise must("fitness", "have shape (n,) or (n, objectives)", values)
        except GenomeError as error:
            index = next(i for i, child in enumerate(individuals) if bytes(child) == error.genome)
            failed = GenomeError(index, error.genome, error.reason)
            raise EvaluationError(f"generation {generation}, {failed}") from error
        except Exception as error:
            raise EvaluationError(f"generation {generation}: {error}") from error
        fitnesses = values.reshape(len(genomes), -1).tolist()
        table.flags.writeable = False
        found = {genome: (fitnesses[i], table[i]) for i, genome in enumerate(genomes)}
        for individual in individuals:
            fitness, scores = found[bytes(individual)]
            individual.record(fitness, scores, generation)

    def _generation(
        self,
        number: int,
        population: Sequence[Individual],
        newborn: Sequence[Individual],
        state: State,
        last: Generation | None,
    ) -> Generation:
        best_before = last.statistics["best_so_far"] if last else math.nan
        statistics = summary(number, population, newborn, best_before, self.score_names)
        if self.empty_hall.distance is not None:
            shapes = shape_diversity(population, self.empty_hall.distance)
            statistics["shape_diversity"] = shapes
        best = statistics["best_so_far"]
        rose = math.isfinite(best) and not best <= best_before  # above nothing, which is NaN, too
        hall = self.empty_hall if last is None else self.empty_hall.holding(last.hall_of_fame)
        made = Generation(
            number,
            tuple(population),
            tuple(newborn),
            hall.updated([*newborn, *population]).entries,
            statistics,
            state,
            number if rose or last is None else last.improved,
        )
        return dataclasses.replace(made, stop=self._reason(made))

    def _reason(self, made: Generation) -> str:
        best = made.statistics["best_so_far"]
        if self.target is not None and best >= self.target:
            return "target"
        if self.patience is not None and made.number - made.improved >= self.patience:
            return "patience"
        return "generations" if made.number >= self.generations else ""
