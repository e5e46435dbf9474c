import hashlib

import numpy as np
import pytest

from evo import FOUNDERS, GENES, Individual, founders
from evo.genome import locus
from evo.population import SEEDLING


@pytest.mark.parametrize("kind", FOUNDERS)
def test_common_contract(kind):
    people = founders(kind, 7, 3)
    assert all(type(one) is Individual for one in people)
    assert len({bytes(one) for one in people}) == 7
    assert len({id(one.fitness) for one in people}) == 7
    assert not any(one.fitness.valid for one in people)
    assert {one.operators for one in people} == {"founder"}
    assert {one.parents for one in people} == {()}
    assert people == founders(kind, 7, np.random.default_rng(3))
    assert people != founders(kind, 7, 4)
    assert founders(kind, 0, 3) == []


def test_founders_are_pinned():
    digests = {
        kind: hashlib.sha256(b"".join(founders(kind, 20, 42))).hexdigest()[:16] for kind in FOUNDERS
    }
    assert digests == {"seedling": "9242c2ed0be232ea", "uniform": "545a37b7b05700a7"}


def test_uniform_founders_have_every_byte_everywhere():
    genes = np.array([one.genes for one in founders("uniform", 4000, 1)])
    assert len(np.unique(genes)) == 256
    means = genes.mean(axis=0)
    assert np.abs(means - 127.5).max() < 5 * 73.9 / 4000**0.5


def test_seedlings_follow_their_table():
    genes = np.array([one.genes for one in founders("seedling", 1000, 1)]).astype(int)
    assert {"red", "green", "blue", "children"} == {g.name for g in GENES} - set(SEEDLING)
    for name, (mean, sd) in SEEDLING.items():
        normal = np.random.default_rng(0).normal(mean, sd, 100_000).round().clip(0, 255)
        drawn = genes[:, :, locus(name)]
        assert abs(drawn.mean() - normal.mean()) < 5 * sd / 100 + 0.1, name
        assert abs(drawn.std() - normal.std()) < 0.05 * sd + 0.1, name
    red, green, blue = (genes[:, :, locus(name)] for name in ("red", "green", "blue"))
    assert (red[:, :3].mean(), green[:, :3].mean(), blue[:, :3].mean()) == pytest.approx(
        (104, 76, 52), abs=3
    )
    assert (green[:, 3:8] > red[:, 3:8]).mean() > 0.75
    for channel in (red, green, blue):
        assert abs(channel[:, 8:].mean() - 127.5) < 5
        assert len(np.unique(channel[:, 8:])) == 256
    children = genes[:, :, locus("children")]
    assert abs((children < 86).mean() - 0.5) < 0.02
    assert abs((children > 170).mean() - 0.1) < 0.02


def test_words_of_errors():
    with pytest.raises(
        ValueError,
        match="founders must be one of 'seedling', 'uniform' "
        r"\(nearest: 'seedling'\), got 'seedlings'",
    ):
        founders("seedlings", 1, 1)
    with pytest.raises(ValueError, match="n must be a whole number of at least 0, got -1"):
        founders("uniform", -1, 1)
    with pytest.raises(
        ValueError, match="rng must be a numpy Generator or a whole number, got 1.5"
    ):
        founders("uniform", 1, 1.5)
