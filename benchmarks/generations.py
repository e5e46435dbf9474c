"""Generations: what a run costs beside its evaluations, and what more jobs bring.

Bookkeeping is the time of the processor that the process of the run spends while no genome is
evaluated in it: selection, variation, hall of fame, log, checkpoint, messages to workers.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from evo import Genetic, Pool, each, evolve, founders
from experiments import parse_config, run
from experiments.config import Config
from experiments.fame import Gallery
from experiments.problem import Problem
from experiments.progress import Silent

__all__ = ["report"]

CONFIG = """
name = "bench"
seed = 1
[evolution]
population = {population}
generations = {generations}
min_distance = {min_distance}
[plant]
samples = 3
unseen_samples = 0
[[fitness]]
name = "coverage"
[[fitness]]
name = "symmetry"
[parallel]
jobs = {jobs}
backend = "{backend}"
"""
WAYS = ((1, "loky"), (2, "loky"), (2, "threading"))


class _Timed:
    """An evaluation that notes the time of the processor it takes, in this process."""

    notes = ()

    def __init__(self, evaluate: Any) -> None:
        self.evaluate = evaluate
        self.seconds: list[float] = []

    def __call__(self, genomes: Any) -> Any:
        begin = time.thread_time()
        table = self.evaluate(genomes)
        self.seconds.append(time.thread_time() - begin)
        return table


class _Clock(Silent):
    """Notes when the founders and the last generation were done."""

    def __init__(self) -> None:
        self.at: list[tuple[float, float]] = []
        self.evaluations = 0

    def generation(self, generation: Any) -> None:
        self.at.append((time.perf_counter(), time.process_time()))
        if generation.number:
            self.evaluations += int(generation.statistics["evaluations"])


@contextmanager
def _timed() -> Iterator[list[_Timed]]:
    """Wrap the evaluators of problems meanwhile, and leave out the pictures of the gallery."""
    made: list[_Timed] = []
    real = Problem._evaluator

    def wrapped(self: Problem, seeds: Any) -> Any:
        made.append(_Timed(real(self, seeds)))
        return made[-1]

    with (
        mock.patch.object(Problem, "_evaluator", wrapped),
        mock.patch.object(Gallery, "write", return_value=None),
    ):
        yield made


def _config(
    population: int,
    generations: int,
    jobs: int = 1,
    backend: str = "loky",
    min_distance: float = 0.0,
) -> str:
    return CONFIG.format(
        population=population,
        generations=generations,
        jobs=jobs,
        backend=backend,
        min_distance=min_distance,
    )


def _measured(
    population: int, generations: int, jobs: int, backend: str, min_distance: float = 0.0
) -> dict[str, float]:
    """Return seconds a genome of a run, founders left out: of the wall, and of bookkeeping."""
    text = _config(population, generations, jobs, backend, min_distance)
    clock = _Clock()
    with _timed() as evaluators, tempfile.TemporaryDirectory() as folder:
        run(parse_config(text), Path(folder) / "run", clock)
    (first_wall, first_used), (last_wall, last_used) = clock.at[0], clock.at[-1]
    spent = evaluators[0].seconds
    founders_done = _founders_share(population, jobs, backend)
    inside = sum(spent[founders_done:])
    n = clock.evaluations
    return {
        "wall": (last_wall - first_wall) / n,
        "bookkeeping": (last_used - first_used - inside) / n,
        "evaluation": inside / n,
    }


def _founders_share(population: int, jobs: int, backend: str) -> int:
    """Return how many of the calls in this process were for the founders."""
    if backend == "loky" and jobs > 1:
        return 0
    return len(Pool(each(len), jobs, backend)._chunks([b""] * population))


def report(*, quick: bool) -> list[str]:
    populations = ((100, 10), (1000, 3)) if quick else ((100, 40), (1000, 10), (5000, 4))
    lines = [
        "| population | jobs | ms a genome | times as fast | bookkeeping, us a genome | of the "
        "evaluation |",
        "| ---: | --- | ---: | ---: | ---: | ---: |",
    ]
    for population, generations in populations:
        alone: dict[str, float] = {}
        for jobs, backend in WAYS:
            found = _measured(population, generations, jobs, backend)
            alone = alone or found
            how = "1" if jobs == 1 else f"{jobs}, {backend}"
            lines.append(
                f"| {population:,} | {how} | {found['wall'] * 1e3:.2f} "
                f"| {alone['wall'] / found['wall']:.2f} | {found['bookkeeping'] * 1e6:.0f} "
                f"| {100 * found['bookkeeping'] / alone['evaluation']:.1f} % |"
            )
    return [
        "## Generations",
        "Seedlings by coverage and symmetry, 3 growth seeds, 256 x 256, runs with log and "
        "checkpoint. Bookkeeping is what the process of the run spends beside evaluations: "
        "selection, variation, hall of fame, log, checkpoint, messages.",
        "\n".join(lines),
        _near_twins(*populations[0]),
        _speedup(7 if not quick else 3),
        _trivial(),
        _memory(),
        _plain(quick=quick),
        _growth(quick=quick),
    ]


def _near_twins(population: int, generations: int) -> str:
    """Return what a hall of fame costs that draws each candidate, to keep near-twins apart."""
    found = _measured(population, generations, 1, "loky", 0.1)
    return (
        f"With `min_distance = 0.1` the hall of fame draws its candidates: bookkeeping is then "
        f"{found['bookkeeping'] * 1e6:.0f} us a genome in a population of {population}, "
        f"{100 * found['bookkeeping'] / found['evaluation']:.1f} % of the evaluation."
    )


def _evaluator(samples: int = 3) -> Any:
    text = _config(2, 1)
    config: Config = parse_config(text, overrides=[f"plant.samples={samples}"])
    problem = Problem(config)
    problem.prepare()
    return problem.evaluator


def _speedup(repeats: int) -> str:
    genomes = [bytes(one) for one in founders("seedling", 200, 9)]
    evaluator = _evaluator()
    took: dict[tuple[int, str], list[float]] = {way: [] for way in WAYS}
    pools = {way: Pool(evaluator, *way) for way in WAYS}
    try:
        for pool in pools.values():
            pool(genomes)
        for _ in range(repeats):
            for way, pool in pools.items():
                begin = time.perf_counter()
                pool(genomes)
                took[way].append(time.perf_counter() - begin)
    finally:
        for pool in pools.values():
            pool.kill()
    one, loky, threads = (statistics.median(took[way]) for way in WAYS)
    return (
        f"A generation of 200 by 2 jobs, median of {repeats}: {one / loky:.2f} times as fast as by "
        f"1 in processes, {one / threads:.2f} in threads."
    )


def _first_byte(genome: bytes) -> float:
    return genome[0] / 255


def _trivial() -> str:
    begin = time.perf_counter()
    with Pool(each(_first_byte), 2) as pool:
        list(evolve(pool, Genetic(64), seed=1, generations=20))
    return (
        f"20 generations of 64 evaluations that cost nothing, by 2 processes, their start with "
        f"it: {time.perf_counter() - begin:.1f} s."
    )


_WORKER = """
from pathlib import Path
from evo import founders
from experiments import parse_config
from experiments.problem import Problem
problem = Problem(parse_config({text!r}))
problem.prepare()
problem.evaluator([bytes(one) for one in founders("uniform", 100, 1)])
status = Path("/proc/self/status").read_text()  # ru_maxrss begins at what the parent held
print(status.split("VmHWM:")[1].split()[0])
"""


def _memory() -> str:
    sizes = {}
    for pixels in (256, 1024):
        text = _config(2, 1)
        text = text.replace("[plant]", f"[picture]\nwidth = {pixels}\nheight = {pixels}\n[plant]")
        done = subprocess.run(
            [sys.executable, "-c", _WORKER.format(text=text)],
            capture_output=True,
            check=True,
            text=True,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
        )
        sizes[pixels] = int(done.stdout) / 1024
    return (
        "A process that has scored 100 uniform genomes held at most "
        f"{sizes[256]:.0f} MB at 256 x 256 and {sizes[1024]:.0f} MB at 1024 x 1024."
    )


def _plain(*, quick: bool) -> str:
    """Return a whole run beside the program that DEAP's tutorial and Pillow make of it."""
    from benchmarks.plain import evolve_plainly

    population, generations = (20, 2) if quick else (60, 8)
    begin = time.perf_counter()
    evaluated = evolve_plainly(population, generations)
    plain = (time.perf_counter() - begin) / evaluated
    ours = _measured(population, generations, 1, "loky")["wall"]
    return (
        f"The same work as a plain program, DEAP's `eaSimple` over lists, growth by `evogarden`, "
        f"circles by Pillow, scores by numpy, {population} plants and {generations} generations: "
        f"{plain * 1e3:.1f} ms a genome, {plain / ours:.0f} times as long as a run by 1 job."
    )


def _growth(*, quick: bool) -> str:
    """Return how the cost grows with genomes and with growth seeds, as exponents."""
    repeats = 3 if quick else 5
    genomes = [bytes(one) for one in founders("seedling", 160, 2)]
    evaluator = _evaluator()
    by_n = {n: _seconds(lambda n=n: evaluator(genomes[:n]), repeats) for n in (20, 40, 80, 160)}
    by_seeds = {}
    for seeds in (1, 2, 4, 8):
        other = _evaluator(seeds)
        by_seeds[seeds] = _seconds(lambda other=other: other(genomes[:40]), repeats)
    return (
        f"The cost of a generation grows with the genomes to the power {_slope(by_n):.2f}, "
        f"with the growth seeds to the power {_slope(by_seeds):.2f}."
    )


def _seconds(work: Any, repeats: int) -> float:
    took = []
    for _ in range(repeats):
        begin = time.thread_time()
        work()
        took.append(time.thread_time() - begin)
    return statistics.median(took)


def _slope(points: dict[int, float]) -> float:
    x, y = np.log(list(points)), np.log(list(points.values()))
    return float(np.polyfit(x, y, 1)[0])
