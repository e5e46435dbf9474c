import math

import numpy as np
import pytest

from fitness import SCORES, Scene
from fitness.scores.cover import coverage_share, evenness


def scene(mask):
    return Scene(mask=mask, root=(mask.shape[1] // 2, mask.shape[0]))


def quarter(size=64):
    mask = np.zeros((size, size), bool)
    mask[: size // 2, : size // 2] = True
    return mask


BARE = {"evenness": False, "blob": False, "piece": False}


def test_the_bare_share():
    share = SCORES["coverage"](low=1, high=1, soft=1, **BARE)
    assert share(scene(quarter())) == 0.25
    assert share(scene(np.ones((3, 5), bool))) == 1.0
    assert coverage_share(quarter()) == 0.25


def test_the_band():
    assert SCORES["coverage"](low=0.5, high=0.6, soft=0.5, **BARE)(scene(quarter())) == 0.5
    assert SCORES["coverage"](low=0.1, high=0.15, soft=0.2, **BARE)(scene(quarter())) == 0.5


def test_evenness_of_known_pictures():
    assert evenness(np.ones((64, 64), bool)) == pytest.approx(1.0, abs=1e-15)
    assert evenness(quarter()) == pytest.approx(math.log(16) / math.log(64))
    one_block = np.zeros((64, 64), bool)
    one_block[:8, :8] = True
    assert evenness(one_block) == 0.0
    assert evenness(np.zeros((64, 64), bool)) == 0.0
    assert evenness(np.ones((1, 1), bool)) == 1.0
    assert evenness(np.ones((3, 20), bool)) > 0.99


def test_each_factor_has_its_switch():
    mask = np.zeros((256, 256), bool)
    mask[::4, 20:200] = True
    values = {"evenness": evenness(mask), "blob": 1 - scene(mask).blob, "piece": 1 / 64}
    for name, value in values.items():
        on = SCORES["coverage"](**{**BARE, name: True})
        assert on(scene(mask)) == pytest.approx(value)
    assert SCORES["coverage"]()(scene(mask)) == pytest.approx(math.prod(values.values()))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"low": 0.5, "high": 0.4}, "coverage.low must be at most coverage.high (0.4), got 0.5"),
        ({"low": -0.1}, "coverage.low must be a finite number from 0 to 1, got -0.1"),
        ({"soft": math.nan}, "coverage.soft must be a finite number from 0 to 1, got nan"),
        ({"blob": 1}, "coverage.blob must be true or false, got 1"),
        ({"high": "1"}, "coverage.high must be a finite number from 0 to 1, got '1'"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError) as error:
        SCORES["coverage"](**parameters)
    assert str(error.value) == message
