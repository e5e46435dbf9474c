from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from render import Recipe, draw, read_genome, write_picture
from tests.experiments.command_line import Command
from tests.render.plants import uniform

RECIPE = Recipe(uniform(6).tobytes(), 5, 900, 48, 30, 4096, (20, 28), "volume", 2)


@pytest.fixture
def evogarden(monkeypatch, capsys) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def picture(tmp_path) -> Path:
    write_picture(tmp_path / "plant.png", RECIPE)
    return tmp_path / "plant.png"


def test_the_same_view_in_another_size_and_format(evogarden, picture, tmp_path):
    out = tmp_path / "a.webp"
    code, said, _ = evogarden("grow", picture, "-o", out, "--size", "96x60")
    assert (code, said) == (0, f"wrote {out}, 96 x 60\n")
    recipe = read_genome(out)
    assert (recipe.unit, recipe.root) == (2048, (40, 56))
    assert np.array_equal(np.asarray(Image.open(out)), draw(recipe))


def test_a_picture_from_digits(evogarden, tmp_path):
    out = tmp_path / "a.svg"
    assert evogarden("grow", RECIPE.genome.hex(), "-o", out)[0] == 0
    assert read_genome(out).genome == RECIPE.genome


def test_options_reach_the_picture(evogarden, picture, tmp_path):
    out = tmp_path / "a.png"
    arguments = ["--px-per-pixel", 8, "--least-diameter", 4.5, "--seed", 9, "--style", "flat"]
    assert evogarden("grow", picture, "-o", out, *arguments, "--oversample", 1)[0] == 0
    recipe = read_genome(out)
    assert (recipe.unit, recipe.least_diameter, recipe.seed) == (2048, 1152, 9)
    assert (recipe.style, recipe.oversample, recipe.root) == ("flat", 1, RECIPE.root)
    assert np.array_equal(np.asarray(Image.open(out)), draw(recipe))


def test_fit_trim_background_and_colors(evogarden, picture, tmp_path):
    out = tmp_path / "a.png"
    more = ["--fit", "--size", "64x64", "--trim", "--background", "#102030", "--colors", 7]
    assert evogarden("grow", picture, "-o", out, *more)[0] == 0
    with Image.open(out) as image:
        assert max(image.size) >= 62
        pixels = np.asarray(image.convert("RGB"))
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) <= 7


def test_a_file_that_exists_stays_unless_forced(evogarden, picture):
    before = picture.read_bytes()
    assert "--out must not exist yet, or --force be given" in evogarden.refused(
        "grow", picture, "-o", picture
    )
    assert picture.read_bytes() == before
    assert evogarden("grow", picture, "-o", picture, "--force", "--style", "mask")[0] == 0
    assert read_genome(picture).style == "mask"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "a.bmp"], "--out must end in one of .png"),
        (["-o", "a.png", "--size", "0x5"], "width must be a whole number of at least 1, got 0"),
        (["-o", "a.png", "--size", "-3x5"], "width must be"),
        (["-o", "a.png", "--size", "5"], "--size must have the form WxH, got '5'"),
        (["-o", "a.png", "--size", "100000x10000"], "must be at most 268435456, got '100000 x"),
        (["-o", "a.png", "--size", "20000x20000"], "must be at most"),
        (["-o", "a.png", "--fit", "--px-per-pixel", "4"], "--fit must be given without"),
        (["-o", "a.png", "--px-per-pixel", "0"], "--px-per-pixel must be a finite number from"),
        (["-o", "a.png", "--px-per-pixel", "nan"], "--px-per-pixel must be a finite number from"),
        (["-o", "a.png", "--px-per-pixel", "0.001"], "--px-per-pixel must be"),
        (["-o", "a.png", "--least-diameter", "-1"], "--least-diameter must be a finite number"),
        (["-o", "a.png", "--least-diameter", "0.3"], "must be a multiple of 1/256, got 0.3"),
        (["-o", "a.png", "--colors", "0"], "--colors must be a whole number from 1 to 256"),
        (["-o", "a.png", "--background", "grassy"], "background must be a color ("),
        (["-o", "a.png", "--style", "sketch"], "--style must be one of"),
        (["-o", "a.png", "--oversample", "0"], "--oversample must be a whole number"),
        (["-o", "a.png", "--oversample", "7", "--px-per-pixel", "1"], "must divide the unit"),
        (["-o", "a.png", "--style", "mask", "--oversample", "2"], "oversample must be 1 for a"),
        (["-o", "a.png", "--seed", "-1"], "seed must be a whole number from 0"),
        (["-o", "nowhere/a.png"], "--out must be a file that can be written (No such file"),
    ],
)
def test_mistakes_are_said_and_nothing_is_written(
    evogarden, picture, tmp_path, monkeypatch, arguments, message
):
    monkeypatch.chdir(tmp_path)
    assert message in evogarden.refused("grow", picture, *arguments)
    assert [p.name for p in tmp_path.iterdir()] == ["plant.png"]


@pytest.mark.parametrize("what", ["nothing.png", "nothing.svg", "12ab", "x" * 360, "a.jpeg"])
def test_no_such_plant(evogarden, tmp_path, what):
    message = evogarden.refused("grow", what, "-o", tmp_path / "a.png")
    assert "must" in message
    assert list(tmp_path.iterdir()) == []
