import pytest

from render import Window


def test_root_is_resolved():
    assert Window(257, 100).root == (128, 93)
    assert Window(1, 1).root == (0, 0)
    assert Window(10, 10, root=[3, -4]).root == (3, -4)
    assert Window(10, 10, 2**20, (10**30, -(10**30))).root == (10**30, -(10**30))
    assert Window(64, 48) == Window(64, 48, 1024, (32, 45))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 1), "width must be a whole number of at least 1, got 0"),
        ((1, -3), "height must be a whole number of at least 1, got -3"),
        ((1.0, 1), r"width must be a whole number of at least 1, got 1\.0"),
        ((1, True), "height must be a whole number of at least 1, got True"),
        ((1, 1, 0), "unit must be a whole number from 1 to 1048576, got 0"),
        ((1, 1, 2**20 + 1), "unit must be a whole number from 1 to 1048576, got 1048577"),
        ((1, 1, 1, 5), r"root must be a pair of whole numbers \(column, row\), got 5"),
        ((1, 1, 1, (5,)), "root must be a pair"),
        ((1, 1, 1, (5, 0.5)), r"root row must be a whole number, got 0\.5"),
        ((31623, 31623), r"width \* height .* must be at most 268435456, got '31623 x 31623'"),
        ((10**40, 10**40), "must be at most 268435456"),
    ],
)
def test_wrong_windows_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Window(*arguments)
