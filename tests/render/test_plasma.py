import numpy as np
import pytest
from PIL import Image

from render import closed_palette, diamond_square, palette_cycle, write_plasma


@pytest.fixture(scope="module")
def heights() -> np.ndarray:
    return diamond_square(5, 0.6, rng=3, normalize="minmax")


@pytest.mark.parametrize("ending", [".png", ".apng", ".webp", ".gif"])
def test_every_frame_is_exact_and_the_loop_has_no_end(heights, ending, tmp_path):
    path = tmp_path / f"plasma{ending}"
    write_plasma(path, heights, "fire", 12, duration=50)
    expected = palette_cycle(heights, "fire", 12)
    with Image.open(path) as image:
        assert image.n_frames == 12
        assert image.info["loop"] == 0
        for frame in range(12):
            image.seek(frame)
            assert np.array_equal(np.asarray(image.convert("RGB")), expected[frame])
            if ending != ".webp":
                assert image.info["duration"] == 50


def test_a_palette_of_many_colors_is_exact_too(heights, tmp_path):
    palette = closed_palette("dusk", 600)
    for ending in (".png", ".webp"):
        write_plasma(tmp_path / f"a{ending}", heights, palette, 5)
        with Image.open(tmp_path / f"a{ending}") as image:
            image.seek(3)
            shown = np.asarray(image.convert("RGB"))
        assert np.array_equal(shown, palette_cycle(heights, palette, 5)[3])


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("a.jpg", {}, "path must end in one of .png, .apng, .webp, .gif, got 'a.jpg'"),
        ("a.gif", {"duration": 25}, "duration must be a multiple of 10 ms for GIF, got 25"),
        ("a.gif", {"palette": np.zeros((300, 3), int)}, "palette must hold at most 256 colors"),
        ("a.png", {"frames": 300}, "frames must be a whole number from 1 to 256, got 300"),
        ("a.png", {"duration": 5}, "duration must be a whole number from 10 to 65535, got 5"),
    ],
)
def test_bad_input_is_named_and_leaves_no_file(heights, name, options, message, tmp_path):
    with pytest.raises(ValueError) as error:
        write_plasma(tmp_path / name, heights, **options)
    assert message in str(error.value)
    assert not list(tmp_path.iterdir())
