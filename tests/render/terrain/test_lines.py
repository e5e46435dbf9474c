import numpy as np
import pytest

from render import hurst_exponent, midpoint_curve
from render.terrain import height_bound, structure_function

INF = float("inf")


def test_each_level_follows_the_law():
    """Every midpoint is at most d_k from the mean of its neighbors, and comes near to d_k."""
    curves = midpoint_curve(6, 0.7, rng=1, n_curves=500)
    for level in range(1, 7):
        coarse = curves[:, :: 1 << (7 - level)]
        middle = curves[:, 1 << (6 - level) :: 1 << (7 - level)]
        off = middle - (coarse[:, :-1] + coarse[:, 1:]) / 2
        step = 0.5 * 2 ** (-0.7 * (level - 1))
        assert 0.98 * step < np.abs(off).max() <= step
        assert np.std(off) == pytest.approx(step / 3**0.5, rel=0.1)


@pytest.mark.parametrize("distribution", ["uniform", "gaussian"])
def test_a_longer_curve_holds_the_shorter_one_bit_for_bit(distribution):
    for roughness in (0.0, 0.5, 2.0, INF):
        long = midpoint_curve(10, roughness, rng=7, distribution=distribution, n_curves=3)
        short = midpoint_curve(8, roughness, rng=7, distribution=distribution, n_curves=3)
        assert np.array_equal(long[:, ::4], short)


def test_one_curve_is_a_batch_of_one():
    assert np.array_equal(midpoint_curve(5, rng=3), midpoint_curve(5, rng=3, n_curves=1)[0])


def test_the_start_is_a_quarter_of_the_world_either_way():
    ends = midpoint_curve(1, rng=2, n_curves=4000)[:, ::2]
    assert 0.49 < np.abs(ends).max() <= 0.5
    assert np.std(ends) == pytest.approx(0.5 / 3**0.5, rel=0.05)


def test_given_ends_are_kept_exactly():
    curve = midpoint_curve(4, rng=1, ends=(0.1, -7))
    assert (curve[0], curve[-1]) == (0.1, -7)
    ends = [[0.1, 0.2], [3.0, 4.0]]
    assert midpoint_curve(4, rng=1, n_curves=2, ends=ends)[:, [0, -1]].tolist() == ends


def test_infinite_roughness_is_the_first_level_alone():
    curve = midpoint_curve(7, INF, rng=5)
    first = midpoint_curve(1, 0.3, rng=5)
    assert np.array_equal(curve[[0, 64, 128]], first)
    assert np.allclose(np.diff(curve[:65], 2), 0, atol=1e-15)
    assert np.allclose(np.diff(curve[64:], 2), 0, atol=1e-15)


def test_roughness_reads_back_as_the_hurst_exponent():
    for roughness in (0.25, 0.5, 0.75):
        curves = midpoint_curve(12, roughness, rng=11, n_curves=300)
        assert hurst_exponent(curves) == pytest.approx(roughness, abs=0.1)


def test_gaussian_and_uniform_have_the_same_spread():
    spread = [
        midpoint_curve(8, 0.6, rng=3, n_curves=2000, distribution=kind).std()
        for kind in ("uniform", "gaussian")
    ]
    assert spread[0] == pytest.approx(spread[1], rel=0.03)


@pytest.mark.parametrize("roughness", [0.0, 0.4, 1.0, INF])
def test_a_uniform_curve_stays_within_its_bound(roughness):
    curves = midpoint_curve(8, roughness, rng=1, n_curves=200)
    bound = height_bound(8, roughness, variant="curve")
    assert np.abs(curves).max() <= bound
    levels = 8 if roughness == 0 else (1 - 2 ** (-8 * roughness)) / (1 - 2**-roughness)
    assert bound == pytest.approx(0.5 + 0.5 * levels)
    low, high = np.array(midpoint_curve(8, roughness, rng=1, n_curves=200, normalize="bound"))[
        :, [0, 1]
    ].T
    assert low == pytest.approx((curves[:, 0] + bound) / (2 * bound))
    assert high == pytest.approx((curves[:, 1] + bound) / (2 * bound))


def test_normalizing_is_what_was_asked_for():
    raw = midpoint_curve(6, 0.2, rng=4, n_curves=50)
    each = midpoint_curve(6, 0.2, rng=4, n_curves=50, normalize="minmax")
    assert (each.min(axis=1) == 0).all()
    assert (each.max(axis=1) == 1).all()
    cut = midpoint_curve(6, 0.2, rng=4, n_curves=50, normalize="clip")
    assert np.allclose(cut, np.clip(raw, -1, 1) / 2 + 0.5)
    assert np.abs(raw).max() > 1
    assert (midpoint_curve(3, INF, ends=(2, 2), rng=1, normalize="minmax") >= 0).all()


def test_a_generator_moves_on_and_a_seed_does_not():
    rng = np.random.default_rng(5)
    first, second = midpoint_curve(4, rng=rng), midpoint_curve(4, rng=rng)
    assert not np.array_equal(first, second)
    assert np.array_equal(first, midpoint_curve(4, rng=5))


def test_float32_is_kept():
    assert midpoint_curve(4, rng=1, dtype="float32").dtype == np.float32


def test_structure_function_of_a_line_is_the_square_of_the_lag():
    assert structure_function(np.arange(9), [1, 2, 3]).tolist() == [1, 4, 9]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"iterations": 0}, "iterations must be a whole number of at least 1, got 0"),
        ({"iterations": 2.0}, "iterations must be a whole number of at least 1, got 2.0"),
        ({"roughness": -1}, "roughness must be a number of at least 0.0, got -1"),
        ({"roughness": float("nan")}, "roughness must be a number of at least 0.0, got nan"),
        ({"n_curves": 0}, "n_curves must be a whole number of at least 1, got 0"),
        ({"ends": (1, 2, 3)}, "ends must have shape (2,) or (1, 2), got (1, 2, 3)"),
        ({"ends": (1, INF)}, "ends must be finite, got '1 that are not'"),
        ({"rng": -1}, "rng must be a whole number from 0 to 18446744073709551615, got -1"),
        ({"rng": None}, "rng must be a numpy Generator or a whole number, got None"),
        ({"ends": (-1.7e308, 1.7e308)}, "ends must lie from -1e+100 to 1e+100, got 1.7e+308"),
        ({"ends": (0, 3e38), "dtype": np.float32}, "ends must lie from -2.13e+37 to 2.13e+37 for"),
        ({"distribution": "normal"}, "distribution must be one of 'uniform', 'gaussian'"),
        ({"normalize": "max"}, "normalize must be one of 'none', 'bound', 'minmax', 'clip'"),
        ({"normalize": "bound", "distribution": "gaussian"}, "for gaussian heights"),
        ({"dtype": "int8"}, "dtype must be float64 or float32, got 'int8'"),
        ({"dtype": "no"}, "dtype must be float64 or float32, got 'no'"),
        ({"iterations": 40}, "small enough for 4 GiB of memory (max_bytes) where 20 TiB"),
        ({"iterations": 10**9}, "iterations must be small enough for 4 GiB"),
        ({"n_curves": 10**9}, "iterations must be small enough for 4 GiB"),
        ({"max_bytes": 100}, "iterations must be small enough for 100 bytes"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError) as error:
        midpoint_curve(**{"iterations": 3, "rng": 1} | arguments)
    assert message in str(error.value)
