import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from render import crease_index, diamond_square, hurst_exponent, midpoint_curve
from render.terrain import VARIANTS, height_bound, lattice

INF = float("inf")
TWO = VARIANTS[1:]


def slow_diamond_square(start: np.ndarray, draws, steps, wrap: bool) -> np.ndarray:
    """The textbook, point by point, with the same draws in the order that the code promises."""
    size = 2 ** len(steps) + 1
    grid = np.full((size, size), np.nan)
    grid[:: size - 1, :: size - 1] = start
    half = (size - 1) // 2

    def mean(places):
        values = [grid[r, c] for r, c in places if 0 <= r < size and 0 <= c < size]
        return sum(values) / len(values)

    for step in steps:
        n = (size - 1) // (2 * half)
        noise = (draws(n * (3 * n + 1) + n) * 2 - 1) * step
        rows, last = noise[: n * (3 * n + 1)].reshape(n, 3 * n + 1), noise[n * (3 * n + 1) :]
        places = [(half * (2 * i + 1), half * (2 * j + 1)) for i in range(n) for j in range(n)]
        for (r, c), noise in zip(places, rows[:, :n].ravel(), strict=True):
            around = [(r - half, c - half), (r - half, c + half)]
            around += [(r + half, c - half), (r + half, c + half)]
            grid[r, c] = mean(around) + noise

        def edge(r, c, noise, half=half):
            around = [(r - half, c), (r + half, c), (r, c - half), (r, c + half)]
            if wrap:
                around = [(a % (size - 1) if a in (-half, size - 1 + half) else a,
                           b % (size - 1) if b in (-half, size - 1 + half) else b)
                          for a, b in around]  # fmt: skip
            grid[r, c] = mean(around) + noise

        for i in range(n):
            for j in range(n + 1):
                same = 0 if wrap and j == n else j
                edge(half * (2 * i + 1), half * 2 * j, rows[i, n + same])
        for i in range(n + 1):
            for j in range(n):
                upper = rows[i, 2 * n + 1 + j] if i < n else last[j]
                upper = rows[0, 2 * n + 1 + j] if wrap and i == n else upper
                edge(half * 2 * i, half * (2 * j + 1), upper)
        half //= 2
    return grid


@pytest.mark.parametrize("wrap", [False, True])
def test_it_is_the_textbook_point_by_point(wrap, monkeypatch):
    monkeypatch.setattr(lattice, "BAND", 24)  # bands of one to three rows
    rng = np.random.Generator(np.random.PCG64(9))
    start = (rng.random((2, 2)) * 2 - 1) * 0.5
    if wrap:
        start[...] = start[0, 0]
    steps = [0.5 * 2 ** (-0.8 * k) for k in range(4)]
    expected = slow_diamond_square(start, rng.random, steps, wrap)
    assert np.allclose(diamond_square(4, 0.8, rng=9, wrap=wrap), expected, atol=1e-12)


def test_bands_change_nothing(monkeypatch):
    whole = {v: diamond_square(6, 0.4, rng=1, variant=v) for v in VARIANTS}
    monkeypatch.setattr(lattice, "BAND", 50)
    monkeypatch.setattr("render.terrain.miller.BAND", 50)
    for variant, heights in whole.items():
        assert np.array_equal(diamond_square(6, 0.4, rng=1, variant=variant), heights)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("distribution", ["uniform", "gaussian"])
@pytest.mark.parametrize("wrap", [False, True])
def test_a_finer_map_holds_the_coarser_one_bit_for_bit(dtype, distribution, wrap):
    options = {"rng": 3, "distribution": distribution, "wrap": wrap, "dtype": dtype}
    for roughness in (0.0, 0.7, INF):
        fine = diamond_square(10, roughness, **options)
        coarse = diamond_square(8, roughness, **options)
        assert fine.dtype == dtype
        assert np.array_equal(fine[::4, ::4], coarse)


