"""What a dask cluster brings: a law fitted to measured batches, and its predictions.

    python -m benchmarks.clusters

Evaluations sleep for a time that is given, so that few cores can hold many workers: the scheduler
is a process, workers are the threads of two more. Takes about four minutes; the figures of
docs/scaling.md. The law itself is in `benchmarks.cost_model`.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import numpy as np

from benchmarks import generations
from benchmarks.cost_model import Law, Point, errors, fit, generation, most_workers
from evo import Pool, founders
from experiments import parse_config
from experiments.problem import Problem

ROOT = Path(__file__).parents[1]
WORKERS = (1, 2, 4, 8, 16)
HELD_OUT = 16
GENOMES = (100, 500, 2000)
EVALUATIONS = (0.0, 0.0015, 0.03)
CHUNKS_A_WORKER = (1, 4, 32)
LONGEST = 2.5
"""Seconds of evaluation a worker: batches that would take longer are left out."""

POPULATIONS = (100, 1000, 5000)
PREDICTED = (8, 64, 512)
LARGE = ("plant.samples=12", "picture.width=1024", "picture.height=1024")


class Sleeping:
    """An evaluation that takes a given time and no processor, and gives what scores give."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __call__(self, genomes: Sequence[bytes]) -> np.ndarray:
        if self.seconds:
            time.sleep(self.seconds * len(genomes))
        return np.zeros((len(genomes), 3, 3))


@contextmanager
def _cluster(workers: int) -> Iterator[str]:
    """Start a scheduler and so many threads of workers in two processes; give the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    address = f"tcp://127.0.0.1:{port}"
    local = ("--host", "127.0.0.1", "--no-dashboard")
    threads = [n for n in (workers - workers // 2, workers // 2) if n]
    commands = [
        ("scheduler", "--port", port, *local),
        *(("worker", address, "--no-nanny", "--nthreads", str(n), *local) for n in threads),
    ]
    path = f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    started = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{name}", *arguments],
            env=os.environ | {"PYTHONPATH": path},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for name, *arguments in commands
    ]
    try:
        _listens(int(port))
        yield address
    finally:
        for process in started:
            process.kill()
            process.wait()


def _listens(port: int, seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1.0).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return


def _measured(workers: int, repeats: int = 3) -> list[Point]:
    """Return the times of batches on so many workers, each the fastest of some: others disturb."""
    genomes = [bytes(one) for one in founders("uniform", max(GENOMES), 1)]
    points = []
    with _cluster(workers) as address:
        for evaluation in EVALUATIONS:
            with Pool(Sleeping(evaluation), -1, "dask", scheduler=address) as pool:
                while pool._cluster.cores < workers:
                    pool._cluster.look()
                    time.sleep(0.05)
                pool(genomes[: 4 * workers])
                for n in GENOMES:
                    if n * evaluation / workers > LONGEST:
                        continue
                    for per in CHUNKS_A_WORKER:
                        took = []
                        with mock.patch("evo.pool.CHUNKS_A_JOB", per):
                            for _ in range(repeats):
                                began = time.perf_counter()
                                pool(genomes[:n])
                                took.append(time.perf_counter() - began)
                        seconds = min(took)
                        points.append(Point(n, workers, evaluation, per, seconds))
    return points


def _large(n: int = 12) -> float:
    """Return the seconds of a processor that a genome takes: uniform, 12 growth seeds, 1024^2."""
    text = generations.CONFIG.format(population=2, generations=1, jobs=1, backend="loky")
    problem = Problem(parse_config(text, overrides=list(LARGE)))
    problem.prepare()
    genomes = [bytes(one) for one in founders("uniform", n, 9)]
    return generations._seconds(lambda: problem.evaluator(genomes), 3) / n


def _law_lines(points: Sequence[Point]) -> list[str]:
    law = fit(points)
    known = [point for point in points if point.workers < HELD_OUT]
    held = [point for point in points if point.workers == HELD_OUT]
    rows = (
        ("all", law, points),
        (f"fewer than {HELD_OUT} workers", fit(known), known),
        (f"the same, at {HELD_OUT} workers it has not seen", fit(known), held),
    )
    lines = [
        "| fitted to | batches | fixed, ms | a chunk, ms | a genome, us | share "
        "| off by, median | off by, 9 in 10 | off by, mean |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, one, seen in rows:
        off = errors(one, seen)
        lines.append(
            f"| {name} | {len(seen)} | {one.fixed * 1e3:.1f} | {one.chunk * 1e3:.2f} "
            f"| {one.genome * 1e6:.1f} | {one.share:.3f} | {100 * np.median(abs(off)):.0f} % "
            f"| {100 * np.quantile(abs(off), 0.9):.0f} % | {100 * off.mean():+.0f} % |"
        )
    return lines


def _worker_lines(points: Sequence[Point]) -> list[str]:
    """Return what a chunk cost at each number of workers, where there was nothing to evaluate."""
    lines = ["| workers | a chunk of no evaluation, ms |", "| ---: | ---: |"]
    for workers in WORKERS:
        law = fit([p for p in points if p.workers == workers and not p.evaluation])
        lines.append(f"| {workers} | {law.chunk * 1e3:.2f} |")
    return lines


def _prediction_lines(
    law: Law, evaluations: Sequence[float], bookkeeping: dict[int, float]
) -> list[str]:
    heads = [f"{workers} workers" for workers in PREDICTED]
    lines = [
        f"| evaluation, ms | population | one job, s | {' | '.join(heads)} | half used up to "
        "| fastest at |",
        "| ---: " * (len(PREDICTED) + 5) + "|",
    ]
    for evaluation in evaluations:
        for n in POPULATIONS:
            cells = []
            for workers in PREDICTED:
                _, times = generation(law, n, workers, evaluation, bookkeeping[n])
                cells.append(f"{times:.1f} ({100 * times / workers:.0f} %)")
            half, fastest = most_workers(law, n, evaluation, bookkeeping[n])
            alone = n * (evaluation + bookkeeping[n])
            lines.append(
                f"| {evaluation * 1e3:.1f} | {n:,} | {alone:.2f} | {' | '.join(cells)} | {half} "
                f"| {fastest} |"
            )
    return lines


def main() -> None:
    runs = {n: generations._measured(n, max(4, 2000 // n), 1, "loky") for n in POPULATIONS}
    bookkeeping = {n: run["bookkeeping"] for n, run in runs.items()}
    evaluations = [runs[max(runs)]["evaluation"], _large()]
    points = [point for workers in WORKERS for point in _measured(workers)]
    sizes = ", ".join(f"{value * 1e6:.0f} us at {n:,}" for n, value in bookkeeping.items())
    parts = [
        _law_lines(points),
        _worker_lines(points),
        [f"Bookkeeping a genome: {sizes}."],
        _prediction_lines(fit(points), evaluations, bookkeeping),
    ]
    print("\n\n".join("\n".join(part) for part in parts))


if __name__ == "__main__":
    main()
