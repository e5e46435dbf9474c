import hashlib
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evo.genome import locus
from render import Circles, grow
from tests.render.plants import PLANTS, uniform


def digest(c: Circles) -> str:
    sha = hashlib.sha256()
    for array in (c.x, c.y, c.diameter):
        sha.update(array.astype("<i4").tobytes())
    sha.update(c.color.tobytes())
    sha.update(c.tick.astype("<i4").tobytes())
    sha.update(c.level.tobytes())
    return sha.hexdigest()


def row(c: Circles, i: int) -> dict:
    return {
        "x": int(c.x[i]),
        "y": int(c.y[i]),
        "diameter": int(c.diameter[i]),
        "rgb": c.color[i].tolist(),
        "tick": int(c.tick[i]),
        "level": int(c.level[i]),
    }


def same(a: Circles, b: Circles) -> bool:
    names = ("x", "y", "diameter", "color", "tick", "level", "agent")
    return a.truncated == b.truncated and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        and getattr(a, name).dtype == getattr(b, name).dtype
        for name in names
    )


@pytest.mark.parametrize("case", PLANTS, ids=lambda case: case["name"])
def test_golden_plants(case, kernel):
    c = grow(bytes.fromhex(case["genome"]), int(case["seed"]), case["max_circles"], kernel)
    n = case["n"]
    assert (len(c), c.truncated) == (n, case["truncated"])
    first = range(min(n, len(case["first"])))
    assert [row(c, i) for i in first] == case["first"]
    assert [row(c, i) for i in range(n - len(case["last"]), n)] == case["last"]
    assert digest(c) == case["sha256"]


def inheriting(red: int, size: int, weight: int) -> np.ndarray:
    """A straight stem of one even color and size, and a child that varies and inherits."""
    genome = np.full((10, 18), 128, np.uint8)
    genome[:, locus("children")] = 0
    genome[:, [locus("size_var"), locus("color_var"), locus("length_var"), locus("turn")]] = 0
    stem, child = genome[0], genome[1]
    stem[[locus("size"), locus("red")]] = 0, 10
    child[[locus("size"), locus("red")]] = size, red
    child[[locus("size_var"), locus("color_var")]] = 255
    child[[locus("size_step"), locus("red_step")]] = 128 + 40, 128 + 38
    child[[locus("size_inherit"), locus("color_inherit")]] = weight
    child[locus("length")] = 255
    return genome


def test_inheriting_rounds_down_below_zero_too(kernel):
    def child(seed, *genes):
        c = grow(inheriting(*genes), seed, 1000, kernel)
        return c.diameter[c.agent == 1].astype(int), c.color[c.agent == 1, 0].astype(int)

    k = np.arange(255)
    below = 0
    for seed in range(8):
        diameters, reds = child(seed, 128, 100, 0)  # never at a limit: shows the chance
        size_chance = diameters[0] - 256 - 32 * 100
        near = 256 * reds[0] - 32768
        (red_chance,) = (
            v for v in range(near, near + 256) if np.array_equal((32768 + v + 45 * k) >> 8, reds)
        )
        for weight in (1, 77, 150):
            size = ((256 + size_chance) * (255 - weight) + 256 * weight) // 255
            red = (red_chance * (255 - weight) + 2560 * weight) // 255
            below += (size < 0) + (red < 0)
            diameters, reds = child(seed, 0, 0, weight)
            assert np.array_equal(np.clip(size + 12 * k, 256, 16384), diameters)
            assert np.array_equal(np.clip(red + 45 * k, 0, 65535) >> 8, reds)
    assert below > 8