def test_spectral_land_has_the_same_large_shapes_at_each_size():
    coarse = diamond_square(6, 1.0, rng=3, variant="spectral")
    fine = diamond_square(8, 1.0, rng=3, variant="spectral")
    assert np.corrcoef(coarse.ravel(), fine[::4, ::4].ravel())[0, 1] > 0.99


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_wrapped_borders_are_equal_bit_for_bit(variant, dtype):
    for iterations in (1, 2, 6):
        heights = diamond_square(iterations, 0.6, rng=2, wrap=True, variant=variant, dtype=dtype)
        assert heights.shape == (2**iterations + 1,) * 2
        assert np.array_equal(heights[0], heights[-1])
        assert np.array_equal(heights[:, 0], heights[:, -1])


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_tiled_map_has_no_seam(variant):
    """Steps over the seam are no larger than steps elsewhere."""
    over, all_steps, unwrapped = 0.0, 0.0, 0.0
    for seed in range(60):
        tile = diamond_square(6, 0.7, rng=seed, wrap=True, variant=variant)[:-1, :-1]
        steps = np.diff(np.tile(tile, (2, 2)), axis=0) ** 2
        over += steps[63].mean()
        all_steps += steps.mean()
        plain = diamond_square(6, 0.7, rng=seed, variant=variant)[:-1, :-1]
        unwrapped += (np.diff(np.tile(plain, (2, 2)), axis=0) ** 2)[63].mean()
    assert 0.8 < over / all_steps < 1.25
    assert unwrapped / all_steps > 5  # what a seam would measure


def test_given_corners_are_exact():
    corners = [[0.1, 0.2], [-0.3, 4.0]]
    heights = diamond_square(4, rng=1, corners=corners)
    assert heights[::16, ::16].tolist() == corners
    flat = diamond_square(4, rng=1, corners=[0.1, 0.2, -0.3, 4.0])
    assert np.array_equal(flat, heights)


def test_given_edges_are_exact_and_tiles_join():
    left = diamond_square(5, 0.6, rng=1)
    right = diamond_square(5, 0.6, rng=2, edges={"left": left[:, -1]})
    below = diamond_square(5, 0.6, rng=3, edges={"top": right[-1], "left": left[-1, ::-1]})
    below_alone = diamond_square(5, 0.6, rng=3, edges={"top": right[-1]})
    assert np.array_equal(right[:, 0], left[:, -1])
    assert np.array_equal(below_alone[0], right[-1])
    assert np.array_equal(below[:, 0], left[-1, ::-1])
    steps = np.abs(np.diff(np.hstack([left, right[:, 1:]]), axis=1)).mean(axis=0)
    assert steps[32] < 3 * steps.mean()


def test_all_four_edges_and_a_wrapped_edge():
    map_ = diamond_square(4, 0.6, rng=1)
    edges = {"top": map_[0], "bottom": map_[-1], "left": map_[:, 0], "right": map_[:, -1]}
    other = diamond_square(4, 0.6, rng=2, edges=edges, corners=map_[::16, ::16])
    for side in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        assert np.array_equal(other[side], map_[side])
    ring = np.sin(np.linspace(0, 2 * np.pi, 17))
    ring[-1] = ring[0]
    wrapped = diamond_square(4, 0.6, rng=2, edges={"top": ring}, wrap=True)
    assert np.array_equal(wrapped[0], ring)
    assert np.array_equal(wrapped[-1], ring)
    assert np.array_equal(wrapped[:, 0], wrapped[:, -1])


def test_a_finer_map_with_given_edges_holds_the_coarser_one():
    """So each level takes the points of the edges that are its own."""
    edge = np.sin(np.arange(65.0))
    fine = diamond_square(6, 0.5, rng=3, edges={"top": edge, "right": edge[-1] + edge - edge[0]})
    part = edge[::4]
    coarse = diamond_square(4, 0.5, rng=3, edges={"top": part, "right": part[-1] + part - part[0]})
    assert np.array_equal(fine[::4, ::4], coarse)


def test_inputs_are_not_changed():
    edge = np.linspace(0, 1, 9)
    corners = np.array([[0.0, 1.0], [2.0, 3.0]])
    edge.flags.writeable = corners.flags.writeable = False
    diamond_square(3, rng=1, edges={"top": edge}, corners=corners)
    assert corners.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize("variant", VARIANTS)
