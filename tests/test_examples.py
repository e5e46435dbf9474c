"""Each example runs as its docstring says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from evo import founders
from render import grow, rasterize, write_png

ROOT = Path(__file__).parents[1]


def example(name, *arguments):
    subprocess.run(
        [sys.executable, ROOT / "examples" / name, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        timeout=240,
    )


def test_grow_one_plant(tmp_path):
    example("grow_one_plant.py", tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"plant-flat.png", "plant-volume.png"}


def test_own_score(tmp_path):
    example("own_score.py", tmp_path)
    with Image.open(tmp_path / "crown.png") as picture:
        assert picture.getbbox() is not None


def test_breed_two_pictures(tmp_path):
    for name, plant in zip("ab", founders("seedling", 2, 3), strict=True):
        pixels = rasterize(grow(plant), 64, 64, 4096)
        write_png(tmp_path / f"{name}.png", pixels, plant)
    example("breed_two_pictures.py", tmp_path / "a.png", tmp_path / "b.png", tmp_path / "out")
    with Image.open(tmp_path / "out" / "family.png") as sheet:
        assert sheet.width > 1000


def test_breed_two_pictures_without_pictures():
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "breed_two_pictures.py"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "usage: python examples/breed_two_pictures.py A.png B.png [FOLDER]\n"


def test_make_terrain(tmp_path):
    example("make_terrain.py", tmp_path)
    names = {"tile.png", "tile.raw", "shade.png", "plasma.gif", "hill.png"}
    assert {path.name for path in tmp_path.iterdir()} == names
    with Image.open(tmp_path / "plasma.gif") as film:
        assert film.n_frames == 32


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_an_example_is_short_and_tested(path):
    assert len(path.read_text().splitlines()) < 60
    assert f'"{path.name}"' in Path(__file__).read_text()
