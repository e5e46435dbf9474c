import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fitness.portable import exp, ln, power


@given(st.floats(min_value=sys.float_info.min, allow_infinity=False, allow_nan=False))
def test_ln_is_within_two_units_in_the_last_place(x):
    want = math.log(x)
    assert abs(ln(x) - want) <= 2 * math.ulp(want)


@given(st.floats(-700, 700))
def test_exp_is_within_two_units_in_the_last_place(x):
    want = math.exp(x)
    assert abs(exp(x) - want) <= 2 * math.ulp(want)


@given(st.floats(1e-6, 1e6), st.floats(0, 1))
def test_power_is_close(x, p):
    assert power(np.array([x]), p)[0] == pytest.approx(x**p, rel=2e-14)


def test_exact_cases():
    x = np.array([0.0, 0.3, 1.0])
    assert ln(1.0) == 0.0
    assert exp(0.0) == 1.0
    assert power(x, 1.0).tolist() == x.tolist()
    assert power(x, 0.5).tolist() == np.sqrt(x).tolist()
    assert power(x, 0.25).tolist() == np.sqrt(np.sqrt(x)).tolist()
    assert power(x, 0.0).tolist() == [1.0, 1.0, 1.0]
    assert power(np.ones(1), 1 / 3)[0] == 1.0


def test_golden_bits():
    """Equal on every processor: these bits may only change with the formulas."""
    assert ln(10.0).hex() == "0x1.26bb1bbb55516p+1"
    assert exp(1.0).hex() == "0x1.5bf0a8b14576ap+1"
    assert power(np.array([0.7]), 1 / 3)[0].hex() == "0x1.c69b5a72f1a95p-1"
