import math

import numpy as np
import pytest
from PIL import Image

from fitness import SCORES, Scene
from fitness.measures import reduce_mask
from fitness.scores.shape import edge
from tests.fitness import pictures

Silhouette = SCORES["silhouette"]


def scene(mask):
    return Scene(mask=mask, root=(mask.shape[1] // 2, mask.shape[0]))


def left(width, size=64):
    mask = np.zeros((size, size), bool)
    mask[:, :width] = True
    return mask


def test_dice_by_hand():
    score = Silhouette(image=left(16))
    assert score(scene(left(16))) == 1.0
    assert score(scene(left(48))) == 2 * 16 / (16 + 48)
    assert score(scene(~left(16))) == 0.0


def test_invert_swaps_shape_and_background():
    score = Silhouette(image=left(16), invert=True)
    assert score(scene(~left(16))) == 1.0
    assert score(scene(left(16))) == 0.0


def test_another_size_is_resized_with_nearest_and_said():
    score = Silhouette(image=left(8, 32))
    assert score(scene(left(16))) == 1.0
    assert score.prepare(scene(left(0))) == (
        "silhouette: the image of 32 x 32 is resized to 64 x 64 by the nearest pixel",
    )
    assert score.prepare(scene(left(0, 32))) == ()


def brute_near(mask, shape, reach):
    """The near share of both, from all chessboard distances between cells."""
    cell = max(1, max(shape.shape) // 64)
    step = cell / (reach * math.hypot(*shape.shape))
    m, t = (np.argwhere(reduce_mask(one, cell)) for one in (mask, shape))
    away = np.abs(m[:, None] - t[None]).max(axis=2)
    near = np.exp(-away.min(axis=1) * step).sum() + np.exp(-away.min(axis=0) * step).sum()
    return near / (len(m) + len(t))


@pytest.mark.parametrize("size", [(64, 64), (128, 96), (200, 131), (20, 33)])
@pytest.mark.parametrize("reach", [1e-6, 0.001, 0.05, 0.2, 1.0])
def test_a_reach_counts_what_lies_near(size, reach):
    rng = np.random.default_rng(5)
    for _ in range(3):
        shape, mask = (np.zeros(size, bool) for _ in range(2))
        for one in (shape, mask):
            for _ in range(3):
                row, column = rng.integers(0, size[0] - 12), rng.integers(0, size[1] - 12)
                one[row : row + 12, column : column + rng.integers(6, 12)] = True
        value = Silhouette(image=shape, reach=reach)(scene(mask))
        assert value == pytest.approx(brute_near(mask, shape, reach), rel=1e-12)
        assert Silhouette(image=shape, reach=reach)(scene(shape)) == 1.0


def test_a_reach_across_a_window_much_wider_than_high():
    shape, mask = np.zeros((2, 16, 256), bool)
    shape[:, :16] = mask[:, 240:] = True
    value = Silhouette(image=shape, reach=0.5)(scene(mask))
    assert value == pytest.approx(brute_near(mask, shape, 0.5), rel=1e-12)
    assert value == pytest.approx(
        math.exp(-(60 + 57) / 2 * 4 / (0.5 * math.hypot(16, 256))), rel=0.1
    )


def test_a_reach_sees_a_step_toward_the_shape_where_dice_sees_none():
    shape = left(16)
    far, nearer = (np.zeros((64, 64), bool) for _ in range(2))
    far[10:20, 50:60] = nearer[10:20, 40:50] = True
    assert Silhouette(image=shape)(scene(far)) == Silhouette(image=shape)(scene(nearer)) == 0.0
    guide = Silhouette(image=shape, reach=0.1)
    assert 0.0 < guide(scene(far)) < guide(scene(nearer)) < 1.0
    wide = Silhouette(image=shape, reach=0.3)
    assert wide(scene(far)) > guide(scene(far))


def test_a_plant_of_twigs_alone_is_not_near_anything():
    twigs = np.zeros((256, 256), bool)
    twigs[:, ::16] = True
    assert Silhouette(image=left(64, 256), reach=0.1)(scene(twigs)) == 0.0
    assert Silhouette(image=left(64, 256))(scene(twigs)) > 0.0


def test_the_least_reach_of_all():
    score = Silhouette(image=left(16), reach=5e-324)
    assert score(scene(left(16))) == 1.0
    assert score(scene(~left(16))) == pytest.approx(0.0, abs=1e-300)


def test_a_reach_that_cannot_be():
    with pytest.raises(ValueError, match="silhouette.reach must be 0 unless the shape is filled"):
        Silhouette(image=left(16), kind="outline", reach=0.1)
    for reach in (-0.1, 1.5, math.nan):
        with pytest.raises(ValueError, match="silhouette.reach must be "):
            Silhouette(image=left(16), reach=reach)
    line = np.zeros((256, 256), bool)
    line[:, 100] = True
    with pytest.raises(ValueError, match="must be 0 for a shape without a cell of 4 px, got 0.1"):
        Silhouette(image=line, reach=0.1).prepare(scene(np.zeros((256, 256), bool)))


def test_edges_by_hand():
    mask = np.ones((4, 5), bool)
    mask[1, 2] = False
    want = mask.copy()
    want[2, 1:2] = want[2, 3:4] = False
    assert np.array_equal(edge(mask), want)


def brute_outline(mask, shape):
    """2 P R / (P + R) from all distances between ink and outline."""
    tau = 0.015 * math.hypot(*shape.shape)
    line = np.argwhere(edge(shape))
    ink = np.argwhere(mask)
    distances = np.sqrt(((ink[:, None] - line[None]) ** 2).sum(axis=2))
    precision = 1 - np.minimum(distances.min(axis=1), tau).mean() / tau
    recall = 1 - np.minimum(distances.min(axis=0), tau).mean() / tau
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("size", [64, 200, 256])
def test_outline_by_brute_force(size):
    shape = pictures.disc(size / 4, size / 2, size / 2, size)
    ring = pictures.disc(size / 4 + 2, size / 2, size / 2, size)
    ring &= ~pictures.disc(size / 4 - 1, size / 2, size / 2, size)
    ring[: size // 2] = False
    plant = scene(ring)
    want = brute_outline(ring, shape) * (1 - plant.blob)
    assert Silhouette(image=shape, kind="outline")(plant) == pytest.approx(want, rel=1e-12)


def test_drawing_the_outline_scores_one():
    shape = pictures.disc(60)
    score = Silhouette(image=shape, kind="outline")
    assert score(scene(edge(shape))) == 1.0
    assert score(scene(pictures.empty())) == 0.0


def test_solid_shapes_are_refused_against_an_outline():
    shape = pictures.disc(60)
    for radius in (56, 60, 64):
        assert Silhouette(image=shape, kind="outline")(scene(pictures.disc(radius))) < 0.1
    drawn = edge(pictures.disc(60))  # also where the image is a line drawing itself
    assert Silhouette(image=drawn, kind="outline")(scene(shape)) < 0.1
    tree = pictures.tree()
    assert Silhouette(image=tree, kind="outline")(scene(pictures.full())) < 0.1


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        (
            np.full((9, 9), 255, np.uint8),
            "silhouette.image must show a shape, got 'an empty one: nothing is dark or opaque'",
        ),
        (
            np.zeros((9, 9), np.uint8),
            "silhouette.image must show a shape on a background, got 'a full one'",
        ),
        (
            np.zeros((1, 1), np.uint8),
            "silhouette.image must have at least 2 x 2 pixels, got '1 x 1'",
        ),
        (
            np.zeros((9, 9, 4), np.uint8),
            "silhouette.image must show a shape, got 'an empty one: nothing is dark or opaque'",
        ),
    ],
)
def test_bad_targets_are_refused(tmp_path, picture, message):
    path = tmp_path / "target.png"
    Image.fromarray(picture).save(path)
    for image in (picture, path, str(path)):
        with pytest.raises(ValueError) as error:
            Silhouette(image=image)
        assert str(error.value) == message


def test_a_shape_that_vanishes_in_the_window_is_refused():
    dot = np.zeros((64, 64), bool)
    dot[1, 1] = True
    with pytest.raises(
        ValueError, match=r"silhouette.image must show a shape, got 'an empty one at"
    ):
        Silhouette(image=dot).prepare(scene(left(0, 8)))


def test_bad_kind_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match=r"silhouette.kind must be .* \(nearest: 'outline'\)"):
        Silhouette(image=left(16), kind="outlin")
