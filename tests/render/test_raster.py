import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from render import STYLES, Window, grow, rasterize
from render.visibility import visible
from tests.render.plants import PICTURES, circles_of, golden_circles, uniform


def digest(picture: np.ndarray) -> str:
    return hashlib.sha256(picture.tobytes()).hexdigest()


def text(mask: np.ndarray) -> list[str]:
    return ["".join(".#"[int(v)] for v in row) for row in mask]


def covered(width, height, unit, root, disc, floor_unit=None, move=0):
    """The disc rule, pixel by pixel, in whole numbers of any size."""
    x, y, d = (int(v) for v in disc[:3])
    reach = max(d, (363 * (floor_unit or unit) + 255) >> 8)
    move *= max(2 * (reach // 6), unit)
    out = np.zeros((height, width), bool)
    for row in range(height):
        for column in range(width):
            dx = (2 * (column - root[0]) + 1) * unit - (2 * x + move)
            dy = (2 * (row - root[1]) + 1) * unit - (2 * y + move)
            out[row, column] = dx * dx + dy * dy <= reach * reach
    return out


def brute_flat(width, height, unit, root, discs):
    out = np.zeros((height, width, 4), np.uint8)
    for disc in discs:
        out[covered(width, height, unit, root, disc)] = (*disc[3:], 255)
    return out


def brute_volume(width, height, unit, root, discs):
    out = np.zeros((height, width, 4), np.uint8)
    layers = []
    for disc in reversed(discs):
        at = (width, height, unit, root, disc)
        layers += [(covered(*at, move=m), kind, disc[3:]) for m, kind in ((0, 0), (-1, 1), (1, 2))]
    for row in range(height):
        for column in range(width):
            left, white = 2**24, 0
            for mask, kind, color in layers:
                if not mask[row, column]:
                    continue
                if kind == 0:
                    out[row, column] = [
                        *((255 * white + left * c + 2**23) >> 24 for c in color),
                        255,
                    ]
                    break
                taken = (left * 51) >> 8
                left -= taken
                white += taken if kind == 1 else 0
            else:
                o = 2**24 - left
                if o:
                    gray = (510 * white + o) // (2 * o)
                    out[row, column] = [gray] * 3 + [min(254, (255 * o + 2**23) >> 24)]
    return out


@pytest.mark.parametrize("case", PICTURES, ids=lambda case: case["name"])
def test_golden_pictures(case, kernel):
    circles = golden_circles(case, kernel)
    window = (case["width"], case["height"], case["unit"], tuple(case["root"]))
    mask = rasterize(circles, *window, style="mask", kernel=kernel)
    assert mask.dtype == np.bool_
    assert text(mask) == case["mask"]
    for style in ("flat", "volume"):
        picture = rasterize(circles, *window, style=style, kernel=kernel)
        assert np.array_equal(picture[..., 3] == 255, mask)
        assert digest(picture) == case[f"{style}_sha256"]
        if "oversample" in case:
            k = case["oversample"]
            picture = rasterize(circles, *window, style=style, oversample=k, kernel=kernel)
            assert digest(picture) == case[f"{style}_oversampled_sha256"]


def some_discs(n: int, seed: int, spread: int, largest: int) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    at = rng.integers(-spread, spread, (n, 2))
    return np.hstack([at, rng.integers(0, largest, (n, 1)), rng.integers(0, 256, (n, 3))]).tolist()


@pytest.mark.parametrize(
    ("width", "height", "unit", "root"),
    [(9, 7, 256, (4, 5)), (70, 3, 100, (30, 2)), (1, 1, 999, (0, 0)), (5, 66, 37, (-2, 70))],
)
def test_brute_force(width, height, unit, root, kernel):
    spread = 12 * unit
    discs = some_discs(14, width, spread, spread)
    circles = circles_of(discs)
    at = (width, height, unit, root)
    expected = brute_flat(*at, discs)
    assert np.array_equal(rasterize(circles, *at, kernel=kernel), expected)
    mask = rasterize(circles, *at, style="mask", kernel=kernel)
    assert np.array_equal(mask, expected[..., 3] > 0)
    assert np.array_equal(
        rasterize(circles, *at, style="volume", kernel=kernel), brute_volume(*at, discs)
    )


def test_a_pixel_at_exactly_the_radius_is_covered(kernel):
    # doubled: the centers of pixels lie at odd multiples of 256, the disc at (256, 256)
    disc = circles_of([[128, 128, 1280, 1, 2, 3]])  # D = 5 * 256: 3-4-5 lies on the edge
    mask = rasterize(disc, 9, 9, 256, (4, 4), style="mask", kernel=kernel)
    assert text(mask)[4] == "..#####.."
    disc = circles_of([[128, 128, 2560, 1, 2, 3]])  # D = 10 * 256: (6, 8) lies on it
    mask = rasterize(disc, 11, 11, 256, (5, 5), style="mask", kernel=kernel)
    assert mask[5 + 3, 5 + 4]
    assert mask[5 - 4, 5 - 3]
    less = circles_of([[128, 128, 2559, 1, 2, 3]])
    mask = rasterize(less, 11, 11, 256, (5, 5), style="mask", kernel=kernel)
    assert not mask[5 + 3, 5 + 4]


def test_a_disc_centered_in_the_window_covers_a_pixel(kernel):
    rng = np.random.default_rng(0)
    for unit in (1, 2, 3, 255, 1024, 5000, 2**20):
        for x, y in rng.integers(0, unit, (20, 2)).tolist():
            mask = rasterize(
                circles_of([[x, y, 0, 0, 0, 0]]), 1, 1, unit, (0, 0), "mask", kernel=kernel
            )
            assert mask.all()


def test_no_circles_give_an_empty_picture(kernel):
    none = circles_of([])
    for style in STYLES:
        assert not rasterize(none, 5, 4, style=style, kernel=kernel).any()
    assert rasterize(none, 5, 4, kernel=kernel).shape == (4, 5, 4)
    assert not rasterize(none, 5, 4, oversample=4, kernel=kernel).any()


@pytest.mark.parametrize("style", STYLES)
def test_a_picture_equals_the_crop_of_a_larger_one(style, kernel):
    circles = grow(uniform(3), 3, 3000, kernel)
    large = rasterize(circles, 200, 150, 2048, (100, 90), style, kernel=kernel)
    for left, top, width, height in [
        (0, 0, 130, 90),
        (63, 20, 65, 64),
        (64, 64, 64, 1),
        (99, 89, 1, 1),
    ]:
        root = (100 - left, 90 - top)
        small = rasterize(circles, width, height, 2048, root, style, kernel=kernel)
        assert np.array_equal(small, large[top : top + height, left : left + width])


@pytest.mark.parametrize("style", STYLES)
def test_huge_coordinates_and_far_windows(style, kernel):
    far = 2**31 - 1
    discs = [
        [x, y, d, 9, 8, 7]
        for x in (-far - 1, 0, far)
        for y in (-far - 1, 0, far)
        for d in (0, 256, far)
    ]
    circles = circles_of(discs)
    for root in [(0, 0), (10**30, 5), (-(10**30), 10**30), (2**40, -(2**40)), (far // 256, 3)]:
        for unit in (1, 256, 2**20):
            window = (7, 5, unit, root)
            picture = rasterize(circles, *window, style=style, kernel=kernel)
            if style == "mask":
                assert np.array_equal(picture, brute_flat(*window, discs)[..., 3] > 0)
            elif style == "flat":
                assert np.array_equal(picture, brute_flat(*window, discs))
            else:
                assert np.array_equal(picture, brute_volume(*window, discs))


def test_a_disc_larger_than_the_window_fills_it(kernel):
    circles = circles_of([[0, 0, 2**31 - 1, 1, 2, 3]])
    picture = rasterize(circles, 130, 3, 1, (0, 0), kernel=kernel)
    assert (picture == (1, 2, 3, 255)).all()


def test_oversampling_averages_by_alpha(kernel):
    circles = grow(uniform(8), 3, 2000, kernel)
    width, height, unit, root, k = 41, 37, 2000, (20, 35), 5
    expected = np.zeros((height, width, 4), np.uint8)
    fine = rasterize_samples(circles, width, height, unit, root, k, kernel)
    for row in range(height):
        for column in range(width):
            part = fine[row * k : row * k + k, column * k : column * k + k].reshape(-1, 4)
            part = part.astype(int)
            alpha = int(part[:, 3].sum())
            if alpha:
                channel = (2 * (part[:, :3] * part[:, 3:]).sum(0) + alpha) // (2 * alpha)
                expected[row, column] = [*channel, (2 * alpha + k * k) // (2 * k * k)]
    picture = rasterize(circles, width, height, unit, root, "flat", k, kernel)
    assert np.array_equal(picture, expected)


def rasterize_samples(circles, width, height, unit, root, k, kernel):
    """The samples: a picture k times as fine whose discs have the floor of the coarse one."""
    raised = np.maximum(circles.diameter, (363 * unit + 255) >> 8)
    table = np.column_stack([circles.x, circles.y, raised, circles.color.astype(int)])
    return rasterize(
        circles_of(table),
        width * k,
        height * k,
        unit // k,
        (root[0] * k, root[1] * k),
        kernel=kernel,
    )


def test_bands_of_oversampled_pictures_join(kernel, monkeypatch):
    circles = grow(uniform(8), 3, 2000, kernel)
    at = (circles, 40, 31, 2048, None, "volume", 4, kernel)
    whole = rasterize(*at)
    monkeypatch.setattr("render.raster._BAND", 40 * 16 * 3)
    assert np.array_equal(rasterize(*at), whole)


def test_mask_does_not_depend_on_order(kernel):
    discs = some_discs(40, 2, 9000, 3000)
    shuffled = np.random.default_rng(1).permutation(discs)
    at = (40, 40, 512, (20, 20), "mask")
    a = rasterize(circles_of(discs), *at, kernel=kernel)
    assert np.array_equal(a, rasterize(circles_of(shuffled), *at, kernel=kernel))


def test_default_root_is_the_window_s(kernel):
    circles = grow(uniform(2), 1, 500, kernel)
    window = Window(50, 33)
    a = rasterize(circles, 50, 33, kernel=kernel)
    assert np.array_equal(a, rasterize(circles, 50, 33, 1024, window.root, kernel=kernel))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 0}, "width must be a whole number of at least 1, got 0"),
        ({"height": -1}, "height must be a whole number of at least 1, got -1"),
        ({"unit": 0}, "unit must be a whole number from 1 to 1048576, got 0"),
        ({"style": "volum"}, r"style must be one of 'flat', 'volume', 'mask' .*nearest: 'volume'"),
        ({"oversample": 0}, "oversample must be a whole number of at least 1, got 0"),
        ({"oversample": 3}, "oversample must divide the unit 1024, got 3"),
        ({"oversample": 2, "style": "mask"}, "oversample must be 1 for a mask, got 2"),
        ({"width": 10**9, "height": 1}, r"width \* height .* got '1000000000 x 1'"),
        ({"width": 20_000, "height": 20_000}, "must be at most 268435456"),
        ({"width": 9000, "height": 9000, "oversample": 2}, "9000 x 9000, oversample 2"),
        ({"root": (1, 2, 3)}, r"root must be a pair .* got \(1, 2, 3\)"),
        ({"circles": [1, 2]}, r"circles must be Circles, got \[1, 2\]"),
        ({"kernel": "cuda"}, "kernel must be one of 'numba', 'numpy', got 'cuda'"),
    ],
)
def test_wrong_arguments_are_refused(options, message):
    arguments = {"circles": circles_of([]), "width": 4, "height": 4, **options}
    with pytest.raises(ValueError, match=message):
        rasterize(**arguments)


@settings(max_examples=40, deadline=None)
@given(
    genome=st.binary(min_size=180, max_size=180),
    seed=st.integers(0, 2**64 - 1),
    width=st.integers(1, 140),
    height=st.integers(1, 60),
    unit=st.integers(1, 9000),
    data=st.data(),
)
def test_kernels_are_equal(genome, seed, width, height, unit, data):
    pytest.importorskip("numba")
    root = data.draw(st.tuples(st.integers(-50, 190), st.integers(-50, 110)))
    divisors = [k for k in (1, 2, 3, 4) if unit % k == 0]
    k = data.draw(st.sampled_from(divisors))
    circles = grow(genome, seed, 1500)
    for style in STYLES:
        at = (circles, width, height, unit, root, style, 1 if style == "mask" else k)
        assert np.array_equal(rasterize(*at, "numba"), rasterize(*at, "numpy"))


EDGES = (1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 71, 72, 73, 128, 129)
"""Sizes of windows around those of tiles and of groups of tiles."""


@settings(max_examples=60, deadline=None)
@given(
    width=st.sampled_from(EDGES),
    height=st.sampled_from(EDGES),
    unit=st.sampled_from([1, 3, 256, 1024, 4096, 16384, 23170, 32768, 2**20]),
    pixels=st.sampled_from([1, 4, 8, 10, 17, 40, 300]),
    n=st.sampled_from([1, 2, 63, 64, 65, 400]),
    away=st.sampled_from([0, 1, -1]),
    seed=st.integers(0, 2**32 - 1),
)
def test_kernels_are_equal_on_discs_of_any_size(width, height, unit, pixels, n, away, seed):
    """Discs up to some pixels wide, in the window, around it, and at its far edges."""
    pytest.importorskip("numba")
    rng = np.random.default_rng(seed)
    reach = min(max(width, height) * unit, 2**29)
    at = rng.integers(-reach, 2 * reach, (n, 2))
    largest = min(pixels * unit, 2**31 - 2)
    rest = (rng.integers(largest // 2, largest + 1, (n, 1)), rng.integers(0, 256, (n, 3)))
    circles = circles_of(np.hstack([at, *rest]))
    root = (away * width, away * height)
    for style in STYLES:
        window = (circles, width, height, unit, root, style, 1)
        assert np.array_equal(rasterize(*window, "numba"), rasterize(*window, "numpy"))
        shown = (
            visible(circles, Window(width, height, unit, root), style, kernel=kernel)
            for kernel in ("numba", "numpy")
        )
        assert np.array_equal(*shown)


@pytest.mark.parametrize("width", EDGES)
@pytest.mark.parametrize("height", EDGES)
def test_the_tiles_of_a_window_hold_the_block_at_its_last_pixel(width, height):
    discs = pytest.importorskip("render.kernels.discs")
    view = discs.sight.py_func((width, height, 1024, 0, 0, 1024))
    places = discs._places.py_func(height - 1, width - 1, view[0])
    assert max(places) < discs.n_tiles.py_func(height, view) <= max(places) + 2 * view[0]


@pytest.mark.parametrize("number", range(3))
def test_kernels_are_equal_on_large_plants(number):
    pytest.importorskip("numba")
    circles = grow(uniform(number), number)
    for style in STYLES:
        a = rasterize(circles, 256, 256, style=style, kernel="numba")
        assert np.array_equal(a, rasterize(circles, 256, 256, style=style, kernel="numpy"))
