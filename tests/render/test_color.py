import numpy as np
import pytest

from render import as_color, parse_color

SAID = "paper must be a color ('#f7f5f0', 'white' or three numbers from 0 to 255), got "


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("#0a0B0c", (10, 11, 12)),
        ("0a0B0c", (10, 11, 12)),
        ("#fff", (255, 255, 255)),
        ("tomato", (255, 99, 71)),
        ((1, 2, 3), (1, 2, 3)),
        ([0, 0, 255], (0, 0, 255)),
        (np.array([7, 8, 9], np.uint8), (7, 8, 9)),
    ],
)
def test_a_color_is_three_ints(given, found):
    color = as_color(given)
    assert color == found
    assert [type(channel) for channel in color] == [int] * 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("whiteish", f"{SAID}'whiteish'"),
        ("", f"{SAID}''"),
        ("#00000080", f"{SAID}'#00000080'"),
        ("f7f5f", f"{SAID}'f7f5f'"),
        ("none", f"{SAID}'none'"),
        ("#" * 9999, SAID),
        ((1, 2), f"{SAID}(1, 2)"),
        (None, f"{SAID}None"),
        (7, f"{SAID}7"),
        ((1, 2, 256), "paper must be a whole number from 0 to 255, got 256"),
        ((1, 2, 0.5), "paper must be a whole number from 0 to 255, got 0.5"),
    ],
)
def test_anything_else_is_refused(given, message):
    with pytest.raises(ValueError) as error:
        as_color(given, "paper")
    assert message in str(error.value)


def test_a_background_may_be_none():
    assert parse_color("none") is None
    assert parse_color("Transparent") is None
    assert parse_color("white") == (255, 255, 255)
    with pytest.raises(ValueError, match="background must be a color"):
        parse_color("whit")
