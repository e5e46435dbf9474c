from dataclasses import replace

import numpy as np
import pytest

from render import Recipe, Window, draw, fit, grow, rasterize, trim, visible, widen
from render.drawing import grow_recipe
from render.visibility import BLACK, OPAQUE, WHITE
from tests.render.plants import circles_of, uniform


def recipe_of(number: int, **changed: object) -> Recipe:
    fields = {
        "genome": uniform(number).tobytes(),
        "seed": 3,
        "max_circles": 4000,
        "width": 90,
        "height": 70,
        "unit": 4096,
        "root": (45, 40),
        "style": "volume",
    }
    return Recipe(**{**fields, **changed})


def part(circles, kept):
    """Some of the discs, as circles."""
    return replace(
        circles,
        x=circles.x[kept],
        y=circles.y[kept],
        diameter=circles.diameter[kept],
        color=circles.color[kept],
        tick=circles.tick[kept],
        level=circles.level[kept],
        agent=None,
    )


def test_draw_is_growth_and_rasterizing():
    recipe = recipe_of(1, oversample=2)
    circles = grow(recipe.genome, 3, 4000)
    picture = rasterize(circles, 90, 70, 4096, (45, 40), "volume", 2)
    assert np.array_equal(draw(recipe), picture)


def test_a_silhouette_is_drawn_black():
    recipe = recipe_of(1, style="mask")
    mask = rasterize(grow(recipe.genome, 3, 4000), 90, 70, 4096, (45, 40), "mask")
    assert np.array_equal(draw(recipe)[..., 3] == 255, mask)
    assert not draw(recipe)[..., :3].any()


def test_widen_by_nothing_is_the_identity_and_else_a_floor():
    circles = grow(uniform(1), 0, 500)
    assert widen(circles, 0) is circles
    wide = widen(circles, 2000)
    assert np.array_equal(wide.diameter, np.maximum(circles.diameter, 2000))
    assert np.array_equal(wide.x, circles.x)
    with pytest.raises(ValueError, match="least_diameter must be a whole number from 0"):
        widen(circles, -1)


def test_a_thin_twig_becomes_an_unbroken_line():
    # a straight stem of circles of 1 px, three px apart, seen at 4 pixels a px
    stem = circles_of([(0, -768 * i, 256, 9, 9, 9) for i in range(30)])
    rows = rasterize(stem, 9, 300, 64, (4, 299), "mask").any(axis=1)[:290]
    assert not rows.all()
    rows = rasterize(widen(stem, 1024), 9, 300, 64, (4, 299), "mask").any(axis=1)
    assert rows[np.flatnonzero(rows)[0] :].all()


@pytest.mark.parametrize("style", ["flat", "volume"])
@pytest.mark.parametrize("oversample", [1, 3])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_fitted_plant_is_whole_and_fills_one_side(style, oversample, number):
    circles = grow(uniform(number), 5, 3000)
    window = fit(circles, 120, 80, style, oversample)
    assert window.unit % oversample == 0
    wide = Window(
        window.width + 40,
        window.height + 40,
        window.unit,
        (window.root[0] + 20, window.root[1] + 20),
    )
    picture = rasterize(circles, wide.width, wide.height, wide.unit, wide.root, style, oversample)
    rows = np.flatnonzero(picture[..., 3].any(axis=1)) - 20
    columns = np.flatnonzero(picture[..., 3].any(axis=0)) - 20
    assert rows[0] >= 0
    assert columns[0] >= 0
    assert rows[-1] < 80
    assert columns[-1] < 120
    free = min(rows[0] + 79 - rows[-1], columns[0] + 119 - columns[-1])
    assert free <= 3
    # in the middle
    assert abs(rows[0] - (79 - rows[-1])) <= 3
    assert abs(columns[0] - (119 - columns[-1])) <= 3


def test_fit_keeps_a_margin():
    circles = grow(uniform(1), 5, 3000)
    window = fit(circles, 120, 80, margin=10)
    mask = rasterize(circles, 120, 80, window.unit, window.root, "mask")
    assert mask.any()
    assert not mask[:10].any()
    assert not mask[-10:].any()
    assert not mask[:, :10].any()
    assert not mask[:, -10:].any()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"width": 0}, "width must be a whole number of at least 1, got 0"),
        ({"margin": 40}, "margin must leave room for the plant, got 40"),
        ({"style": "sketch"}, "style must be one of"),
        ({"oversample": 0}, "oversample must be a whole number of at least 1, got 0"),
    ],
)
def test_fit_refuses(changed, message):
    arguments = {"width": 80, "height": 80, **changed}
    with pytest.raises(ValueError, match=message):
        fit(grow(uniform(1), 5, 3000), **arguments)


