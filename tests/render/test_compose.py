import numpy as np
import pytest

from render import diamond_square, ground_line, landscape, map_picture, midpoint_curve, over


def test_painting_over_is_the_formula():
    picture = np.array([[[100, 0, 255], [10, 20, 30]]], np.uint8)
    plant = np.array([[[200, 50, 0, 51], [1, 2, 3, 255]]], np.uint8)
    picture.flags.writeable = plant.flags.writeable = False
    assert over(picture, plant).tolist() == [[[120, 10, 204], [1, 2, 3]]]
    assert np.array_equal(over(picture), picture)


def test_the_last_plant_is_in_front():
    picture = np.zeros((1, 1, 3), np.uint8)
    red, blue = np.array([[[255, 0, 0, 255]]], np.uint8), np.array([[[0, 0, 255, 255]]], np.uint8)
    assert over(picture, red, blue).tolist() == [[[0, 0, 255]]]


def test_every_pair_of_alpha_and_color_is_rounded_right():
    alpha, color = np.meshgrid(np.arange(256), np.arange(256), indexing="ij")
    plant = np.stack([color, color, color, alpha], axis=-1).astype(np.uint8)
    picture = np.full((256, 256, 3), 77, np.uint8)
    exact = (alpha * color + (255 - alpha) * 77) / 255
    assert np.abs(over(picture, plant)[..., 0] - exact).max() <= 0.5


def test_ground_begins_at_its_line():
    line = np.array([3.0, 5.5, 8.0])
    picture = landscape(3, 8, line, sky=["#000000"], ground=["#ff0000", "#ff0000"])
    red = picture[..., 0].astype(int)
    assert red[:3, 0].tolist() == [0, 0, 0]
    assert (red[3:, 0] > 200).all()
    assert red[:5, 1].tolist() == [0] * 5
    assert 100 < red[5, 1] < 155  # the line passes through the middle of this pixel
    assert (red[6:, 1] > 200).all()
    assert not red[:, 2].any()


def test_the_sky_runs_from_its_first_color_to_its_last():
    picture = landscape(2, 11, sky=["#000000", "#6e6e6e"])
    assert picture[:, 0, 0].tolist() == list(range(0, 110, 10))
    assert landscape(5, 4).shape == (4, 5, 3)


def test_a_landscape_is_worth_looking_at():
    line = ground_line(midpoint_curve(7, rng=1), 120, 90)
    picture = landscape(120, 90, line)
    rows = np.arange(90)[:, None]
    assert picture.std() > 20
    sky, soil = picture[rows < line - 1], picture[rows > line + 5]
    assert np.abs(sky.mean(axis=0) - soil.mean(axis=0)).max() > 80


def test_a_map_shows_height_by_color_and_slope_by_light():
    heights = diamond_square(5, 1.0, rng=1)
    assert map_picture(heights).shape == (33, 33, 3)
    assert map_picture(heights, (20, 50)).shape == (20, 50, 3)
    flat = map_picture(np.zeros((4, 4)), colors=["#646464", "#ffffff"])
    assert (flat == 100).all()
    steps = map_picture(np.repeat([[0.0, 1.0]], 8, axis=0).repeat(8, axis=1))
    assert np.abs(steps[4, 2].astype(int) - steps[4, 13]).max() > 60


def test_the_light_on_a_map_is_capped():
    """A slope of 45 degrees that faces the light is 1.15 times as light as its color."""
    place = np.add.outer(np.arange(33.0), np.arange(33.0))
    flat, facing = np.zeros((33, 33)), np.clip(place - 28, 0, 8)
    colors = ["#646464", "#646464"]
    assert map_picture(flat, colors=colors).max() == 100
    assert map_picture(facing, colors=colors).max() == 115
    assert map_picture(-facing, colors=colors).min() == 62  # turned away


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: landscape(0, 5), "width must be a whole number of at least 1, got 0"),
        (lambda: landscape(3, 5, [1, 2]), "line must have shape (3,), got an array"),
        (lambda: landscape(2, 5, [1, float("nan")]), "line must be finite, got '1 that are not'"),
        (lambda: landscape(2, 5, [1, 2], ground=["#000000"]), "ground must have at least 2 colors"),
        (lambda: landscape(2, 5, sky=["blu"]), "color must be a color"),
        (
            lambda: over(np.zeros((2, 2, 3), np.uint8), np.zeros((2, 3, 4), np.uint8)),
            "plant must be a uint8 array of shape (2, 2, 4), got an array of uint8 (2, 3, 4)",
        ),
        (
            lambda: over(np.zeros((2, 2), np.uint8)),
            "picture must be a uint8 array of shape (height, width, 3)",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
