import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from render import ground_rows, midpoint_curve
from render.terrain import resampled


def test_a_slope_by_hand():
    """Heights 0 and 1 at the two ends: column x has (x + 1/2) / 4; lowest row 8, relief 4 rows."""
    rows = ground_rows([0, 1], 4, 10, base=0.8, amplitude=0.4)
    assert rows.dtype == np.int64
    assert rows.tolist() == [8 - 0, 7, 6, 5]  # 8 - 4 (.125, .375, .625, .875), halves go down
    assert ground_rows([1, 0], 4, 10, base=0.8, amplitude=0.4).tolist() == [5, 6, 7, 8]


def test_the_spec_formula():
    curve = midpoint_curve(8, 0.8, rng=3)
    share = (curve - curve.min()) / np.ptp(curve)
    place = (np.arange(200) + 0.5) / 200 * 256
    expected = 100 * (0.92 - 0.35 * np.interp(place, np.arange(257), share))
    assert np.abs(ground_rows(curve, 200, 100) - expected).max() <= 0.5


@given(
    curve=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40),
    width=st.integers(1, 60),
    height=st.integers(1, 60),
    base=st.floats(0, 1),
    share=st.floats(0, 1),
)
def test_ground_stays_in_the_picture(curve, width, height, base, share):
    rows = ground_rows(curve, width, height, base, base * share)
    assert rows.shape == (width,)
    assert rows.min() >= 0
    assert rows.max() <= np.floor(height * base + 0.5)
    assert rows.min() >= np.floor(height * (base - base * share) - 0.5)


def test_a_flat_curve_is_the_base_and_scale_means_nothing():
    assert ground_rows([3.0, 3.0], 5, 100).tolist() == [92] * 5
    curve = midpoint_curve(5, rng=1)
    assert np.array_equal(ground_rows(curve, 64, 64), ground_rows(curve * 8 + 4, 64, 64))


def test_a_larger_picture_shows_the_same_ground():
    curve = midpoint_curve(6, rng=1)
    small, large = ground_rows(curve, 64, 64), ground_rows(curve, 192, 192)
    assert np.abs(large[1::3] / 3 - small).max() <= 0.7


def test_a_map_of_the_shape_is_itself_and_a_plane_stays_a_plane():
    heights = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(resampled(heights, (3, 4)), heights)
    plane = np.add.outer(np.arange(9.0) * 2, np.arange(5.0))
    expected = np.add.outer((np.arange(20) + 0.5) / 20 * 16, (np.arange(7) + 0.5) / 7 * 4)
    assert np.allclose(resampled(plane, (20, 7)), expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0], 4, 4), "curve must have one dimension of at least 2, got an array"),
        (([[1.0, 2.0]], 4, 4), "curve must have one dimension of at least 2"),
        (([1.0, float("nan")], 4, 4), "curve must be finite, got '1 that are not'"),
        (([-1.7e308, 1.7e308], 4, 4), "curve must lie from -1e+100 to 1e+100, got 1.7e+308"),
        (([0, 2**60], 4, 4), "curve must be numbers that float64 holds (whole ones up to 2^53)"),
        (([1, 2], 0, 4), "width must be a whole number of at least 1, got 0"),
        (([1, 2], 4, 4, 1.5), "base must be a finite number from 0.0 to 1.0, got 1.5"),
        (([1, 2], 4, 4, 0.5, 0.6), "amplitude must be a finite number from 0.0 to 0.5, got 0.6"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError) as error:
        ground_rows(*arguments)
    assert message in str(error.value)
