import math

import numpy as np
import pytest

from evo.checks import LARGEST, choice, describe, must, nearest, number, real_array, whole


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5, "5"),
        ("5", "'5'"),
        (np.float32(0.5), "0.5"),
        (np.zeros((2, 3), np.uint8), "an array of uint8 (2, 3)"),
        (np.array(3), "array(3)"),
        (bytes(16), repr(bytes(16))),
        (bytes(17), "17 bytes"),
        ("x" * 200, "'" + "x" * 76 + "..."),
    ],
)
def test_describe(value, text):
    assert describe(value) == text
    assert str(must("size", "be red", value)) == f"size must be red, got {text}"


@pytest.mark.parametrize("value", [0, 3, np.int8(3), np.uint64(2**63)])
def test_whole_takes(value):
    assert whole("n", value) == value
    assert type(whole("n", value)) is int


@pytest.mark.parametrize(
    ("value", "low", "high", "message"),
    [
        (True, None, None, "n must be a whole number, got True"),
        (np.True_, None, None, "n must be a whole number, got True"),
        (5.0, None, None, "n must be a whole number, got 5.0"),
        ("5", None, None, "n must be a whole number, got '5'"),
        (None, 0, None, "n must be a whole number of at least 0, got None"),
        (-1, 0, None, "n must be a whole number of at least 0, got -1"),
        (9, None, 8, "n must be a whole number of at most 8, got 9"),
        (9, 1, 8, "n must be a whole number from 1 to 8, got 9"),
    ],
)
def test_whole_refuses(value, low, high, message):
    with pytest.raises(ValueError) as raised:
        whole("n", value, low, high)
    assert str(raised.value) == message


@pytest.mark.parametrize("value", [0, 1, 0.25, np.float32(0.25), np.int16(1)])
def test_number_takes(value):
    assert number("x", value, 0, 1) == value
    assert type(number("x", value, 0, 1)) is float


def test_number_takes_an_infinity_when_told():
    assert number("x", math.inf, infinite=True) == math.inf


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (True, "x must be a finite number from 0 to 1, got True"),
        ("0.5", "x must be a finite number from 0 to 1, got '0.5'"),
        (math.nan, "x must be a finite number from 0 to 1, got nan"),
        (math.inf, "x must be a finite number from 0 to 1, got inf"),
        (-0.001, "x must be a finite number from 0 to 1, got -0.001"),
        (1j, "x must be a finite number from 0 to 1, got 1j"),
        (10**400, "x must be a finite number from 0 to 1, got 1" + "0" * 76 + "..."),
    ],
)
def test_number_refuses(value, message):
    with pytest.raises(ValueError) as raised:
        number("x", value, 0, 1)
    assert str(raised.value) == message


def test_nan_is_never_a_number():
    with pytest.raises(ValueError, match="x must be a number, got nan"):
        number("x", math.nan, infinite=True)


def test_choice_and_nearest():
    assert choice("style", "flat", ["flat", "volume"]) == "flat"
    with pytest.raises(ValueError) as raised:
        choice("style", "volum", ["flat", "volume"])
    assert str(raised.value) == (
        "style must be one of 'flat', 'volume' (nearest: 'volume'), got 'volum'"
    )
    with pytest.raises(ValueError, match=r"one of 'flat', 'volume', got 3$"):
        choice("style", 3, ["flat", "volume"])
    assert nearest("zzz", ["flat"]) == ""


WIDER = np.finfo(np.longdouble).eps < np.finfo(float).eps


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_real_array_leaves_floats_as_they_are(kind):
    given = np.ones((2, 3), kind)
    given.flags.writeable = False
    assert real_array("h", given) is given
    assert real_array("h", given, ndim=2, least=2, shape=(2, 3)) is given


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.uint64, np.float16])
def test_real_array_makes_float64_of_other_numbers(kind):
    assert real_array("h", np.array([0, 3], kind)).tolist() == [0.0, 3.0]
    assert real_array("h", np.array([0, 3], kind)).dtype == np.float64


def test_real_array_takes_all_that_float64_holds():
    ends = [-(2**53), 2**53]
    assert real_array("h", ends).tolist() == ends
    assert real_array("h", [-LARGEST, LARGEST]).tolist() == [-LARGEST, LARGEST]
    assert real_array("h", np.zeros((0, 4))).shape == (0, 4)
    assert real_array("h", 5).shape == ()


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([True, False], {}, "h must be real numbers, got [True, False]"),
        (["1"], {}, "h must be real numbers, got ['1']"),
        ([1j], {}, "h must be real numbers, got [1j]"),
        (None, {}, "h must be real numbers, got None"),
        ([[1], [1, 2]], {}, "h must be real numbers, got [[1], [1, 2]]"),
        ([1, math.nan, math.inf], {}, "h must be finite, got '2 that are not'"),
        ([1, -1.7e308], {}, "h must lie from -1e+100 to 1e+100, got -1.7e+308"),
        ([2, 1e101], {}, "h must lie from -1e+100 to 1e+100, got 1e+101"),
        (
            np.array([0, 2**53 + 2]),
            {},
            "h must be numbers that float64 holds (whole ones up to 2^53), got an array of int64",
        ),
        ([1, 2], {"shape": (3,)}, "h must have shape (3,), got an array of int64 (2,)"),
        ([1], {"ndim": 1, "least": 2}, "h must have one dimension of at least 2, got an array of "),
        (5, {"ndim": 1}, "h must have one dimension of at least 1, got array(5)"),
        (
            [1, 2],
            {"ndim": 2},
            "h must have 2 dimensions, each of at least 1, got an array of int64",
        ),
    ],
)
def test_real_array_refuses(values, options, message):
    with pytest.raises(ValueError) as raised:
        real_array("h", values, **options)
    assert message in str(raised.value)


@pytest.mark.skipif(not WIDER, reason="no wider float here")
def test_real_array_never_rounds():
    third = 1 / np.longdouble(3)
    with pytest.raises(ValueError, match="numbers that float64 holds"):
        real_array("h", np.array([0.5, third]))
    assert real_array("h", np.array([0.5, 2], np.longdouble)).dtype == np.float64
