import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fitness import combine, frame_factor, separate
from render import Summary


def table(*rows):
    """One genome, one row a growth seed."""
    return np.array([rows], np.float64)


def summary(off, total):
    return Summary(n_circles=3, off=off, total=total, forks=0, truncated=False)


def test_one_score_alone_is_the_fitness_to_the_last_bit():
    value = 0.7310585786300049
    assert combine(table([value, 1.0]))[0] == value


def test_two_equal_weights_are_the_square_root_of_the_product():
    assert combine(table([0.25, 0.64, 1.0]))[0] == 0.4


def test_geometric_mean_is_weighted():
    got = combine(table([0.5, 0.9, 0.3, 1.0]), (1.0, 2.0, 5.0))[0]
    want = 0.5 ** (1 / 8) * 0.9 ** (2 / 8) * 0.3 ** (5 / 8)
    assert got == pytest.approx(want, rel=1e-13)


def test_a_common_factor_of_the_weights_changes_nothing():
    rows = table([0.5, 0.9, 0.3, 1.0])
    assert combine(rows, (1, 2, 5)) == combine(rows, (2, 4, 10))
    assert combine(rows, (1e300, 1e300, 1e300)) == combine(rows)


def test_scores_are_floored_and_the_frame_factor_is_not():
    assert combine(table([0.0, 1.0, 1.0]))[0] == pytest.approx(0.1)
    assert combine(table([0.0, 1.0]))[0] == 0.01
    assert combine(table([0.9, 0.9, 0.0]))[0] == 0.0


def test_empty_plant_stays_zero():
    assert combine(table([0.0, 0.0, 0.0]), (1, 3))[0] == 0.0


def test_frame_factor_multiplies():
    assert combine(table([0.5, 0.25]))[0] == 0.125


def test_mean_less_risk_times_sd_over_samples():
    rows = table([0.2, 1.0], [0.6, 1.0])
    assert combine(rows)[0] == pytest.approx(0.4)
    assert combine(rows, risk=1.0)[0] == pytest.approx(0.2)  # sd with ddof 0 is .2
    assert combine(rows, risk=3.0)[0] == 0.0


def test_each_genome_has_its_own_fitness():
    values = np.array([[[0.5, 1.0]], [[0.25, 1.0]]])
    assert combine(values).tolist() == [0.5, 0.25]
    assert combine(np.zeros((0, 2, 3))).shape == (0,)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("column", [0, 1, 2])
@pytest.mark.parametrize("risk", [0.0, 1.0])
def test_a_score_that_is_not_finite_is_never_hidden(bad, column, risk):
    rows = np.full((3, 2, 3), 0.5)
    rows[1, 1, column] = bad
    got = combine(rows, risk=risk)
    assert not np.isfinite(got[1])
    assert np.isfinite(got[[0, 2]]).all()
    assert not np.isfinite(separate(rows, risk)[1]).all()
    assert np.isfinite(separate(rows, risk)[[0, 2]]).all()


def test_separate_keeps_scores_apart():
    rows = table([0.2, 0.0, 0.5], [0.6, 1.0, 0.5])
    assert separate(rows)[0] == pytest.approx([0.2, 0.25])
    assert separate(rows, risk=1.0)[0] == pytest.approx([0.1, 0.0])


def test_the_table_is_not_changed():
    rows = table([0.0, math.nan, 1.0])
    rows.flags.writeable = False
    before = rows.copy()
    combine(rows, risk=1.0)
    separate(rows, risk=1.0)
    assert np.array_equal(rows, before, equal_nan=True)


@given(
    st.lists(st.floats(0, 1), min_size=3, max_size=3),
    st.lists(st.floats(1e-3, 1e3), min_size=3, max_size=3),
)
def test_fitness_lies_between_the_least_and_the_largest_score(scores, weights):
    got = combine(table([*scores, 1.0]), weights)[0]
    floored = [max(0.01, score) for score in scores]
    assert min(floored) * (1 - 1e-12) <= got <= max(floored) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ((0.0, 1.0), "weight must be above 0, got 0.0"),
        ((0, 0), "weight must be above 0, got 0"),
        ((-1.0, 1.0), "weight must be above 0, got -1.0"),
        ((math.nan, 1.0), "weight must be a finite number, got nan"),
        ((True, 1.0), "weight must be a finite number, got True"),
        ((1.0,), "weights must hold 2 numbers, one a score, got '1 numbers'"),
    ],
)
def test_bad_weights_are_refused(weights, message):
    with pytest.raises(ValueError) as error:
        combine(np.ones((1, 1, 3)), weights)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "bad", [np.ones((2, 3)), np.ones((2, 3, 1)), np.ones((1, 0, 2)), np.ones((1, 1, 2), np.float32)]
)
def test_bad_tables_are_refused(bad):
    with pytest.raises(ValueError, match=r"table must be a float64 array of shape \(n, samples"):
        combine(bad)


def test_bad_risk_is_refused():
    with pytest.raises(ValueError, match=r"risk must be a finite number of at least 0\.0, got -1"):
        combine(np.ones((1, 1, 2)), risk=-1)


def test_frame_factor_is_the_square_of_the_share_inside():
    assert frame_factor(summary(0, 10)) == 1.0
    assert frame_factor(summary(5, 10)) == 0.25
    assert frame_factor(summary(10, 10)) == 0.0
    assert frame_factor(summary(0, 0)) == 0.0
    assert frame_factor(summary(1, 3)) == (2 / 3) ** 2
