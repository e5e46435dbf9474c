"""Running a comparison, and what it says."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from joblib.externals.loky import ProcessPoolExecutor
from joblib.externals.loky.process_executor import BrokenProcessPool
from scipy.stats import mannwhitneyu

from evo import WorkerError, n_jobs
from evo.checks import must, number, whole
from evo.files import write_atomic
from evo.pool import follow_parent
from experiments.comparison.contenders import Contender, contenders
from experiments.comparison.trial import Trial, identity, run_trial
from experiments.config import Config
from experiments.config_file import dump_config
from experiments.folders import RunError, locked, new_folder

__all__ = ["Comparison", "Row", "compare", "rank_sum"]


class Row(NamedTuple):
    """A contender in the table.

    Parameters
    ----------
    label : str
    median, lower, upper, best : float
        Of the trials' ends; lower and upper are the quartiles.
    reached : int
        Trials that reached the level.
    evaluations : float
        Median of the evaluations that took, infinite when half of the trials did not.
    p : float
        Of a two-sided rank-sum test against the contender with the best median; NaN for itself.
    wins : float
        Share of pairs with a trial of that contender in which this one is better, ties half.
    """

    label: str
    median: float
    lower: float
    upper: float
    best: float
    reached: int
    evaluations: float
    p: float
    wins: float


@dataclass(frozen=True)
class Comparison:
    """Trials of several searches with one budget.

    Parameters
    ----------
    contenders : tuple of Contender
    trials : tuple of tuples of Trial
        Of each contender, one a seed.
    evaluations : int
        The budget of each.
    level : float
        What a search has to reach to be counted.
    path : Path
        Where its files are.
    """

    contenders: tuple[Contender, ...]
    trials: tuple[tuple[Trial, ...], ...]
    evaluations: int
    level: float
    path: Path

    @property
    def leader(self) -> int:
        """The contender with the best median, by its index; of equal ones the first."""
        return int(np.argmax([_median(trials) for trials in self.trials]))

    def rows(self) -> list[Row]:
        """Return a row for each contender, best median first."""
        leading = [trial.best for trial in self.trials[self.leader]]
        rows = []
        for index, (contender, trials) in enumerate(zip(self.contenders, self.trials, strict=True)):
            ends = [trial.best for trial in trials]
            lower, median, upper = np.quantile(ends, [0.25, 0.5, 0.75]).tolist()
            when = [trial.evaluations_to(self.level) for trial in trials]
            p, wins = rank_sum(ends, leading)
            rows.append(
                Row(
                    contender.label,
                    median,
                    lower,
                    upper,
                    max(ends),
                    int(np.isfinite(when).sum()),
                    float(np.quantile(when, 0.5, method="inverted_cdf")),
                    float("nan") if index == self.leader else p,
                    0.5 if index == self.leader else wins,
                )
            )
        return sorted(rows, key=lambda row: -row.median)


def rank_sum(a: Sequence[float], b: Sequence[float]) -> tuple[float, float]:
    """Return the p value of a two-sided rank-sum test, and the share of pairs that a wins.

    The second is Vargha and Delaney's measure of effect, in which a tie counts half.

    References
    ----------
    H. B. Mann and D. R. Whitney 1947, "On a Test of Whether one of Two Random Variables is
    Stochastically Larger than the Other" (scipy.stats.mannwhitneyu); A. Vargha and H. D. Delaney
    2000, "A Critique and Improvement of the CL Common Language Effect Size Statistics".
    """
    if len({*a, *b}) == 1:
        return 1.0, 0.5
    found = mannwhitneyu(a, b, alternative="two-sided")
    return float(found.pvalue), float(found.statistic) / (len(a) * len(b))


def _median(trials: Sequence[Trial]) -> float:
    return float(np.median([trial.best for trial in trials]))


def compare(
    config: Config,
    searches: str | Sequence[str],
    *,
    repeats: int = 5,
    evaluations: int = 5000,
    level: float | None = None,
    out: str | os.PathLike[str] | None = None,
    say: Callable[[str], None] | None = None,
) -> Comparison:
    """Give each search the same budget on the same seeds.

    The first trial of each has the seed of the config, the next ones those that follow. Nothing
    but the fitness of the best plant is compared: target, patience and the hall of fame have no
    part in it.

    Parameters
    ----------
    config : Config
        The problem; `parallel.jobs` trials run at a time, in processes.
    searches : str or sequence of str
        See `contenders`.
    repeats : int
        Seeds, at least 1. The rank-sum test needs some: of 3 and 3, p is .1 at least.
    evaluations : int
        The budget of each trial, founders included.
    level : float, optional
        A fitness whose first evaluation is told; by default the lowest median.
    out : path, optional
        A folder, by default runs/NAME-compare or the next free one. Trials that it holds are not
        made again, so that a comparison goes on after a stop, or with more repeats.
    say : callable of str, optional
        Told of each trial that ends.

    Raises
    ------
    ValueError
        For an argument out of its range; ConfigError for a search that cannot be made.
    RunError
        When the folder cannot be made, is in use, or holds other trials.
    EvaluationError, WorkerError
        When a score raises or a process dies; trials that have ended stand.
    """
    whole("repeats", repeats, 1, 10_000)
    whole("evaluations", evaluations, 1, 10**9)
    whole("seed + repeats", config.seed + repeats, 0, 2**64)
    if level is not None:
        number("level", level)
    entrants = contenders(config, searches, evaluations)
    wanted = [
        _Wanted(one, seed, identity(one.with_seed(seed), evaluations))
        for seed in range(config.seed, config.seed + repeats)
        for one in entrants
    ]
    path = new_folder(f"{config.name}-compare", out, may_exist=True)
    with locked(path, "--out"):
        known = {want: trial for want in wanted if (trial := _kept(path, want)) is not None}
        missing = [want for want in wanted if want not in known]
        (path / "trials").mkdir(exist_ok=True)
        for want, trial in _made(missing, evaluations, n_jobs(config.parallel.jobs)):
            write_atomic(path / "trials" / want.file_name, trial.to_json())
            known[want] = trial
            if say is not None:
                done = f"{len(known)}/{len(wanted)}"
                say(f"{done}  {trial.label}, seed {trial.seed}: {trial.best:.4f}")
        trials = tuple(
            tuple(known[want] for want in wanted if want.contender is one) for one in entrants
        )
        lowest = min(map(_median, trials))
        return Comparison(
            tuple(entrants), trials, evaluations, lowest if level is None else level, path
        )


@dataclass(frozen=True, eq=False)
class _Wanted:
    contender: Contender
    seed: int
    identity: str

    @property
    def file_name(self) -> str:
        return f"{self.contender.file_name}-{self.seed}.json"


def _kept(path: Path, want: _Wanted) -> Trial | None:
    """Return a trial that was made before."""
    file = path / "trials" / want.file_name
    try:
        trial = Trial.from_json(file.read_bytes())
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise RunError(f"{file}: {error}") from error
    if trial.identity != want.identity:
        raise RunError(str(must("--out", "hold trials of the same comparison alone", str(file))))
    return trial


def _made(
    wanted: Sequence[_Wanted], evaluations: int, jobs: int
) -> Iterator[tuple[_Wanted, Trial]]:
    """Yield trials as they end."""
    tasks = [
        (one.contender.label, dump_config(one.contender.with_seed(one.seed)), evaluations)
        for one in wanted
    ]
    jobs = min(jobs, len(wanted))
    if jobs <= 1:
        yield from ((one, run_trial(*task)) for one, task in zip(wanted, tasks, strict=True))
        return
    executor = ProcessPoolExecutor(jobs, initializer=follow_parent, initargs=(os.getpid(),))
    waiting = list(zip(wanted, tasks, strict=True))[::-1]
    running: dict[Future[Trial], _Wanted] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:  # nothing pends when all have to end at once
                one, task = waiting.pop()
                running[executor.submit(run_trial, *task)] = one
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    except BrokenProcessPool as error:
        raise WorkerError("a process died in a trial; those that have ended are kept") from error
    finally:
        executor.shutdown(kill_workers=True)