@given(rows=st.integers(2, 40), columns=st.integers(2, 40))
@settings(max_examples=25, deadline=None)
def test_a_crop_is_the_top_left_of_the_whole(variant, rows, columns):
    enough = 1
    while 2**enough + 1 < max(rows, columns):
        enough += 1
    whole = diamond_square(enough, 0.5, rng=4, variant=variant)
    part = diamond_square(shape=(rows, columns), roughness=0.5, rng=4, variant=variant)
    assert part.shape == (rows, columns)
    assert np.array_equal(part, whole[:rows, :columns])
    assert part.flags.c_contiguous
    larger = diamond_square(enough + 1, 0.5, rng=4, variant=variant, shape=(rows, columns))
    full = diamond_square(enough + 1, 0.5, rng=4, variant=variant)
    assert np.array_equal(larger, full[:rows, :columns])


@pytest.mark.parametrize("variant", TWO[:1] + VARIANTS[:1])
@pytest.mark.parametrize("roughness", [0.0, 0.3, 1.0, 3.0, INF])
@pytest.mark.parametrize("wrap", [False, True])
def test_a_uniform_map_never_leaves_its_bound(variant, roughness, wrap):
    bound = height_bound(6, roughness, variant=variant)
    for seed in range(10):
        heights = diamond_square(6, roughness, rng=seed, variant=variant, wrap=wrap)
        assert np.abs(heights).max() <= bound
    share = diamond_square(6, roughness, rng=0, variant=variant, wrap=wrap, normalize="bound")
    heights = diamond_square(6, roughness, rng=0, variant=variant, wrap=wrap)
    assert np.allclose(share * 2 * bound - bound, heights)


def test_the_bound_is_the_formula_and_is_nearly_met():
    assert height_bound(8, 0) == 0.5 + 2 * 8 * 0.5
    assert height_bound(8, 2) == pytest.approx(0.5 + 2 * 0.5 * (1 - 2**-16) / (1 - 2**-2))
    assert height_bound(3, INF, start=2.0) == 3.0
    largest = max(np.abs(diamond_square(1, 0, rng=seed)).max() for seed in range(3000))
    assert 1.0 < largest <= height_bound(1, 0) == 1.5


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("wrap", [False, True])
def test_the_ends_of_roughness_give_numbers(variant, dtype, wrap):
    for roughness in (0.0, 1e-9, 50.0, 1e300, INF):
        for iterations in (1, 5):
            for distribution in ("uniform", "gaussian"):
                heights = diamond_square(
                    iterations,
                    roughness,
                    rng=1,
                    variant=variant,
                    dtype=dtype,
                    wrap=wrap,
                    distribution=distribution,
                )
                assert np.isfinite(heights).all()
                assert heights.dtype == dtype
                assert heights.std() > 0


def test_infinite_roughness_is_the_first_level_alone():
    first = diamond_square(1, 0.3, rng=5)
    heights = diamond_square(5, INF, rng=5)
    assert np.array_equal(heights[::16, ::16], first)
    for r, c in [(8, 8), (4, 12)]:  # every further center is a plain mean of what was there
        around = heights[r - (r & -r) : r + (r & -r) + 1 : 2 * (r & -r)]
        corners = around[:, [c - (r & -r), c + (r & -r)]]
        assert heights[r, c] == pytest.approx(corners.mean())


@pytest.mark.parametrize("variant", VARIANTS)
def test_roughness_reads_back_as_the_hurst_exponent(variant):
    for roughness in (0.25, 0.5, 0.75):
        maps = np.stack([diamond_square(8, roughness, rng=s, variant=variant) for s in range(16)])
        lags = (1, 2, 4, 8, 16)
        found = [hurst_exponent(maps, lags=lags, axis=axis) for axis in (-1, -2)]
        assert found == pytest.approx([roughness, roughness], abs=0.15)


def test_the_border_is_as_rough_as_the_inside():
    maps = np.stack([diamond_square(5, 0.5, rng=seed) for seed in range(400)])
    edge = np.concatenate([maps[:, 0], maps[:, -1], maps[:, :, 0], maps[:, :, -1]], axis=1)
    assert 0.9 < edge.std() / maps[:, 1:-1, 1:-1].std() < 1.15
    # what is new on the edge against what is new inside, where a sum over 4 of 3 would show
    ends = (maps[:, 0, ::2][:, :-1] + maps[:, 0, ::2][:, 1:] + maps[:, 1, 1::2]) / 3
    assert np.abs(maps[:, 0, 1::2] - ends).max() <= 0.5 * 2 ** (-0.5 * 4) + 1e-12


