"""The command terrain."""

import numpy as np
import pytest
from PIL import Image

from render import closed_palette, diamond_square, hillshade, palette_cycle, read_heights
from render.terrain import shown_relief
from tests.experiments.test_cli import evogarden, files  # noqa: F401


def test_heights_of_each_format(evogarden, tmp_path):  # noqa: F811
    expected = diamond_square(5, 0.7, rng=3)
    options = ("--iterations", 5, "--roughness", 0.7, "--seed", 3)
    for ending in ("png", "npy", "npz", "asc", "tif", "raw"):
        status, out, err = evogarden("terrain", "-o", f"a.{ending}", *options)
        assert (status, out, err) == (0, f"wrote a.{ending}, 33 x 33\n", "")
        heights = read_heights(tmp_path / f"a.{ending}")
        if ending == "raw":
            heights = heights * np.ptp(expected) + expected.min()
        assert np.abs(heights - expected).max() < 1e-4


def test_options_reach_the_map(evogarden, tmp_path):  # noqa: F811
    assert evogarden("terrain", "-o", "a.npy", "--size", "20x9")[0] == 0
    assert np.array_equal(read_heights(tmp_path / "a.npy"), diamond_square(shape=(9, 20)))
    options = ("--variant", "square_square", "--wrap", "--roughness", "inf", "--iterations", 3)
    assert evogarden("terrain", "-o", "b.npy", *options)[0] == 0
    expected = diamond_square(3, float("inf"), variant="square_square", wrap=True)
    assert np.array_equal(read_heights(tmp_path / "b.npy"), expected)
    assert evogarden("terrain", "-o", "c.npy")[1] == "wrote c.npy, 257 x 257\n"


def test_pictures(evogarden, tmp_path):  # noqa: F811
    small = ("--iterations", 4)
    assert evogarden("terrain", "-o", "shade.png", "--hillshade", *small)[0] == 0
    with Image.open(tmp_path / "shade.png") as image:
        land = diamond_square(4)
        light = hillshade(land, exaggeration=shown_relief(land))
        assert np.array_equal(np.asarray(image), np.rint(light * 255))
    heights = diamond_square(4, normalize="minmax")
    assert evogarden("terrain", "-o", "paint.png", "--palette", "fire", *small)[0] == 0
    with Image.open(tmp_path / "paint.png") as image:
        shown = np.asarray(image.convert("RGB"))
    assert np.array_equal(shown, palette_cycle(heights, "fire", 1)[0])
    for name, options, frames in (
        ("a.gif", (), 64),
        ("b.webp", ("--frames", 5), 5),
        ("c.png", ("--frames", 6, "--palette", "#102030,#ffe0a0,#80c0ff"), 6),
    ):
        assert evogarden("terrain", "-o", name, *options, *small)[0] == 0
        with Image.open(tmp_path / name) as image:
            assert image.n_frames == frames
            image.seek(2)
            shown = np.asarray(image.convert("RGB"))
        colors = closed_palette(options[3].split(",") if len(options) > 2 else "plasma")
        assert np.array_equal(shown, palette_cycle(heights, colors, frames)[2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["a.jpg"],
            ".tif, .tiff, .raw, .r16, .apng, .webp, .gif (nearest: ",
        ),
        (["a.npy", "--palette", "fire"], "--out must end in one of .png, .apng, .webp, .gif"),
        (["a.gif", "--hillshade"], "--hillshade must be given without --palette and --frames"),
        (["a.npy", "--hillshade"], "--out must end in one of .png, got 'a.npy'"),
        (["old.npy"], "--out must not exist yet, or --force be given, got 'old.npy'"),
        (["none/a.npy"], "--out must be a file that can be written (No such file or directory)"),
        (["a.npy", "--roughness=-1"], "roughness must be a number of at least 0.0, got -1.0"),
        (["a.npy", "--roughness", "nan"], "roughness must be a number of at least 0.0, got nan"),
        (["a.npy", "--iterations", "0"], "iterations must be a whole number of at least 1, got 0"),
        (["a.npy", "--iterations", "40"], "iterations must be small enough for 4 GiB of memory"),
        (
            ["a.npy", "--seed=-1"],
            "--seed must be a whole number from 0 to 18446744",
        ),
        (["a.npy", "--size", "9"], "--size must have the form WxH, got '9'"),
        (["a.npy", "--size", "1x9"], "shape[1] must be a whole number of at least 2, got 1"),
        (["a.npy", "--size", "-9x9"], "shape[1] must be a whole number of at least 2, got -9"),
        (["a.npy", "--size", "9x8", "--wrap"], "shape must be left out, or 9 x 9, to wrap"),
        (["a.npy", "--variant", "spectra"], "(nearest: 'spectral'), got 'spectra'"),
        (["a.gif", "--palette", "fir"], "(nearest: 'fire'), got 'fir'"),
        (["a.gif", "--palette", "#fff,#0"], "color must be a color"),
        (["a.gif", "--frames", "0"], "frames must be a whole number from 1 to 256, got 0"),
        (["a.raw", "--iterations", "4"], "heights must be square for RAW, of side 33"),
    ],
)
def test_a_mistake_is_one_message_exit_2_and_no_file(evogarden, tmp_path, arguments, message):  # noqa: F811
    (tmp_path / "old.npy").write_bytes(b"mine")
    status, out, err = evogarden("terrain", "-o", *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
    assert files(tmp_path) == ["old.npy"]
    assert (tmp_path / "old.npy").read_bytes() == b"mine"


def test_force_replaces(evogarden, tmp_path):  # noqa: F811
    (tmp_path / "old.npy").write_bytes(b"mine")
    assert evogarden("terrain", "-o", "old.npy", "--force", "--iterations", 2)[0] == 0
    assert read_heights(tmp_path / "old.npy").shape == (5, 5)