def test_nothing_to_fit_or_trim():
    with pytest.raises(ValueError, match="a plant to fit must have circles, got 0"):
        fit(grow(uniform(1), 5, 0), 10, 10)
    empty = recipe_of(1, max_circles=0)
    with pytest.raises(ValueError, match="must show something of the plant"):
        trim(draw(empty), empty)


@pytest.mark.parametrize("oversample", [1, 2])
def test_a_trimmed_picture_is_the_picture_of_its_recipe(oversample):
    recipe = recipe_of(2, oversample=oversample)
    window = fit(grow_recipe(recipe), 90, 70, "volume", oversample, margin=6)
    recipe = replace(recipe, unit=window.unit, root=window.root)
    pixels, smaller = trim(draw(recipe), recipe)
    assert smaller.width <= 78
    assert smaller.height <= 58
    assert pixels.shape[:2] == (smaller.height, smaller.width)
    assert np.array_equal(pixels, draw(smaller))
    shown = pixels[..., 3] > 0
    assert shown[0].any()
    assert shown[-1].any()
    assert shown[:, 0].any()
    assert shown[:, -1].any()
    assert shown.sum() == (draw(recipe)[..., 3] > 0).sum()


@pytest.mark.parametrize("oversample", [1, 2])
def test_the_visible_circles_alone_make_the_same_flat_picture(kernel, oversample):
    for number in range(4):
        circles = grow(uniform(number), 1, 3000)
        window = Window(64, 50, 8192, (30, 25))
        seen = visible(circles, window, "flat", oversample, kernel)
        whole = rasterize(circles, 64, 50, 8192, (30, 25), "flat", oversample)
        kept = np.flatnonzero(seen)
        alone = rasterize(part(circles, kept), 64, 50, 8192, (30, 25), "flat", oversample)
        assert np.array_equal(alone, whole)
        # and every one of them is needed
        if oversample == 1:
            for i in kept[:: max(1, kept.size // 8)]:
                less = rasterize(part(circles, kept[kept != i]), 64, 50, 8192, (30, 25), "mask")
                colors = rasterize(part(circles, kept[kept != i]), 64, 50, 8192, (30, 25))
                assert not np.array_equal(colors, whole) or less.sum() < len(kept) * 99


def test_a_disc_under_others_and_a_disc_off_the_window_do_not_show(kernel):
    circles = circles_of(
        [
            (0, 0, 2560, 1, 1, 1),  # under the next one
            (0, 0, 5120, 2, 2, 2),
            (10**6, 0, 2560, 3, 3, 3),  # off the window
            (9000, 0, 2560, 4, 4, 4),
        ]
    )
    window = Window(64, 64, 512, (32, 32))
    assert visible(circles, window, kernel=kernel).tolist() == [0, OPAQUE, 0, OPAQUE]
    seen = visible(circles, window, "volume", kernel=kernel).tolist()
    assert seen == [0, OPAQUE | WHITE | BLACK, 0, OPAQUE | WHITE | BLACK]


def test_kernels_agree_on_what_shows():
    pytest.importorskip("numba")
    for number in range(6):
        circles = grow_recipe(recipe_of(number, max_circles=20_000))
        for style in ("flat", "volume"):
            for oversample in (1, 2):
                window = Window(70, 60, 4096, (35, 50))
                first, second = (
                    visible(circles, window, style, oversample, name) for name in ("numba", "numpy")
                )
                assert np.array_equal(first, second)


def test_bands_change_nothing(kernel, monkeypatch):
    circles = grow(uniform(2), 1, 3000)
    window = Window(64, 50, 8192, (30, 25))
    at_once = visible(circles, window, "volume", 2, kernel)
    monkeypatch.setattr("render.visibility._BAND", 64 * 4 * 7)
    assert np.array_equal(visible(circles, window, "volume", 2, kernel), at_once)


def test_visible_refuses():
    circles, window = circles_of([]), Window(8, 8)
    assert visible(circles, window).shape == (0,)
    with pytest.raises(ValueError, match="circles must be Circles"):
        visible([], window)
    with pytest.raises(ValueError, match="style must be one of"):
        visible(circles, window, "sketch")
    with pytest.raises(ValueError, match="oversample must divide the unit 1024, got 3"):
        visible(circles, window, oversample=3)
    with pytest.raises(ValueError, match="kernel must be one of"):
        visible(circles, window, kernel="fast")