@pytest.mark.parametrize("roughness", [0.8, 2.0])
def test_square_square_has_no_creases(roughness):
    maps = [diamond_square(7, roughness, rng=s, variant="square_square") for s in range(60)]
    assert crease_index(maps) <= 1.05
    creased = [diamond_square(7, roughness, rng=s) for s in range(60)]
    assert crease_index(creased) > (1.3 if roughness < 1 else 20)


def test_square_square_is_a_biquadratic_spline():
    """Without displacements it reproduces a plane, and a level has weights 9 : 3 : 3 : 1."""
    from render.terrain.law import make_noise
    from render.terrain.miller import _refined

    plane = np.add.outer(np.arange(4.0), 2 * np.arange(4.0))
    finer = _refined(plane, 0.0, make_noise(1, "uniform"))
    place = np.arange(6) / 2 + 0.25
    assert np.allclose(finer, np.add.outer(place, 2 * place))
    spike = np.zeros((3, 3))
    spike[0, 0] = 16
    assert _refined(spike, 0.0, make_noise(1, "uniform"))[:2, :2].tolist() == [[9, 3], [3, 1]]


def test_spectral_variance_is_that_of_its_lowest_octave():
    maps = np.stack(
        [
            diamond_square(5, INF, rng=s, variant="spectral", wrap=True, distribution="gaussian")
            for s in range(600)
        ]
    )
    assert maps[:, :-1, :-1].var() == pytest.approx(0.25 / 3, rel=0.08)
    assert np.abs(maps[:, :-1, :-1].mean(axis=(1, 2))).max() < 1e-12
    assert maps[:, 0].var() == pytest.approx(maps[:, :, 0].var(), rel=0.15)


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_seed_one_map(variant):
    one = diamond_square(5, 0.5, rng=8, variant=variant)
    assert np.array_equal(diamond_square(5, 0.5, rng=8, variant=variant), one)
    assert not np.array_equal(diamond_square(5, 0.5, rng=9, variant=variant), one)
    state = np.random.get_state()[1].copy()
    rng = np.random.Generator(np.random.PCG64(8))
    assert np.array_equal(diamond_square(5, 0.5, rng=rng, variant=variant), one)
    assert np.array_equal(np.random.get_state()[1], state)


def test_golden_numbers():
    """Promised per numpy version, and the same in all so far."""
    heights = diamond_square(1, 0.5, rng=1)
    assert heights.tolist() == [
        [0.011821624700256717, 0.046829259121642874, 0.4504636963259353],
        [-0.2078114561437099, -0.04939495276874714, 0.6109419907185858],
        [-0.35584038728036627, 0.06406505670243631, 0.44864944713724386],
    ]


def test_normalizing():
    raw = diamond_square(5, 0.3, rng=2)
    assert np.array_equal(diamond_square(5, 0.3, rng=2, normalize="none"), raw)
    scaled = diamond_square(5, 0.3, rng=2, normalize="minmax")
    assert (scaled.min(), scaled.max()) == (0, 1)
    assert np.allclose(scaled, (raw - raw.min()) / np.ptp(raw))
    cut = diamond_square(5, 0.3, rng=2, normalize="clip", corners=[[9, 0], [0, 0]])
    assert (cut.min() >= 0, cut.max()) == (True, 1)
    tall = diamond_square(5, 0.3, rng=2, normalize="bound", corners=[[9, 0], [0, 0]])
    assert 0.8 < tall.max() <= 1


