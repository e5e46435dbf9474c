import numpy as np
import pytest

from fitness import SCORES, Scene
from fitness.scores.terrain import attached_share
from tests.fitness import pictures

X = np.linspace(0, 1, 256)
WAVES = np.rint(200 + 25 * np.sin(X * 7) + 12 * np.sin(X * 19)).astype(int)
FLAT = np.full(256, 240)
ROWS = np.arange(256)[:, None]


def scene(mask, ground=FLAT, column=128):
    mask = mask.copy()
    return Scene(mask=mask, root=(column, int(ground[column])), ground=ground)


def over(ground, low, high):
    """The pixels from `low` to `high` px over the ground."""
    return (ground - low > ROWS) & (ground - high <= ROWS)


CARPET = over(WAVES, 0, 3)
FLOATING = over(WAVES, 48, 60)
HEDGE = over(WAVES, 0, 60)


def with_stem(mask, ground=WAVES):
    mask = mask.copy()
    mask[:, 126:130] |= over(ground, 0, 61)[:, 126:130]
    return mask


class TestRooted:
    score = SCORES["terrain_rooted"]()

    def test_a_tree_on_its_root_scores_one(self):
        assert self.score(scene(pictures.tree())) == 1.0

    def test_floating_ink_costs_its_share(self):
        mask = pictures.tree().copy()
        mask[10:20, 10:30] = True
        area = mask.sum()
        assert self.score(scene(mask)) == pytest.approx((area - 200) / area)
        assert self.score(scene(FLOATING, WAVES)) == 0.0

    def test_pieces_count_within_six_pixels_of_the_root(self):
        for shift, rooted in ((0, True), (5, True), (6, False), (-6, True), (-7, False)):
            mask = pictures.empty()
            mask[100:240, 128 + shift] = True
            assert (self.score(scene(mask)) == 1.0) == rooted

    def test_ink_may_begin_on_the_first_row_of_ground(self):
        for bottom, rooted in ((239, 0.0), (240, 1.0), (241, 1.0)):
            mask = pictures.empty()
            mask[100:bottom, 128] = True
            assert self.score(scene(mask)) == rooted

    def test_buried_ink_costs(self):
        mask = pictures.empty()
        mask[40:240, 120:130] = True
        mask[244:246, 120:130] = True  # 20 of 2020 lie deeper than 4 px
        mask[240:244, 120:130] = True
        buried = 20 / 2060
        assert self.score(scene(mask)) == pytest.approx(1 - buried / 0.15)

    def test_carpets_are_refused(self):
        assert self.score(scene(CARPET, WAVES)) < 0.2
        assert self.score(scene(pictures.bar(238, 6))) < 0.2


class TestBand:
    def test_a_hedge_fills_the_band(self):
        assert SCORES["terrain_band"]()(scene(HEDGE, WAVES)) == 1.0
        assert SCORES["terrain_band"](fill=1)(scene(HEDGE, WAVES)) == 1.0

    def test_half_of_it_is_enough_unless_asked_for_more(self):
        half = HEDGE & (np.arange(256) % 2 == 0)
        assert SCORES["terrain_band"]()(scene(half, WAVES)) == 1.0
        assert SCORES["terrain_band"](fill=1)(scene(half, WAVES)) == pytest.approx(2 * 0.5 / 1.5)

    def test_precision_and_recall_by_hand(self):
        mask = over(FLAT, 0, 80) & (np.arange(256) < 64)
        want = 2 * 0.75 * 0.5 / (0.75 + 0.5)
        assert SCORES["terrain_band"]()(scene(mask)) == pytest.approx(want)
        assert SCORES["terrain_band"]()(scene(over(FLAT, 60, 90))) == 0.0

    def test_ink_under_the_ground_is_not_counted(self):
        mask = HEDGE | (ROWS >= WAVES + 3)
        assert SCORES["terrain_band"]()(scene(mask, WAVES)) == 1.0
        assert SCORES["terrain_band"]()(scene(ROWS >= WAVES + 1 + 0 * X, WAVES)) == 0.0

    def test_the_band_thins_above_the_tree_line(self):
        slope = np.linspace(200, 100, 256)
        wanted = SCORES["terrain_band"](tree_line=0.5).wanted(scene(pictures.empty(), slope))
        heights = wanted.sum(axis=0)
        assert heights[:120].tolist() == [60] * 120
        assert heights[192] == pytest.approx(30, abs=1)
        assert heights[-1] == 0
        assert (SCORES["terrain_band"]().wanted(scene(pictures.empty(), slope)).sum(0) == 60).all()

    def test_a_band_outside_the_window_is_refused(self):
        with pytest.raises(
            ValueError, match=r"terrain_band.height must leave a band in the window"
        ):
            SCORES["terrain_band"]().prepare(scene(pictures.empty(), np.zeros(256)))


class TestFollow:
    score = SCORES["terrain_follow"]()

    def test_a_crown_that_follows_the_ground_scores_one(self):
        assert self.score(scene(with_stem(FLOATING), WAVES)) > 0.95
        assert self.score(scene(HEDGE, WAVES)) == 1.0

    def test_on_flat_ground_a_flat_crown_scores_one(self):
        assert self.score(scene(with_stem(over(FLAT, 40, 60), FLAT))) > 0.95

    def test_a_flat_crown_over_waves_scores_less(self):
        flat = with_stem(pictures.bar(120, 10))
        flat[120:200, 126:130] = True
        assert self.score(scene(flat, WAVES)) < 0.3
        assert self.score(scene(pictures.full(), WAVES)) < 0.1

    def test_floating_copies_and_carpets_are_refused(self):
        assert self.score(scene(FLOATING, WAVES)) == 0.0
        assert self.score(scene(CARPET, WAVES)) < 0.2

    def test_narrow_plants_score_by_their_width(self):
        pole = pictures.pole(width=24, top=100)
        assert self.score(scene(pole)) == pytest.approx(24 / 76.8)


class TestFit:
    def test_it_is_the_product(self):
        for mask in (HEDGE, CARPET, FLOATING, pictures.tree()):
            plant = scene(mask, WAVES)
            want = SCORES["terrain_rooted"]()(plant) * SCORES["terrain_band"]()(plant)
            assert SCORES["terrain_fit"]()(plant) == want


def test_ink_that_begins_in_the_first_row_of_ground_is_attached():
    for top, share in ((239, 1.0), (240, 1.0), (241, 0.0)):
        mask = pictures.empty()
        mask[top:250, 128] = True
        assert attached_share(scene(mask)) == share
