import math

import numpy as np
import pytest

from evo.checks import choice, describe, must, nearest, number, whole


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
