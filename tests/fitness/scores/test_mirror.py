import numpy as np
import pytest

from fitness import SCORES, Scene
from fitness.scores.mirror import fit_axis


def scene(mask, column=None):
    return Scene(mask=mask, root=(mask.shape[1] // 2 if column is None else column, 0))


def fork(jitter=0):
    """Two diagonal branches of a Y, 5 px thick, in a window of 128 px."""
    mask = np.zeros((128, 128), bool)
    mask[60:120, 61:67] = True
    for k in range(50):
        mask[60 - k : 64 - k, 61 - k : 66 - k] = True
        mask[60 - k + jitter : 64 - k + jitter, 62 + k : 67 + k] = True
    return mask


def test_a_perfect_mirror_image_scores_one():
    assert SCORES["symmetry"]()(scene(fork())) == 1.0
    assert SCORES["mirror_iou"]()(scene(fork())) == 1.0


def test_three_pixels_are_forgiven_and_more_cost_little_by_little():
    symmetry, bare = SCORES["symmetry"](), SCORES["mirror_iou"]()
    values = [symmetry(scene(fork(jitter))) for jitter in (0, 2, 6, 10, 30)]
    assert values[1] > 0.95
    assert values == sorted(values, reverse=True)
    assert bare(scene(fork(2))) < 0.7


def test_a_plant_of_one_side_scores_zero():
    mask = fork()
    mask[:, :64] = False
    assert SCORES["symmetry"]()(scene(mask)) == 0.0


def test_the_axis_is_the_roots_or_fitted():
    shifted = np.roll(fork(), 9, axis=1)
    assert SCORES["symmetry"]()(scene(shifted)) < 0.3
    assert SCORES["symmetry"](axis="fitted")(scene(shifted)) == 1.0
    assert SCORES["mirror_iou"](axis="fitted")(scene(shifted)) == 1.0
    assert SCORES["mirror_iou"]()(scene(shifted, 64 + 9)) == 1.0


def test_of_equal_axes_the_one_nearest_to_the_root():
    mask = np.zeros((1, 20), bool)
    mask[0, [3, 15]] = True  # axes 6 and 30 match one pixel, 18 matches two
    assert fit_axis(mask, 0) == 18
    mask = np.zeros((2, 20), bool)
    mask[0, 3] = mask[1, 15] = True
    assert fit_axis(mask, 27) == 30
    assert fit_axis(mask, 18) == 6


def test_bare_overlap_by_hand():
    mask = np.array([[True, True, False, True]])
    assert SCORES["mirror_iou"]()(scene(mask)) == 2 / 4
    assert SCORES["mirror_iou"]()(scene(mask, 1)) == 2 / 4  # the pixel at 3 mirrors off the window
    assert SCORES["mirror_iou"]()(scene(mask, -50)) == 0.0


def test_the_half_width_counts_up_to_a_tenth_of_the_window():
    mask = np.zeros((256, 256), bool)
    mask[20:200:9, 128 - 12 : 128 + 12] = True
    mask[20:200, 126:130] = True
    narrow = SCORES["symmetry"]()(scene(mask))
    assert 0.2 < narrow < 12 / 25.6


def test_bad_axis_is_refused_with_the_nearest():
    with pytest.raises(ValueError) as error:
        SCORES["symmetry"](axis="fit")
    want = "symmetry.axis must be one of 'root', 'fitted' (nearest: 'fitted'), got 'fit'"
    assert str(error.value) == want


def test_scattered_pieces_cost_their_share():
    """Strokes apart that mirror each other are no plant."""
    mask = np.zeros((256, 256), bool)
    for row in range(20, 220, 40):
        mask[row : row + 4, 60:100] = mask[row : row + 4, 156:196] = True
    assert scene(mask).piece == 0.1
    assert SCORES["symmetry"]()(scene(mask)) == pytest.approx(0.1)
