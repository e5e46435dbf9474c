import numpy as np
import pytest
from PIL import Image
from skimage.color import rgb2lab

from fitness import SCORES, Scene
from fitness.scores.color import read_colors
from tests.fitness import pictures
from tests.fitness.pictures import painted

GREEN, BROWN = (58, 125, 68), (120, 80, 40)


def test_a_plant_in_the_palettes_colors_scores_one():
    palette = SCORES["palette"](colors=[GREEN, "#785028"])
    assert palette(painted(pictures.full(), GREEN, BROWN)) == 1.0


def test_colors_that_are_not_used_cost_their_share():
    palette = SCORES["palette"](colors=[GREEN, BROWN, (250, 250, 250), (0, 0, 0)])
    assert palette(painted(pictures.full(), GREEN)) == 0.25
    assert palette(painted(pictures.full(), GREEN, BROWN)) == 0.5


def test_a_single_pixel_of_a_color_is_no_use():
    scene = painted(pictures.full(), GREEN)
    rgba = scene.rgba.copy()
    rgba[0, 0, :3] = BROWN
    palette = SCORES["palette"](colors=[GREEN, BROWN])
    assert palette(Scene(mask=scene.mask, root=(0, 0), rgba=rgba)) < 0.501


def test_distance_is_cielab_over_its_maximum():
    palette = SCORES["palette"](colors=[(2, 2, 2)])  # the center of its cell
    blue = painted(pictures.full(), (0, 0, 255))
    green = painted(pictures.full(), (2, 254, 2))  # of all cells farthest from black
    assert palette(green) == pytest.approx(0.0, abs=1e-4)
    assert 0.05 < palette(blue) < 0.1
    other = (202, 82, 122)  # the center of a cell too
    grid = np.arange(2, 256, 4, dtype=np.uint8)
    cube = np.stack(np.meshgrid(grid, grid, grid), -1).reshape(-1, 3)
    black = rgb2lab(np.uint8([2, 2, 2]))
    largest = np.sqrt(((rgb2lab(cube) - black) ** 2).sum(1)).max()
    want = 1 - np.sqrt(((rgb2lab(np.uint8(other)) - black) ** 2).sum()) / largest
    assert palette(painted(pictures.full(), other)) == pytest.approx(want, abs=2e-4)


def test_colors_outside_the_plant_count_for_nothing():
    scene = painted(pictures.disc(), GREEN)
    rgba = scene.rgba.copy()
    rgba[~scene.mask] = (255, 0, 0, 255)
    palette = SCORES["palette"](colors=[GREEN])
    assert palette(Scene(mask=scene.mask, root=(0, 0), rgba=rgba)) == 1.0


def test_palette_of_an_image(tmp_path):
    path = tmp_path / "colors.png"
    picture = np.zeros((10, 10, 4), np.uint8)
    picture[:5] = (*GREEN, 255)
    picture[5:8] = (*BROWN, 255)
    Image.fromarray(picture).save(path)
    palette = SCORES["palette"](image=path)
    assert palette.table.tolist() == sorted([list(GREEN), list(BROWN)])
    noise = np.random.default_rng(0).integers(0, 256, (40, 40, 3), np.uint8)
    assert len(SCORES["palette"](image=noise, n_colors=5).table) == 5


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "palette must have either colors or an image, got 'neither'"),
        (
            {"colors": ["#000000"], "image": "x.png"},
            "palette must have either colors or an image, got 'both'",
        ),
        ({"colors": []}, "palette.colors must be a list of 1 to 64 colors, got []"),
        (
            {"colors": ["green", "gren"]},
            "palette.colors[1] must be a color ('#f7f5f0', 'white' or three numbers from 0 to "
            "255), got 'gren'",
        ),
        (
            {"colors": [[1, 2, 256]]},
            "palette.colors[0] must be a whole number from 0 to 255, got 256",
        ),
        (
            {"image": np.zeros((2, 2, 4), np.uint8)},
            "palette.image must show a color, got 'an image without an opaque pixel'",
        ),
        (
            {"image": "none.png"},
            "palette.image must be an image file that is there, got 'none.png'",
        ),
    ],
)
def test_bad_palettes_are_refused(parameters, message):
    with pytest.raises(ValueError) as error:
        SCORES["palette"](**parameters)
    assert str(error.value) == message


def test_colors_are_read():
    assert read_colors("x", ["#0a0B0c", (1, 2, 3)]).tolist() == [[10, 11, 12], [1, 2, 3]]
