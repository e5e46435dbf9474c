"""Files that a config names: found beside the config, and the same to the end of a run."""

import os
import shutil

import numpy as np
import pytest
from PIL import Image

from experiments import ConfigError, load_config, parse_config, resume, run, verify
from experiments.inputs import digests

CONFIG = """
name = "shape"
seed = 3

[evolution]
population = 4
generations = {generations}
{founders}

[plant]
samples = 1
unseen_samples = 1
max_circles = 3000

[picture]
width = 32
height = 32
px_per_pixel = 16.0

[[fitness]]
name = "silhouette"
image = "target.png"

[parallel]
jobs = 1
"""


def disc(path, radius):
    y, x = np.mgrid[:32, :32]
    shape = (x - 16) ** 2 + (y - 16) ** 2 < radius**2
    Image.fromarray(np.where(shape, 0, 255).astype(np.uint8)).save(path)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A config with its target beside it, and a working directory somewhere else."""
    place = tmp_path / "mine"
    place.mkdir()
    disc(place / "target.png", 9)
    (place / "shape.toml").write_text(CONFIG.format(generations=2, founders=""))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    return place


def test_paths_start_at_the_folder_of_the_config(folder):
    config = load_config(folder / "shape.toml")
    assert config.fitness[0].parameters["image"] == str(folder / "target.png")
    assert load_config(os.path.relpath(folder / "shape.toml")) == config


def test_a_guide_s_image_is_a_file_of_the_run_where_it_is_looked_at(folder):
    disc(folder / "wide.png", 12)
    text = (folder / "shape.toml").read_text()
    guide = '[[guide]]\nname = "silhouette"\nimage = "wide.png"\nreach = 0.1\nuntil = 0.5\n'
    (folder / "guided.toml").write_text(f"{text}\n{guide}")
    ways = ["evolution.search=guided", "evolution.generations=1"]
    config = load_config(folder / "guided.toml", ways)
    assert config.guide[0].parameters["image"] == str(folder / "wide.png")
    assert set(digests(config)) == {"fitness.0.image", "guide.0.image"}
    other = load_config(folder / "guided.toml")
    assert set(digests(other)) == {"fitness.0.image"}
    path = run(config, folder / "run").path
    disc(folder / "wide.png", 6)
    with pytest.raises(ConfigError, match="guide.0.image must be the file that the run began with"):
        resume(path, generations=2)


def test_paths_of_overrides_start_at_the_working_directory(folder):
    disc("other.png", 5)
    config = load_config(folder / "shape.toml", ["fitness.0.image=other.png"])
    assert config.fitness[0].parameters["image"] == "other.png"


def test_a_run_from_elsewhere_goes_on_from_anywhere(folder, monkeypatch):
    config = load_config(folder / "shape.toml", ["evolution.generations=1"])
    path = run(config, folder / "run").path
    monkeypatch.chdir("/")
    assert resume(path, generations=2).generation.number == 2
    assert verify(path) == []


def test_a_program_s_paths_start_at_the_working_directory(folder, monkeypatch):
    monkeypatch.chdir(folder)
    config = parse_config((folder / "shape.toml").read_text())
    path = run(config, folder / "run").path
    monkeypatch.chdir("/")
    assert resume(path, generations=3).generation.number == 3


def test_founders_and_heights_are_found_beside_the_config_too(folder):
    run(load_config(folder / "shape.toml"), folder / "first")
    founders = 'founders = ["first", "first/hall_of_fame/001.png"]'
    text = CONFIG.format(generations=0, founders=founders)
    np.save(folder / "dem.npy", np.arange(81.0).reshape(9, 9))
    text += '\n[terrain]\nkind = "file"\nfile = "dem.npy"\nrow = 3\n'
    (folder / "next.toml").write_text(text)
    config = load_config(folder / "next.toml")
    assert config.evolution.founders == (
        str(folder / "first"),
        str(folder / "first/hall_of_fame/001.png"),
    )
    assert run(config).generation.number == 0
    assert sorted(digests(config)) == ["fitness.0.image", "terrain.file"]


def test_a_target_that_changed_is_refused_and_named(folder):
    path = run(load_config(folder / "shape.toml"), folder / "run").path
    before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    disc(folder / "target.png", 4)
    target = folder / "target.png"
    requirement = "be the file that the run began with"
    said = f"fitness.0.image must {requirement}, got another content: {target}"
    with pytest.raises(ConfigError) as error:
        resume(path, generations=3)
    assert said in str(error.value)
    assert {file: file.read_bytes() for file in before} == before
    assert verify(path)[0] == said
    disc(folder / "target.png", 9)
    assert verify(path) == []


def test_a_target_that_is_gone_is_a_message(folder):
    path = run(load_config(folder / "shape.toml"), folder / "run").path
    (folder / "target.png").unlink()
    with pytest.raises(ValueError, match=r"image must be (a readable|an image) file"):
        resume(path, generations=3)


def test_verify_says_when_no_checkpoint_can_be_read(folder):
    path = run(load_config(folder / "shape.toml"), folder / "run").path
    for file in (path / "checkpoint").iterdir():
        file.write_bytes(b"")
    (line,) = verify(path)
    assert line.startswith("checkpoint must have one file that can be read")
    shutil.rmtree(path / "checkpoint")
    (line,) = verify(path)
    assert line.startswith("run must have its folder of checkpoints")


def test_a_score_of_one_s_own_keeps_its_text(folder):
    text = CONFIG.format(generations=1, founders="").replace(
        'name = "silhouette"', 'name = "tests.experiments.test_inputs:named"'
    )
    (folder / "own.toml").write_text(text)
    config = load_config(folder / "own.toml")
    assert config.fitness[0].parameters["image"] == "target.png"
    assert digests(config) == {}


def named(scene, image):
    return 0.5
