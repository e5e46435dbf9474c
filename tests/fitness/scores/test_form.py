import numpy as np
import pytest

from fitness import SCORES, Scene
from fitness.scores.form import _box_counts, box_dimension
from render import Summary
from render.bits import pack
from tests.fitness import pictures


def scene(mask, forks=0):
    summary = Summary(n_circles=9, off=0, total=9, forks=forks, truncated=False)
    return Scene(mask=mask, root=(mask.shape[1] // 2, mask.shape[0]), summary=summary)


def block(left, width, height=40):
    mask = pictures.empty()
    mask[100 : 100 + height, left : left + width] = True
    return mask


def test_balance_by_hand():
    balance = SCORES["balance"]()
    assert balance(scene(block(118, 20))) == 1.0
    assert balance(scene(block(128, 20))) == 0.5  # the centroid is a quarter of the height away
    assert balance(scene(block(108, 20))) == 0.5
    assert balance(scene(pictures.single_pixel())) == 1 / (1 + (0.5 / 0.25) ** 2)


def test_branching_by_hand():
    tree = pictures.tree()
    assert SCORES["branching"]()(scene(tree, 16)) == 0.25
    assert SCORES["branching"]()(scene(tree, 200)) == 1.0
    assert SCORES["branching"](target=400)(scene(tree, 200)) == 0.5
    with pytest.raises(ValueError, match="scene must have summary for the score branching"):
        SCORES["branching"]()(Scene(mask=tree, root=(1, 1)))


def test_dimension_of_known_pictures():
    row = pictures.empty()
    row[100] = True
    assert box_dimension(pictures.full()) == pytest.approx(2.0)
    assert box_dimension(row) == pytest.approx(1.0)
    assert box_dimension(pictures.single_pixel()) == 0.0
    carpet = np.ones((1, 1), bool)  # the Sierpinski triangle: ln 3 / ln 2
    for _ in range(8):
        carpet = np.block([[carpet, np.zeros_like(carpet)], [carpet, carpet]])
    assert box_dimension(carpet) == pytest.approx(np.log(3) / np.log(2))


def test_dimension_by_brute_force():
    mask = pictures.tree(depth=5, jitter=0.1)[:200, :180]
    sides = np.array([2, 4, 8, 16, 32, 64])
    counts = [len({(r // s, c // s) for r, c in np.argwhere(mask)}) for s in sides]
    slope = np.polyfit(-np.log(sides), np.log(counts), 1)[0]
    assert box_dimension(mask) == pytest.approx(slope)


def test_complexity_by_hand():
    full = scene(pictures.full())
    assert SCORES["complexity"]()(full) == 0.0
    assert SCORES["complexity"](dimension=1.9, width=0.2)(full) == pytest.approx(0.5)
    assert SCORES["complexity"](dimension=2)(full) == pytest.approx(1.0)


@pytest.mark.parametrize("shape", [(4, 4), (1, 70), (63, 64), (64, 65), (130, 200), (256, 256)])
def test_boxes_by_brute_force(shape):
    mask = np.random.default_rng(2).random(shape) < 0.05
    for k, n in enumerate(_box_counts(pack(mask), 6), 1):
        side = 2**k
        corners = np.ndindex(*(-(-size // side) for size in shape))
        boxes = [mask[i * side : (i + 1) * side, j * side : (j + 1) * side] for i, j in corners]
        assert n == sum(bool(box.any()) for box in boxes)
