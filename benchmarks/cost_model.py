"""What a generation takes on a cluster, as a law: its fit to measured times, and what it predicts.

Pure functions; `benchmarks.clusters` measures. A batch of n genomes is cut into m chunks of at
most s. With W workers the one that has most to do evaluates n_W = s * ceil(m / W) of them, e
seconds each. Chunks are handed out one after the other while workers evaluate those that they
have, so that the slower of the two counts, the last chunk being evaluated once it is out:

    seconds = fixed + max(chunk * m + genome * n + e * s,  share * e * n_W)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls

from evo.pool import CHUNKS_A_JOB

__all__ = ["Law", "Point", "batch", "errors", "fit", "generation", "most_workers"]


class Point(NamedTuple):
    """A batch whose time was taken."""

    genomes: int
    workers: int
    evaluation: float
    chunks_a_worker: int
    seconds: float


@dataclass(frozen=True)
class Law:
    """Seconds a batch, a chunk and a genome; and how many times its evaluations a worker takes."""

    fixed: float
    chunk: float
    genome: float
    share: float


def _cut(genomes: int, workers: int, chunks_a_worker: int) -> tuple[int, int, int]:
    """Return the number of chunks, their size, and the genomes of the worker that has most."""
    size = max(1, -(-genomes // (workers * chunks_a_worker)))
    chunks = -(-genomes // size)
    return chunks, size, min(genomes, size * -(-chunks // workers))


def fit(points: Sequence[Point], rounds: int = 50) -> Law:
    """Return the law with the least squares of relative errors, no part of it below 0.

    Linear once it is known which side of the maximum counts at each point: guessed, fitted, and
    guessed anew by the fit until nothing changes.
    """
    seconds = np.array([point.seconds for point in points])
    cut = np.array([_cut(p.genomes, p.workers, p.chunks_a_worker) for p in points], float)
    evaluation = np.array([point.evaluation for point in points])
    genomes = np.array([point.genomes for point in points], float)
    chunks, size, most = cut.T
    evaluating = evaluation * most > seconds / 2
    found = np.zeros(4)
    for _ in range(rounds):
        out = ~evaluating
        rows = np.stack([np.ones(len(points)), chunks * out, genomes * out, 0 * chunks], axis=1)
        rows[evaluating, 3] = (evaluation * most)[evaluating]
        wanted = (seconds - evaluation * size * out) / seconds
        scale = (rows / seconds[:, None]).max(axis=0)  # so that no column drowns another
        scale[scale == 0] = 1.0
        found = nnls(rows / seconds[:, None] / scale, wanted)[0] / scale
        _, chunk, genome, share = found
        handing_out = chunk * chunks + genome * genomes + evaluation * size
        now = share * evaluation * most > handing_out
        if (now == evaluating).all():
            break
        evaluating = now
    return Law(*found.tolist())


def batch(
    law: Law,
    genomes: int,
    workers: int,
    evaluation: float,
    chunks_a_worker: int = CHUNKS_A_JOB,
) -> float:
    """Return the seconds of a batch."""
    chunks, size, most = _cut(genomes, workers, chunks_a_worker)
    fixed, chunk, genome, share = astuple(law)
    handing_out = chunk * chunks + genome * genomes + evaluation * size
    return float(fixed + max(handing_out, share * evaluation * most))


def errors(law: Law, points: Sequence[Point]) -> np.ndarray:
    """Return how far the law is off at each point, as a share of what was measured: (n,)."""
    return np.array([batch(law, *point[:4]) / point.seconds - 1 for point in points])


def generation(
    law: Law, genomes: int, workers: int, evaluation: float, bookkeeping: float
) -> tuple[float, float]:
    """Return the seconds of a generation, and how many times as fast as one job's it is.

    Parameters
    ----------
    law : Law
    genomes, workers : int
    evaluation, bookkeeping : float
        Seconds a genome: at a worker, and in the process of the run. One job pays these two.
    """
    seconds = bookkeeping * genomes + batch(law, genomes, workers, evaluation)
    return seconds, (evaluation + bookkeeping) * genomes / seconds


def most_workers(
    law: Law, genomes: int, evaluation: float, bookkeeping: float, limit: int = 2048
) -> tuple[int, int]:
    """Return the most workers that are half used, 0 if none are, and the number that is fastest."""
    made = {
        workers: generation(law, genomes, workers, evaluation, bookkeeping)
        for workers in range(1, limit + 1)
    }
    half_used = [workers for workers, (_, times) in made.items() if times / workers >= 0.5]
    return max(half_used, default=0), min(made, key=lambda workers: made[workers][0])
