"""The law of `benchmarks.clusters`: known laws are found again, predictions go the right way."""

import dataclasses
from itertools import product

import numpy as np
import pytest

from benchmarks.cost_model import Law, Point, batch, errors, fit, generation, most_workers

LAW = Law(fixed=0.015, chunk=0.003, genome=2e-5, share=1.05)


def made_up(law, noise=0.0, workers=(1, 2, 4, 8)):
    rng = np.random.default_rng(1)
    cases = product((100, 500, 2000), workers, (0.0, 0.0015, 0.03), (1, 4, 32))
    return [Point(*case, batch(law, *case) * (1 + noise * rng.normal())) for case in cases]


def test_a_batch_by_hand():
    # 100 genomes, 8 workers, 4 chunks a worker: 25 chunks of 4, the busiest worker has 4 of them.
    handed_out = 0.015 + 25 * 0.003 + 100 * 2e-5 + 0.0015 * 4
    assert batch(LAW, 100, 8, 0.0015) == pytest.approx(handed_out)
    assert batch(LAW, 100, 8, 0.03) == pytest.approx(0.015 + 1.05 * 0.03 * 16)
    # More workers than genomes: a chunk each.
    assert batch(LAW, 3, 512, 1.0) == pytest.approx(0.015 + 1.05)
    assert batch(LAW, 1, 1, 0.0) == pytest.approx(0.015 + 0.003 + 2e-5)
    assert batch(LAW, 5, 1, 2.0, chunks_a_worker=1) == pytest.approx(0.015 + 1.05 * 10)


@pytest.mark.parametrize(
    "law", [LAW, Law(0.0, 0.001, 0.0, 1.0), Law(0.2, 0.0, 1e-3, 1.5), Law(0.01, 0.05, 0.0, 0.9)]
)
def test_a_known_law_is_found_again(law):
    found = fit(made_up(law))
    assert dataclasses.astuple(found) == pytest.approx(dataclasses.astuple(law), abs=1e-9)
    assert abs(errors(found, made_up(law, workers=(16, 64)))).max() < 1e-6


def test_a_known_law_is_found_again_under_noise():
    found = fit(made_up(LAW, noise=0.05))
    assert found.fixed == pytest.approx(LAW.fixed, rel=0.1)
    assert found.chunk == pytest.approx(LAW.chunk, rel=0.05)
    assert found.genome == pytest.approx(LAW.genome, rel=0.3)
    assert found.share == pytest.approx(LAW.share, rel=0.02)
    held_out = made_up(LAW, noise=0.05, workers=(16,))
    assert 0.03 < np.sqrt((errors(found, held_out) ** 2).mean()) < 0.07


def test_no_part_of_a_law_is_below_zero():
    falling = [Point(n, w, 0.0, 4, 1 / n) for n, w in product((10, 100, 1000), (1, 2))]
    assert min(dataclasses.astuple(fit(falling))) >= 0


def test_what_costs_more_takes_longer():
    for n, workers in product((100, 1000, 5000), (1, 8, 64, 512)):
        times = [generation(LAW, n, workers, e, 1e-4)[0] for e in (0.0, 0.001, 0.01, 0.1)]
        assert times == sorted(times)
        assert generation(LAW, n, workers, 0.01, 2e-4)[0] > generation(LAW, n, workers, 0.01, 0)[0]
        for name in ("fixed", "chunk", "genome", "share"):
            dearer = dataclasses.replace(LAW, **{name: 2 * getattr(LAW, name)})
            assert batch(dearer, n, workers, 0.01) >= batch(LAW, n, workers, 0.01)


def test_without_costs_a_cluster_is_as_fast_as_it_has_workers():
    free = Law(0.0, 0.0, 0.0, 1.0)
    for workers in (1, 2, 4, 8, 64):
        assert generation(free, 6400, workers, 0.01, 0.0)[1] == pytest.approx(workers)
    times = [batch(free, 4096, 2**k, 0.01) for k in range(13)]
    assert times == sorted(times, reverse=True)


def test_no_more_times_as_fast_than_bookkeeping_allows():
    seconds, times = generation(Law(0.0, 0.0, 0.0, 1.0), 64, 64, 0.01, 0.005)
    assert seconds == pytest.approx(0.01 + 64 * 0.005)
    assert times == pytest.approx(64 * 0.015 / seconds)
    for workers in (8, 64, 512):
        assert generation(LAW, 5000, workers, 0.0015, 1e-4)[1] < 1 + 0.0015 / 1e-4


def test_where_it_stops_paying():
    free, dear = Law(0.0, 0.0, 0.0, 1.0), Law(0.0, 1.0, 0.0, 1.0)
    assert most_workers(free, 64, 0.01, 0.0, limit=256) == (128, 64)
    assert most_workers(dear, 64, 0.01, 0.0, limit=256) == (0, 1)
    half, fastest = most_workers(LAW, 1000, 0.03, 1e-4)
    assert 1 < half < 512
    assert generation(LAW, 1000, half, 0.03, 1e-4)[1] >= half / 2
    seconds = generation(LAW, 1000, fastest, 0.03, 1e-4)[0]
    assert all(seconds <= generation(LAW, 1000, w, 0.03, 1e-4)[0] for w in range(1, 600))