@pytest.mark.parametrize(("dtype", "most"), [("float64", 1e100), ("float32", 2.1e37)])
@pytest.mark.parametrize("normalize", ["none", "bound", "minmax", "clip"])
def test_the_largest_heights_that_are_taken_stay_finite(dtype, most, normalize):
    corners = [[most, -most], [-most, most]]
    edges = {"top": np.linspace(most, -most, 17)}
    options = {"dtype": dtype, "normalize": normalize, "rng": 1}
    heights = diamond_square(4, 0.5, corners=corners, edges=edges, **options)
    assert np.isfinite(heights).all()
    assert np.isfinite(midpoint_curve(4, 0.5, ends=(most, -most), **options)).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"iterations": 0}, "iterations must be a whole number of at least 1, got 0"),
        ({"iterations": True}, "iterations must be a whole number of at least 1, got True"),
        ({"iterations": None}, "iterations must be given, or else shape, got None"),
        ({"iterations": 40}, "small enough for 4 GiB of memory (max_bytes) where 1.187e+13 TiB"),
        ({"iterations": 10**9}, "iterations must be small enough for 4 GiB"),
        ({"iterations": 14, "variant": "spectral"}, "iterations must be small enough for 4 GiB"),
        ({"iterations": None, "shape": (2**30, 9)}, "shape must be small enough for 4 GiB"),
        ({"max_bytes": 0}, "max_bytes must be a whole number of at least 1, got 0"),
        ({"roughness": -1}, "roughness must be a number of at least 0.0, got -1"),
        ({"roughness": float("nan")}, "roughness must be a number of at least 0.0, got nan"),
        ({"roughness": "1"}, "roughness must be a number of at least 0.0, got '1'"),
        ({"shape": (1, 5)}, "shape[0] must be a whole number of at least 2, got 1"),
        ({"shape": 5}, "shape must be (rows, columns), got 5"),
        ({"shape": (5, 10)}, "iterations must be at least 4 for 5 x 10, got 3"),
        ({"shape": (5, 5), "wrap": True}, "shape must be left out, or 9 x 9, to wrap"),
        ({"variant": "perlin"}, "variant must be one of 'diamond_square', 'square_square', 'spec"),
        ({"variant": "spectral", "corners": [0] * 4}, "variant must be 'diamond_square' where"),
        ({"variant": "square_square", "edges": {}}, "variant must be 'diamond_square' where"),
        ({"variant": "spectral", "normalize": "bound"}, "'none', 'minmax' or 'clip' for spectral"),
        ({"distribution": "gaussian", "normalize": "bound"}, "for gaussian heights, got 'bound'"),
        ({"corners": [1, 2]}, "corners must have shape (2, 2), or (4,) in reading order"),
        ({"corners": [1, 2, 3, float("nan")]}, "corners must be finite"),
        ({"corners": [1, 2, 3, 4], "wrap": True}, "one height at all corners to wrap"),
        ({"edges": {"upper": [1]}}, "edges must be one of 'top', 'bottom', 'left', 'right'"),
        ({"edges": {"top": [1, 2]}}, "edges['top'] must have shape (9,)"),
        ({"edges": {"top": ["a"] * 9}}, "edges['top'] must be real numbers"),
        ({"corners": [[1.7e308, -1.7e308]] * 2}, "corners must lie from -1e+100 to 1e+100"),
        (
            {"corners": [3e38] * 4, "dtype": "float32"},
            "corners must lie from -2.13e+37 to 2.13e+37",
        ),
        ({"edges": {"top": [1e101] * 9}}, "edges['top'] must lie from -1e+100 to 1e+100"),
        ({"edges": [1]}, "edges must map some of 'top'"),
        ({"edges": {"top": [1] * 9, "left": [2] * 9}}, "agree where they meet, got ('left', 2.0)"),
        ({"edges": {"top": [1] * 9}, "corners": [0] * 4}, "agree where they meet, got ('top'"),
        ({"edges": {"top": [1] * 9, "bottom": [2] * 9}, "wrap": True}, "the opposite edge to wrap"),
        ({"dtype": "complex"}, "dtype must be float64 or float32, got 'complex'"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError) as error:
        diamond_square(**{"iterations": 3, "rng": 1} | arguments)
    assert message in str(error.value)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("options", [{}, {"normalize": "minmax"}, {"shape": (900, 1000)}])
def test_memory_is_what_was_said(variant, options):
    """The peak stays below what the limit counts with, and nothing is taken where it refuses."""
    tracemalloc.start()
    try:
        diamond_square(10, rng=1, variant=variant, **options)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    with pytest.raises(ValueError, match="MiB would be taken"):
        diamond_square(10, rng=1, variant=variant, max_bytes=peak, **options)
    diamond_square(10, rng=1, variant=variant, max_bytes=2 * peak, **options)


def test_measures_refuse_what_they_cannot_measure():
    with pytest.raises(ValueError, match="heights must vary at each lag"):
        hurst_exponent(np.zeros(100))
    with pytest.raises(ValueError, match="lags must be a whole number from 1 to 4, got 8"):
        hurst_exponent(np.arange(5))
    with pytest.raises(ValueError, match="maps must have an odd number of columns"):
        crease_index(np.zeros((4, 4)))
    with pytest.raises(ValueError, match="maps must not be flat"):
        crease_index(np.zeros((5, 5)))
