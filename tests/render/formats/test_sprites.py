import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from render import Recipe, draw, grow, read_genome
from render.drawing import rasterize_recipe
from render.formats import write_sprites
from render.formats.animation import grown_until
from render.formats.sprites import draw_sprites, pack
from tests.render.plants import uniform

RECIPE = Recipe(uniform(6).tobytes(), 2**64 - 2, 1500, 60, 48, 4096, (0, 0), "volume", 2)


@pytest.mark.parametrize("ending", [".png", ".webp"])
@pytest.mark.parametrize("power_of_two", [False, True])
def test_the_boxes_cut_out_exactly_the_sprites(tmp_path, ending, power_of_two):
    path = tmp_path / f"a{ending}"
    atlas_path, size = write_sprites(path, RECIPE, 4, 3, power_of_two=power_of_two)
    atlas = json.loads(atlas_path.read_text())
    with Image.open(path) as image:
        sheet = np.asarray(image.convert("RGBA"))
    assert (sheet.shape[1], sheet.shape[0]) == size
    assert atlas["meta"]["size"] == {"w": size[0], "h": size[1]}
    assert atlas["meta"]["image"] == path.name
    if power_of_two:
        assert all(side & (side - 1) == 0 for side in size)
    _, recipe = draw_sprites(RECIPE, 4, 3)
    left_over = sheet.copy()
    for i in range(4):
        seed = (RECIPE.seed + i) % 2**64
        plant = grow(RECIPE.genome, seed, RECIPE.max_circles)
        n_ticks = int(plant.tick[-1]) + 1
        for j in range(3):
            entry = atlas["frames"][f"plant-{i:03d}-{j:02d}"]
            expected = rasterize_recipe(grown_until(plant, -(-n_ticks * (j + 1) // 3)), recipe)
            x, y, w, h = (entry["frame"][k] for k in "xywh")
            part = sheet[y : y + h, x : x + w]
            # laid at its place in the cell it is the whole picture
            cell = np.zeros_like(expected)
            at = entry["spriteSourceSize"]
            assert (at["w"], at["h"]) == (w, h)
            cell[at["y"] : at["y"] + h, at["x"] : at["x"] + w] = part
            assert np.array_equal(cell, expected)
            assert entry["sourceSize"] == {"w": 60, "h": 48}
            assert entry["rotated"] is False
            # the pivot is the root: the corner of pixels at which the stem begins
            assert entry["pivot"]["x"] * 60 == pytest.approx(recipe.root[0])
            assert entry["pivot"]["y"] * 48 == pytest.approx(recipe.root[1])
            left_over[y : y + h, x : x + w] = 0
        # grown, nothing is cut off
        assert np.array_equal(expected, draw(replace(recipe, seed=seed)))
    assert not left_over.any()
    assert atlas["animations"]["plant-001"] == [f"plant-001-{j:02d}" for j in range(3)]
    assert read_genome(path) == recipe


def test_the_root_is_where_the_first_circle_is():
    sprites, recipe = draw_sprites(replace(RECIPE, style="mask", oversample=1), 2, 40)
    first = sprites[0]
    ys, xs = np.nonzero(first.pixels[..., 3])
    box = (first.left + xs.min(), first.left + xs.max() + 1, first.top + ys.min())
    assert box[0] <= recipe.root[0] <= box[1]
    assert box[2] <= recipe.root[1]


def test_ages_only_grow():
    sprites, _ = draw_sprites(RECIPE, 1, 6)
    inked = [np.count_nonzero(s.pixels[..., 3]) for s in sprites]
    assert inked == sorted(inked)
    assert len({s.name for s in sprites}) == 6


def test_individuals_of_a_species_differ():
    sprites, _ = draw_sprites(RECIPE, 5)
    assert len({s.pixels.tobytes() for s in sprites}) == 5


boxes = st.lists(st.tuples(st.integers(1, 90), st.integers(1, 90)), min_size=1, max_size=40)


@settings(max_examples=60, deadline=None)
@given(boxes, st.integers(0, 5), st.booleans())
def test_packed_boxes_never_overlap(sizes, padding, power_of_two):
    places, (width, height) = pack(sizes, padding, power_of_two)
    if power_of_two:
        assert width & (width - 1) == height & (height - 1) == 0
    sheet = np.zeros((height, width), np.int64)
    for (x, y), (w, h) in zip(places, sizes, strict=True):
        assert padding <= x <= width - padding - w
        assert padding <= y <= height - padding - h
        sheet[max(0, y - padding) : y + h, max(0, x - padding) : x + w] += 1
        assert sheet[y : y + h, x : x + w].max() == 1
        sheet[max(0, y - padding) : y, max(0, x - padding) : x + w] = 0
        sheet[y : y + h, max(0, x - padding) : x] = 0
    assert np.count_nonzero(sheet) == sum(w * h for w, h in sizes)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("a.gif", {}, r"path must end in one of .png, .webp"),
        ("a.png", {"n": 0}, "n must be a whole number from 1"),
        ("a.png", {"stages": 0}, "stages must be a whole number from 1"),
        ("a.png", {"n": 1000, "stages": 1000}, r"n \* stages"),
        ("a.png", {"padding": -1}, "padding must be a whole number from 0"),
        (
            "a.png",
            {"recipe": replace(RECIPE, width=16000, height=9000, oversample=1)},
            r"n \* stages \* width",
        ),
        ("a.png", {"recipe": replace(RECIPE, max_circles=0)}, "must have circles, got 0"),
    ],
)
def test_wrong_arguments_write_nothing(tmp_path, name, options, message):
    arguments = {"recipe": RECIPE, **options}
    with pytest.raises(ValueError, match=message):
        write_sprites(tmp_path / name, **arguments)
    assert list(tmp_path.iterdir()) == []
