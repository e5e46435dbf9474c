from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evo.chance import PURPOSES, as_rng, bell, below, chances, raw_bytes, stream, words


def test_draws_are_pinned():
    # A change here changes every run ever made: numpy promises these words for all versions.
    rng = stream(42, "variation", 7)
    assert [f"{w:016x}" for w in words(rng, 2)] == ["e35b3d2331bdd0dc", "771db076ef1413fc"]
    assert raw_bytes(rng, 5).tolist() == [114, 116, 92, 195, 105]
    assert np.flatnonzero(chances(rng, 0.25, 16)).tolist() == [1, 4, 8, 9, 14]
    assert below(rng, 1000, 4).tolist() == [356, 425, 980, 185]
    assert bell(rng, 128, 20, 4).tolist() == [142, 149, 143, 108]


def test_addresses_are_apart():
    keys = [(s, p, g) for s in (0, 1, 2**32, 2**64 - 1) for p in PURPOSES for g in (0, 1, 2, 2**32)]
    first = {int(words(stream(*key), 1)[0]) for key in keys}
    assert len(first) == len(keys)
    assert (
        words(stream(5, "founders", 3), 4).tolist() == words(stream(5, "founders", 3), 4).tolist()
    )


def test_purposes_keep_their_places():
    assert PURPOSES[:3] == ("founders", "variation", "restart")


def test_as_rng():
    rng = np.random.default_rng(1)
    assert as_rng(rng) is rng
    assert words(as_rng(9), 3).tolist() == words(as_rng(np.int64(9)), 3).tolist()
    assert words(as_rng(9), 3).tolist() == words(np.random.default_rng(9), 3).tolist()


@pytest.mark.parametrize("wrong", [True, 1.0, "1", None, -1, 2**64, np.random.RandomState(1)])
def test_as_rng_refuses(wrong):
    with pytest.raises(ValueError, match="^rng must "):
        as_rng(wrong)


def test_as_rng_refuses_other_bit_generators():
    with pytest.raises(ValueError, match="rng must use PCG64, got 'MT19937'"):
        as_rng(np.random.Generator(np.random.MT19937(1)))
    with pytest.raises(ValueError, match="rng must use PCG64, got 'PCG64DXSM'"):
        as_rng(np.random.Generator(np.random.PCG64DXSM(1)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (1.5, "founders", 0),
            "seed must be a whole number from 0 to 18446744073709551615, got 1.5",
        ),
        ((1, "founder", 0), "purpose must be one of .*nearest: 'founders'.*got 'founder'"),
        ((1, "founders", -1), "generation must be a whole number of at least 0, got -1"),
    ],
)
def test_stream_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        stream(*arguments)


@given(st.integers(0, 2**64 - 1), st.integers(0, 300))
def test_lengths_and_word_counts(seed, n):
    rng = as_rng(seed)
    assert raw_bytes(rng, n).shape == chances(rng, 0.5, n).shape == below(rng, 7, n).shape == (n,)
    assert bell(rng, 0, 1, n).shape == (n,)
    used = -(-n // 8) + n + n + 3 * n
    after = np.random.PCG64(seed)
    after.random_raw(used)
    assert after.state == rng.bit_generator.state


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**31))
def test_below_stays_below(seed, bound):
    drawn = below(as_rng(seed), bound, 50)
    assert drawn.dtype == np.int64
    assert drawn.min() >= 0
    assert drawn.max() < bound


def test_extremes_of_chance():
    assert not chances(as_rng(1), 0, 10_000).any()
    assert chances(as_rng(1), 1, 10_000).all()
    assert chances(as_rng(1), 1 - 2**-53, 10_000).all()
    assert not below(as_rng(1), 1, 100).any()
    assert (bell(as_rng(1), 7, 0, 100) == 7).all()
    assert (bell(as_rng(1), -7, 0, 100) == -7).all()


def test_the_threshold_of_a_chance_is_exact():
    made = np.array([0, 2**63 - 1, 2**63, 2**64 - 1], np.uint64)
    fake = SimpleNamespace(bit_generator=SimpleNamespace(random_raw=lambda n: made))
    assert chances(fake, 0.5, 4).tolist() == [True, True, False, False]
    assert not chances(fake, 0, 4).any()
    assert chances(fake, 1, 4).all()


def test_shares():
    n = 200_000
    for probability in (0.02, 0.5, 0.9):
        share = chances(as_rng(3), probability, n).mean()
        assert abs(share - probability) < 4 * (probability * (1 - probability) / n) ** 0.5
    for draw in (raw_bytes(as_rng(4), n), below(as_rng(5), 256, n)):
        counts = np.bincount(draw, minlength=256)
        chi = ((counts - n / 256) ** 2 / (n / 256)).sum()
        assert 180 < chi < 340  # 255 degrees of freedom: sd 22.6
    drawn = bell(as_rng(6), 100.25, 20, n)
    assert abs(drawn.mean() - 100.25) < 0.2
    assert abs(drawn.std() - 20) < 0.2
    assert 0.30 < (drawn > 110).mean() < 0.32  # of a normal distribution: 0.3085
