import pickle

import numpy as np
import pytest

from fitness import Scene
from render.bits import pack

MASK = np.eye(4, 6, dtype=bool)


def test_arrays_are_read_only_views_and_the_caller_keeps_his():
    rgba = np.zeros((4, 6, 4), np.uint8)
    scene = Scene(
        mask=MASK,
        root=(3, 4),
        rgba=rgba,
        ground=np.full(6, 3),
        heights=np.zeros((4, 6)),
    )
    for name in ("mask", "rgba", "ground", "heights"):
        assert not getattr(scene, name).flags.writeable
    assert MASK.flags.writeable
    assert np.shares_memory(scene.rgba, rgba)
    with pytest.raises(AttributeError):
        scene.root = (0, 0)


def test_read_only_input_is_taken_as_it_is():
    heights = np.zeros((4, 6))
    heights.flags.writeable = False
    assert Scene(mask=MASK, root=(3, 4), heights=heights).heights is heights


def place():
    return Scene(mask=MASK, root=(3, 4), unit=7, ground=np.full(6, 2.6), heights=np.zeros((4, 6)))


def test_another_plant_stands_in_the_same_place():
    first = place()
    assert first.area == 4
    other = first.with_plant(~MASK)
    assert (other.root, other.unit, other.area) == ((3, 4), 7, 20)
    assert other.ground is first.ground
    assert other.heights is first.heights
    assert other.ground_rows.tolist() == [3] * 6
    assert other.rgba is other.circles is other.summary is None
    assert np.array_equal(other.words, pack(~MASK))
    assert Scene(mask=MASK, root=(3, 4)).with_plant(~MASK).ground is None
    words = pack(MASK)
    assert first.with_plant(MASK, words=words, summary=(1,)).words is words


def test_arrays_are_read_only_in_another_process_too():
    scene = place()
    copy = pickle.loads(pickle.dumps(scene.with_plant(MASK)))
    for name in ("mask", "ground", "heights", "ground_rows"):
        assert not getattr(copy, name).flags.writeable


def test_measures():
    scene = Scene(mask=MASK, root=[3, 4])
    assert scene.root == (3, 4)
    assert scene.area == 4
    assert scene.piece == 1.0
    assert scene.blob == 0.0
    assert Scene(mask=np.zeros((4, 6), bool), root=(3, 4)).piece == 0.0


def test_a_pixel_is_ground_when_its_center_is():
    scene = Scene(mask=MASK, root=(3, 4), ground=np.array([3, 3.4, 3.5, 3.6, 0.0, 9.0]))
    assert scene.ground_rows.tolist() == [3, 3, 3, 4, 0, 9]


FAR = "from -2147483648 to 2147483648"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"mask": MASK.astype(np.uint8)},
            "mask must be a bool array of shape (height, width), got an array of uint8 (4, 6)",
        ),
        (
            {"mask": MASK[0]},
            "mask must be a bool array of shape (height, width), got an array of bool (6,)",
        ),
        (
            {"mask": np.zeros((0, 3), bool)},
            "mask must have at least one pixel, got an array of bool (0, 3)",
        ),
        ({"mask": None}, "mask must be a bool array of shape (height, width), got None"),
        ({"root": (1.5, 2)}, f"root column must be a whole number {FAR}, got 1.5"),
        ({"root": (2**31 + 1, 0)}, f"root column must be a whole number {FAR}, got 2147483649"),
        (
            {"root": (0, -(2**63))},
            f"root row must be a whole number {FAR}, got -9223372036854775808",
        ),
        (
            {"ground": np.array([0, 0, 1e19, 0, 0, 0])},
            f"ground must lie {FAR}, got 1e+19",
        ),
        (
            {"heights": np.array([[1.7e308, -1.7e308, 0, 0, 0, 0]] * 4)},
            "heights must lie from -1e+100 to 1e+100, got 1.7e+308",
        ),
        ({"root": 3}, "root must be a pair of whole numbers (column, row), got 3"),
        ({"unit": 0}, "unit must be a whole number of at least 1, got 0"),
        (
            {"rgba": np.zeros((4, 6, 3), np.uint8)},
            "rgba must be a uint8 array of shape (4, 6, 4), got an array of uint8 (4, 6, 3)",
        ),
        (
            {"ground": np.zeros(5)},
            "ground must have shape (6,), got an array of float64 (5,)",
        ),
        (
            {"ground": [1] * 6},
            "ground must be an array of shape (6,), got [1, 1, 1, 1, 1, 1]",
        ),
        ({"heights": np.full((4, 6), np.nan)}, "heights must be finite, got '24 that are not'"),
        (
            {"heights": np.zeros((4, 6), bool)},
            "heights must be real numbers, got an array of bool (4, 6)",
        ),
    ],
)
def test_bad_scenes_are_refused(change, message):
    with pytest.raises(ValueError) as error:
        Scene(**{"mask": MASK, "root": (3, 4), **change})
    assert str(error.value) == message
