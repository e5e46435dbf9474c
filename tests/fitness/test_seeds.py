import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fitness import growth_seeds


@given(st.integers(0, 2**64 - 1))
def test_streams_never_share_a_seed(seed):
    samples = growth_seeds(seed, 20, "samples")
    unseen = growth_seeds(seed, 20, "unseen")
    assert len({*samples, *unseen}) == 40
    assert all(0 <= value < 2**64 for value in samples + unseen)


def test_more_seeds_keep_the_first_ones():
    assert growth_seeds(42, 8)[:3] == growth_seeds(42, 3)
    assert growth_seeds(42, 0) == ()


def test_seeds_are_the_same_everywhere():
    assert growth_seeds(42, 2, "samples") == GOLDEN["samples"]
    assert growth_seeds(42, 2, "unseen") == GOLDEN["unseen"]


def test_runs_of_near_seeds_share_none():
    assert len({s for seed in range(50) for s in growth_seeds(seed, 20)}) == 1000


def test_global_random_states_are_neither_read_nor_moved():
    before = random.getstate(), np.random.get_state()[1].tolist()
    first = growth_seeds(1, 5)
    random.seed(99)
    assert growth_seeds(1, 5) == first
    random.setstate(before[0])
    assert np.random.get_state()[1].tolist() == before[1]


@pytest.mark.parametrize("bad", [-1, 2**64, 1.0, "1", True, None])
def test_bad_seeds_are_refused(bad):
    with pytest.raises(ValueError, match="seed must be a whole number from 0 to"):
        growth_seeds(bad, 1)


def test_bad_stream_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match=r"stream must be one of .* \(nearest: 'unseen'\), got"):
        growth_seeds(1, 1, "unsen")


GOLDEN = {
    "samples": (3974679891402937966, 11490326223903183290),
    "unseen": (17977478879156922532, 15756094607438597448),
}
