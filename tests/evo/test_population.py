import hashlib

import numpy as np
import pytest

from evo import FOUNDERS, GENES, Individual, founders
from evo.genome import locus
from evo.population import _COLORS, SEEDLING


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
    columns = [(genes[:, :, locus(name)], *row) for name, row in SEEDLING.items()]
    for level, channels in enumerate(_COLORS):
        for channel, row in enumerate(channels):
            columns.append((genes[:, level, locus("red") + channel], *row))
    for drawn, mean, sd in columns:
        normal = np.random.default_rng(0).normal(mean, sd, 100_000).round().clip(0, 255)
        assert abs(drawn.mean() - normal.mean()) < 5 * sd / drawn.size**0.5 + 0.1
        assert abs(drawn.std() - normal.std()) < 0.12 * sd + 0.1
    blossom = genes[:, len(_COLORS) :, 1:4]
    assert abs(blossom.mean() - 127.5) < 5
    assert len(np.unique(blossom)) == 256
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
