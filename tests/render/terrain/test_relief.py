import math

import numpy as np
import pytest
from PIL import Image

from render import diamond_square, hillshade, write_hillshade
from render.terrain import shown_relief


def test_a_plane_is_lambert_by_hand():
    flat = hillshade(np.zeros((3, 4)))
    assert np.allclose(flat, math.sin(math.radians(45)))
    rising_east = np.tile(np.arange(4.0), (3, 1))  # faces west
    facing = hillshade(rising_east, azimuth=270, altitude=45, cellsize=1.0)
    assert np.allclose(facing, 1)
    assert np.allclose(hillshade(rising_east, azimuth=90, altitude=45, cellsize=1.0), 0)
    rising_south = rising_east.T  # faces north: row 0 is the north
    assert np.allclose(hillshade(rising_south, azimuth=0, altitude=45, cellsize=1.0), 1)
    assert np.allclose(hillshade(rising_south, azimuth=180, altitude=30, cellsize=1.0), 0)


def test_light_comes_from_the_upper_left():
    hill = -np.hypot(*np.mgrid[-8:9, -8:9].astype(float))
    light = hillshade(hill, cellsize=1.0)
    assert light[3, 3] > 0.99
    assert light[13, 13] < 0.01
    assert light[3, 13] == pytest.approx(light[13, 3])


def test_light_is_a_share_and_input_stays():
    heights = diamond_square(6, 0.2, rng=1)
    heights.flags.writeable = False
    light = hillshade(heights, exaggeration=3)
    assert light.min() >= 0
    assert light.max() <= 1
    assert light.std() > 0.1


def test_the_file_is_the_light(tmp_path):
    heights = diamond_square(5, 1.0, rng=1)
    write_hillshade(tmp_path / "a.png", heights, azimuth=100)
    with Image.open(tmp_path / "a.png") as image:
        assert image.mode == "L"
        expected = np.rint(hillshade(heights, azimuth=100) * 255)
        assert np.array_equal(np.asarray(image), expected)


@pytest.mark.parametrize(
    ("heights", "options", "message"),
    [
        ([[1, 2]], {}, "heights must have 2 dimensions, each of at least 2"),
        ([[1, 2], [3, float("nan")]], {}, "heights must be finite, got '1 that are not'"),
        ([[1, 2], [3, 4]], {"altitude": 91}, "altitude must be a finite number from 0.0 to 90.0"),
        ([[1, 2], [3, 4]], {"cellsize": 0.0}, "cellsize must be above 0, got 0.0"),
    ],
)
def test_bad_input_is_named(heights, options, message):
    with pytest.raises(ValueError) as error:
        hillshade(heights, **options)
    assert message in str(error.value)


def test_a_hillshade_is_a_png(tmp_path):
    with pytest.raises(ValueError, match=r"path must end in \.png for a hillshade, got 'a.gif'"):
        write_hillshade(tmp_path / "a.gif", np.zeros((2, 2)))


def test_a_shown_relief_has_the_slopes_asked_for():
    heights = diamond_square(6, 0.5, rng=3)
    factor = shown_relief(heights, 0.7)
    down, across = np.gradient(heights * factor, 2 / 64)
    assert np.sqrt(np.mean(down**2 + across**2)) == pytest.approx(0.7)
    assert shown_relief(heights * 10, 0.7) == pytest.approx(factor / 10)
    assert shown_relief(np.ones((4, 4))) == 1.0
    light = hillshade(heights, exaggeration=factor)
    assert np.mean((light == 0) | (light == 1)) < 0.1
