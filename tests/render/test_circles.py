import numpy as np
import pytest

from render import Circles
from tests.render.plants import circles_of


def fields(n: int = 2) -> dict:
    return {
        "x": np.zeros(n, np.int32),
        "y": np.zeros(n, np.int32),
        "diameter": np.ones(n, np.int32),
        "color": np.zeros((n, 3), np.uint8),
        "tick": np.zeros(n, np.int32),
        "level": np.zeros(n, np.uint8),
        "truncated": False,
    }


def test_length_and_views():
    given = fields(3)
    c = Circles(**given)
    assert len(c) == 3
    assert np.shares_memory(c.x, given["x"])
    assert given["x"].flags.writeable
    assert not c.x.flags.writeable
    assert len(circles_of([])) == 0


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("x", [0, 0], r"x must be an array of int32 \(0,\), got \[0, 0\]"),
        ("y", np.zeros(3, np.int32), r"y must be an array of int32 \(2,\), got an array of int32"),
        ("diameter", np.zeros(2), "diameter must be an array of int32"),
        ("diameter", np.array([3, -5], np.int32), "diameter must hold .* at least 0, got -5"),
        ("color", np.zeros((2, 4), np.uint8), r"color must be an array of uint8 \(2, 3\)"),
        ("tick", np.zeros(2, np.int64), "tick must be an array of int32"),
        ("level", np.zeros(2, np.int32), "level must be an array of uint8"),
        ("truncated", 0, "truncated must be True or False, got 0"),
        ("agent", np.zeros(2, np.int32), "agent must be an array of int64"),
    ],
)
def test_wrong_fields_are_refused(name, value, message):
    with pytest.raises(ValueError, match=message):
        Circles(**{**fields(), name: value})


def test_strided_fields_are_taken():
    c = Circles(**{**fields(), "x": np.arange(4, dtype=np.int32)[::2]})
    assert c.x.tolist() == [0, 2]
    assert c.x.flags.c_contiguous
