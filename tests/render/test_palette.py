import numpy as np
import pytest

from render import PALETTES, closed_palette, diamond_square, palette_cycle
from render.palette import frame_shifts, palette_index


def steps(palette: np.ndarray) -> np.ndarray:
    """Return the largest channel difference from each color to the next, the last to the first."""
    return np.abs(palette.astype(int) - np.roll(palette, -1, axis=0).astype(int)).max(axis=1)


@pytest.mark.parametrize("name", PALETTES)
@pytest.mark.parametrize("size", [16, 64, 256])
def test_a_palette_closes_on_itself(name, size):
    palette = closed_palette(name, size)
    assert palette.shape == (size, 3)
    assert palette.dtype == np.uint8
    assert steps(palette)[-1] <= steps(palette)[:-1].max()
    assert steps(palette).max() <= 256 * len(PALETTES[name]) / size * 0.8 + 1
    assert len(np.unique(palette, axis=0)) > size * 0.4


def test_there_are_palettes_enough():
    assert len(PALETTES) >= 5


def test_a_users_colors_stand_where_they_should():
    palette = closed_palette(["#ff0000", (0, 0, 100), "00FF00"], 6)
    assert palette.tolist() == [
        [255, 0, 0], [128, 0, 50], [0, 0, 100], [0, 128, 50], [0, 255, 0], [128, 128, 0],
    ]  # fmt: skip


def test_frames_are_the_palette_turned():
    heights = np.array([[0.0, 0.25, 0.26], [0.5, 0.999, 1.0]])
    palette = np.arange(12).reshape(4, 3)
    frames = palette_cycle(heights, palette, 4)
    index = np.array([[0, 1, 1], [2, 3, 3]])
    assert np.array_equal(palette_index(heights, 4), index)
    for t in range(4):
        assert np.array_equal(frames[t], palette[(index + t) % 4])


@pytest.mark.parametrize("frames", [256, 100, 64, 7])
def test_the_loop_has_no_jump(frames):
    """From the last frame to the first colors change no more than from any frame to the next."""
    heights = diamond_square(4, 0.5, rng=1, normalize="minmax")
    film = palette_cycle(heights, "plasma", frames).astype(int)
    change = np.abs(film - np.roll(film, -1, axis=0)).mean(axis=(1, 2, 3))
    assert change[-1] <= change[:-1].max() * 1.05
    assert frame_shifts(256, frames)[0] == 0
    assert set(np.diff([*frame_shifts(256, frames), 256])) <= {256 // frames, 256 // frames + 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.0, 1.5]], "fire", 4), "heights must lie from 0 to 1 (normalize them), got (0.0, 1.5"),
        (([[0.0, float("nan")]], "fire", 4), "heights must be finite"),
        (([0.0, 1.0], "fire", 4), "heights must have 2 dimensions, each of at least 1"),
        (([[0.0, 1.0]], "fir", 4), "(nearest: 'fire'), got 'fir'"),
        (([[0.0, 1.0]], [[1, 2]], 1), "palette must be a name, or whole numbers of shape (n, 3)"),
        (([[0.0, 1.0]], [[1, 2, 256]], 1), "palette must hold channels from 0 to 255, got (1, 256"),
        (([[0.0, 1.0]], "fire", 257), "frames must be a whole number from 1 to 256, got 257"),
        (([[0.0, 1.0]], "fire", 0), "frames must be a whole number from 1 to 256, got 0"),
        ((np.zeros((4000, 4000)), "fire", 256), "frames must be at most 44 to stay in 2 GiB"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError) as error:
        palette_cycle(*arguments)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("colors", "size", "message"),
    [
        (["#ff0000"], 4, "colors must hold at least 2 colors"),
        (
            ["#ff0000", "#ff00"],
            4,
            "color must be a color ('#f7f5f0', 'white' or three",
        ),
        (["#ff0000", (1, 2)], 4, "color must be a color"),
        (["#ff0000", (1, 2, 300)], 4, "color must be a whole number from 0 to 255, got 300"),
        (["#ff0000", "#00ff00"], 1, "size must be a whole number of at least 2, got 1"),
    ],
)
def test_bad_colors_are_named(colors, size, message):
    with pytest.raises(ValueError) as error:
        closed_palette(colors, size)
    assert message in str(error.value)
