import numpy as np
import pytest
from skimage.metrics import structural_similarity

from fitness import SCORES, Scene
from fitness.scores.likeness import _moments, _reduced, similarity
from tests.fitness import pictures
from tests.fitness.pictures import painted

GREEN, BROWN = (58, 125, 68), (120, 80, 40)


def test_the_picture_itself_scores_one():
    scene = painted(pictures.tree(), GREEN, BROWN)
    assert SCORES["ssim"](image=scene.rgba)(scene) == 1.0


def test_other_colors_and_other_places_score_less():
    target = painted(pictures.disc(), GREEN)
    score = SCORES["ssim"](image=target.rgba)
    near = score(painted(pictures.disc(), (68, 130, 80)))
    far = score(painted(pictures.disc(), (255, 0, 255)))
    assert 1 > near > 0.9 > far
    assert score(painted(pictures.disc(40, 60, 60), GREEN)) < 0.2


def test_two_empty_halves_are_no_likeness():
    target = painted(pictures.disc(30, 50, 50), GREEN)
    assert SCORES["ssim"](image=target.rgba)(painted(pictures.disc(30, 200, 200), GREEN)) < 0.1


def test_equal_to_scikit_image_to_rounding():
    rng = np.random.default_rng(1)
    pairs = [
        [rng.integers(0, 256, (4, 64, 64), np.int32) for _ in range(2)],
        [np.full((4, 64, 64), 255, np.int32), rng.integers(0, 2, (4, 64, 64), np.int32) * 255],
        [
            _reduced(painted(mask, GREEN, BROWN).rgba, mask)
            for mask in (pictures.tree(), pictures.disc())
        ],
    ]
    for a, b in pairs:
        _, want = structural_similarity(
            a.astype(np.uint8), b.astype(np.uint8), channel_axis=0, data_range=255, full=True
        )
        assert similarity(_moments(a), _moments(b)) == pytest.approx(want, abs=1e-9)


@pytest.mark.parametrize("shape", [(256, 256), (100, 130), (40, 70), (64, 64)])
def test_cells_are_means(shape):
    rng = np.random.default_rng(2)
    rgba = rng.integers(0, 256, (*shape, 4), np.uint8)
    mask = rng.random(shape) < 0.5
    cells = _reduced(rgba, mask)
    assert cells.shape == (4, 64, 64)
    assert cells.min() >= 0
    assert cells.max() <= 255
    if shape == (256, 256):
        part = rgba[:4, 4:8].astype(float) * mask[:4, 4:8, None]
        want = (part[:, :, :3] * part[:, :, 3:] / 255).mean(axis=(0, 1))
        assert cells[:3, 0, 1] == pytest.approx(want, abs=1.0)


def test_another_size_is_resized_and_said():
    target = painted(pictures.disc(35, 64, 64, 128), GREEN)
    score = SCORES["ssim"](image=target.rgba)
    blank = Scene(mask=pictures.empty(), root=(128, 240))
    assert score.prepare(blank) == (
        "ssim: the image of 128 x 128 is resized to 256 x 256 by the nearest pixel",
    )
    assert score(painted(pictures.disc(), GREEN)) > 0.97


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        (
            np.zeros((6, 20, 3), np.uint8),
            "ssim.image must have at least 7 x 7 pixels, got '20 x 6'",
        ),
        (
            np.zeros((9, 9, 4), np.uint8),
            "ssim.image must show something, got 'an image that is all transparent'",
        ),
    ],
)
def test_bad_targets_are_refused(picture, message):
    with pytest.raises(ValueError) as error:
        SCORES["ssim"](image=picture)
    assert str(error.value) == message
