"""One check of style and oversample, whoever draws."""

from dataclasses import replace

import pytest

from experiments.cli.draw import view
from render import GROWTH_MODEL, Recipe, Window, grow, rasterize, write_png
from render.visibility import visible
from tests.render.plants import uniform

GENOME = uniform(6).tobytes()
RECIPE = Recipe(GENOME, 5, 90, 24, 24, 1024, (12, 20), "flat", 1)
WINDOW = Window(24, 24, 1024)


def saved(tmp_path, style, oversample):
    pixels = rasterize(grow(GENOME, 5, 90), 24, 24)
    write_png(tmp_path / "a.png", pixels, GENOME, style=style, oversample=oversample)


DRAWERS = {
    "rasterize": lambda _, s, k: rasterize(grow(GENOME, 5, 90), 24, 24, 1024, None, s, k),
    "visible": lambda _, s, k: visible(grow(GENOME, 5, 90), WINDOW, s, k),
    "recipe": lambda _, s, k: replace(RECIPE, style=s, oversample=k),
    "command": lambda _, s, k: view(RECIPE, style=s, oversample=k),
    "write_png": saved,
}
WRONG = [
    ("mask", 2, "oversample must be 1 for a mask, got 2"),
    ("sketch", 1, "style must be one of 'flat', 'volume', 'mask'"),
    ("flat", 0, "oversample must be a whole number of at least 1, got 0"),
    ("flat", True, "oversample must be a whole number of at least 1, got True"),
    ("flat", 1024, "oversample² must be at most 268435456, got '24 x 24, oversample 1024'"),
    ("flat", 3, "oversample must divide the unit 1024, got 3"),
]


@pytest.mark.parametrize(("style", "oversample", "message"), WRONG)
@pytest.mark.parametrize("drawer", DRAWERS)
def test_every_drawer_refuses_the_same(tmp_path, drawer, style, oversample, message):
    if drawer == "command" and oversample == 3:
        message = None  # it rounds the unit up to one that fits
    if message is None:
        assert view(RECIPE, style=style, oversample=oversample).unit == 1026
        return
    with pytest.raises(ValueError, match=message.replace(".", r"\.")):
        DRAWERS[drawer](tmp_path, style, oversample)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("model", [GROWTH_MODEL + 1, GROWTH_MODEL - 1, True, float(GROWTH_MODEL)])
def test_another_growth_model_is_no_recipe(model):
    with pytest.raises(ValueError, match=r"growth_model must be "):
        replace(RECIPE, growth_model=model)
