import numpy as np
import pytest

from fitness import SCORES, Scene
from tests.fitness import pictures

HEIGHTS = np.tile(np.linspace(0, 1, 256), (256, 1))


def scene(mask, heights=None):
    return Scene(mask=mask, root=(128, 128), heights=HEIGHTS if heights is None else heights)


def test_a_plant_that_fills_what_suits_scores_one():
    score = SCORES["terrain_density"](low=0, high=0.49, soft=0, slope_max=1e9)
    mask = np.zeros((256, 256), bool)
    mask[:, :128] = True
    assert score(scene(mask)) == pytest.approx(125 / 128, abs=0.03)
    assert score(scene(~mask)) < 0.05
    assert score(scene(pictures.full())) == pytest.approx(0.5 / (1 + 9), abs=0.005)


def test_ink_as_dense_as_the_suitability_scores_one():
    """Over heights that suit less and less to the right, ink that thins out in the same way."""
    score = SCORES["terrain_density"](low=-1, high=0, soft=1, slope_max=1e9)
    columns = np.arange(256)
    mask = (np.arange(256)[:, None] * 37 + columns * 11) % 256 < 256 * (1 - columns / 255)
    assert score(scene(mask)) > 0.96
    assert score(scene(mask[:, ::-1].copy())) < 0.1


def test_even_cover_is_what_an_even_map_asks_for():
    score = SCORES["terrain_density"](low=0.4, high=0.6)
    assert score(scene(pictures.full(), np.full((256, 256), 0.5))) == pytest.approx(1.0)
    nearly = np.full((256, 256), 0.5)
    nearly[:8] = 0.65  # too high, and the row below too steep
    assert 0.4 < score(scene(pictures.full(), nearly)) < 0.95


def test_a_stray_plant_has_a_slope_to_climb():
    score = SCORES["terrain_density"](low=0, high=0.49, soft=0, slope_max=1e9)
    values = []
    for left in range(200, 90, -20):  # from the side that suits nothing to the one that does
        mask = pictures.empty()
        mask[100:150, left - 50 : left + 20] = True
        values.append(score(scene(mask)))
    assert values == sorted(values)
    assert values[-1] > values[0]


def test_slope_takes_suitability_away():
    heights = HEIGHTS.copy()
    heights[:, 128:] = 0.5  # flat on the right
    score = SCORES["terrain_density"](low=0, high=1, slope_max=1.1)
    suits = score.suitability(heights)
    assert suits.sum() == pytest.approx(1.0)
    slope = 32 * (8 / 255)  # heights of a cell to the next, per width
    assert suits[0, 3] / suits[0, 30] == pytest.approx(1 - slope / 1.1)


@pytest.mark.parametrize("down", [0.0, 2.0])
@pytest.mark.parametrize("across", [0.0, 1.0])
def test_slopes_are_heights_per_width_in_both_directions(down, across):
    """In a window of 45 x 54 px, 5 x 6 cells of 9 px."""
    score = SCORES["terrain_density"](low=-9, high=9, slope_max=4)
    heights = np.add.outer(np.arange(45) * down / 54, np.arange(54) * across / 54)
    heights[:, 27:] = heights[20, 26]  # flat on the right
    suits = score.suitability(heights)
    assert suits.shape == (5, 6)
    assert suits[2, 1] / suits[2, 4] == pytest.approx(1 - np.hypot(down, across) / 4)


def test_whole_number_heights_are_taken():
    heights = np.rint(HEIGHTS * 1000).astype(np.int16)
    score = SCORES["terrain_density"](low=300, high=600, soft=100, slope_max=4000)
    want = SCORES["terrain_density"]()(scene(pictures.tree()))
    assert score(scene(pictures.tree(), heights)) == pytest.approx(want, abs=0.01)


def test_a_band_that_no_cell_meets_is_refused():
    score = SCORES["terrain_density"](low=5, high=6)
    with pytest.raises(ValueError) as error:
        score.prepare(scene(pictures.empty()))
    want = "terrain_density must be met by a cell: 5 to 6 (soft 0.1) and a slope below 4, got "
    assert str(error.value).startswith(want + "'heights from 0.01373 to 0.9863, slopes from 1")


def test_low_above_high_is_refused():
    with pytest.raises(ValueError, match=r"terrain_density.low must be at most"):
        SCORES["terrain_density"](low=2, high=1)
