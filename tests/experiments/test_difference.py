"""The distance between plants: zero for twins, tolerant of a jitter, near one for strangers."""

import itertools

import numpy as np
import pytest

from evo import founders
from evo.genome import locus
from experiments.difference import Difference
from render import Window


@pytest.fixture(scope="module")
def difference():
    return Difference(Window(256, 256), 1, 100_000, None)


@pytest.fixture(scope="module")
def plants():
    return [bytes(one) for one in founders("seedling", 12, 4)]


def changed(genome, gene, by):
    genes = np.frombuffer(genome, np.uint8).reshape(10, 18).copy()
    genes[:, locus(gene)] = np.clip(genes[:, locus(gene)].astype(int) + by, 0, 255)
    return genes.tobytes()


def test_equal_plants_have_no_distance_and_order_does_not_matter(difference, plants):
    for a, b in itertools.pairwise(plants):
        assert difference(a, a) == 0.0
        assert difference(a, b) == difference(b, a)
        assert 0 < difference(a, b) <= 1


def test_colors_do_not_count(difference, plants):
    for genome in plants:
        assert difference(genome, changed(genome, "red", 90)) == 0.0


def test_a_jitter_is_nearer_than_a_stranger(difference, plants):
    jitter = [difference(genome, changed(genome, "spread", 2)) for genome in plants]
    strangers = [difference(a, b) for a, b in itertools.combinations(plants, 2)]
    assert np.median(jitter) < 0.1
    assert min(strangers) > 0.1


def test_empty_plants_are_equal():
    nothing = Difference(Window(64, 64, root=(-4000, 0)), 1, 100, None)
    assert nothing(bytes(180), bytes([255]) * 180) == 0.0
