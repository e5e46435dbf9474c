import math

import numpy as np
import pytest

from fitness import SCORES, Scene
from tests.fitness import pictures


def scene(mask):
    return Scene(mask=mask, root=(mask.shape[1] // 2, mask.shape[0]))


def test_a_full_row_by_hand():
    mask = pictures.empty()
    mask[100] = True
    assert SCORES["light"]()(scene(mask)) == pytest.approx(1 - math.exp(-0.5 / 4), rel=1e-14)


def test_a_pole_from_above_and_from_the_side():
    mask = pictures.empty()
    mask[100:200, 128] = True
    upright = SCORES["light"](angles=[0])(scene(mask))
    assert upright == pytest.approx((1 - math.exp(-0.5 * 100 / 4)) / 256, rel=1e-12)
    slanted = SCORES["light"](angles=[45])(scene(mask))  # a hundred columns meet a pixel each
    assert slanted == pytest.approx(100 * (1 - math.exp(-0.5 / 4)) / 256, rel=1e-12)


@pytest.mark.parametrize("angle", [-50.0, -10.0, 0.0, 33.0])
def test_by_brute_force(angle):
    mask = pictures.tree(depth=5, jitter=0.1)
    met = [0] * 256
    for row, column in np.argwhere(mask):
        shift = round((256 - row - 0.5) * math.tan(math.radians(angle)))
        met[(column + shift) % 256] += 1
    plant = scene(mask)
    want = sum(1 - math.exp(-0.5 * n / 4) for n in met) / 256 * (1 - plant.blob) * plant.piece
    got = SCORES["light"](angles=[angle])(plant)
    assert got == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"angles": []}, "light.angles must be a list of at least one number, got []"),
        ({"angles": 3}, "light.angles must be a list of at least one number, got 3"),
        ({"angles": [90]}, "light.angles must be a finite number from -80 to 80, got 90"),
        ({"k": 0}, "light.k must be above 0, got 0.0"),
        ({"depth": 0}, "light.depth must be a finite number from 0.01 to 1000000.0, got 0"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError) as error:
        SCORES["light"](**parameters)
    assert str(error.value) == message