def test_agents_are_keys_of_a_tree(kernel):
    c = grow(uniform(3), 5, 20_000, kernel)
    order = np.lexsort((c.agent, c.tick))
    assert np.array_equal(order, np.arange(len(c)))
    levels = np.zeros(29_524, int)
    for key in range(1, 29_524):
        levels[key] = levels[(key - 1) // 3] + 1
    assert np.array_equal(levels[c.agent], c.level)
    # a child begins the tick after its parent's last, three px on
    keys, first = np.unique(c.agent, return_index=True)
    last = {int(k): i for i, k in enumerate(c.agent)}
    assert len(keys) > 20
    for key, i in zip(keys[1:].tolist(), first[1:].tolist(), strict=True):
        up = last[(key - 1) // 3]
        assert c.tick[i] == c.tick[up] + 1
        step = np.hypot(float(c.x[i] - c.x[up]), float(c.y[i] - c.y[up]))
        assert step == pytest.approx(768, abs=1)


def test_fields_are_read_only_and_of_the_promised_types(kernel):
    c = grow(uniform(1), 1, 1000, kernel)
    for name in ("x", "y", "diameter", "tick"):
        assert getattr(c, name).dtype == np.int32
    assert c.color.dtype == c.level.dtype == np.uint8
    assert c.agent.dtype == np.int64
    assert c.color.shape == (len(c), 3)
    assert isinstance(c.truncated, bool)
    for name in ("x", "y", "diameter", "color", "tick", "level", "agent"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(c, name)[...] = 0


def test_bound_is_by_whole_ticks_and_an_exact_fit_is_not_truncated(kernel):
    genome = uniform(12)
    whole = grow(genome, 9, 10**7, kernel)
    n = len(whole)
    assert not whole.truncated
    assert same(grow(genome, 9, n, kernel), whole)
    cut = grow(genome, 9, n - 1, kernel)
    assert cut.truncated
    for cap in (n - 1, n // 2, n // 10, 7, 1):
        cut = grow(genome, 9, cap, kernel)
        assert cut.truncated
        end = int(cut.tick.max()) + 1
        assert len(cut) == np.count_nonzero(whole.tick < end)
        assert np.count_nonzero(whole.tick <= end) > cap
        assert np.array_equal(cut.x, whole.x[: len(cut)])
    none = grow(genome, 9, 0, kernel)
    assert len(none) == 0
    assert none.truncated


def test_largest_tree(kernel):
    genome = np.full((10, 18), 128, np.uint8)
    genome[:, locus("children")] = 255
    genome[:, locus("length")] = 0
    genome[:, locus("length_var")] = 0
    c = grow(genome, 0, 29_524, kernel)
    assert not c.truncated
    assert np.array_equal(c.agent, np.arange(29_524))
    assert grow(genome, 0, 29_523, kernel).truncated


def test_every_form_of_a_genome_grows_alike(kernel):
    from evo.individual import Individual

    array = uniform(4)
    expected = grow(array, 1, 500, kernel)
    assert same(grow(array.tobytes(), 1, 500, kernel), expected)
    assert same(grow(bytearray(array.tobytes()), 1, 500, kernel), expected)
    assert same(grow(Individual(array.tobytes()), 1, 500, kernel), expected)
    frozen = array.copy()
    frozen.flags.writeable = False
    assert same(grow(frozen, 1, 500, kernel), expected)
    assert same(grow(np.asfortranarray(array), 1, 500, kernel), expected)
    assert same(grow(array, np.uint64(1), np.int32(500), kernel), expected)


def test_chance_moves_only_what_varies(kernel):
    still = uniform(5)
    still[:, 14:18] = 0
    assert same(grow(still, 1, 2000, kernel), grow(still, 2, 2000, kernel))
    assert not same(grow(uniform(5), 1, 2000, kernel), grow(uniform(5), 2, 2000, kernel))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((b"\0" * 179,), "genome must hold 180 bytes, got 179 bytes"),
        ((np.zeros((18, 10), np.uint8),), r"genome must be a uint8 array .* got an array of uint8"),
        ((np.zeros((10, 18), np.int64),), r"genome must be a uint8 array .* int64 \(10, 18\)"),
        (("00" * 180,), "genome must be a uint8 array"),
        ((b"\0" * 180, -1), "seed must be a whole number from 0 to 18446744073709551615, got -1"),
        ((b"\0" * 180, 2**64), "seed must be .* got 18446744073709551616"),
        ((b"\0" * 180, 1.0), r"seed must be .* got 1\.0"),
        ((b"\0" * 180, True), "seed must be .* got True"),
        ((b"\0" * 180, 0, -1), "max_circles must be a whole number of at least 0, got -1"),
        ((b"\0" * 180, 0, None), "max_circles must be .* got None"),
        ((b"\0" * 180, 0, 9, "numby"), r"kernel must be one of .*nearest: 'num(ba|py)'.*'numby'"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        grow(*arguments)


def test_huge_bounds_are_taken(kernel):
    genome = bytes(180)
    assert len(grow(genome, 2**64 - 1, 10**30, kernel)) == 10


@settings(max_examples=60, deadline=None)
@given(genome=st.binary(min_size=180, max_size=180), seed=st.integers(0, 2**64 - 1))
def test_kernels_are_equal(genome, seed):
    pytest.importorskip("numba")
    cap = 1 + seed % 9000
    assert same(grow(genome, seed, cap, "numba"), grow(genome, seed, cap, "numpy"))


@pytest.mark.parametrize("number", range(6))
def test_kernels_are_equal_on_large_plants(number):
    pytest.importorskip("numba")
    a = grow(uniform(number), number, 100_000, "numba")
    assert same(a, grow(uniform(number), number, 100_000, "numpy"))


def test_no_warnings_of_overflow(kernel):
    assert sys.warnoptions is not None  # warnings are errors in this suite
    for byte in (0, 128, 255):
        grow(bytes([byte]) * 180, 2**64 - 1, 3000, kernel)
