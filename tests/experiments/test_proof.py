"""verify: what it proves, and every harm that it must find."""

import json
import shutil

import numpy as np
import pytest
from PIL import Image

from evo import to_hex
from experiments import RunError, load_config, verify
from experiments.problem import Problem
from render import read_genome, write_png


@pytest.fixture
def copied(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "copied")


@pytest.fixture
def fame(copied):
    """Change hall_of_fame.json."""

    def change(how):
        path = copied / "hall_of_fame.json"
        value = json.loads(path.read_text())
        how(value)
        path.write_text(json.dumps(value))

    return change


def test_a_good_run_has_no_difference(finished):
    assert verify(finished) == []
    assert verify(finished, kernel="numpy") == []


def nudge(value):
    return np.nextafter(value, 2.0).item()


HARM = {
    "score": (lambda f: f["entries"][1].update(score=nudge(f["entries"][1]["score"])),
              "entry 2: score must be "),
    "scores": (lambda f: f["entries"][0]["scores"].update(coverage=0.5), "entry 1: scores"),
    "unseen": (lambda f: f["entries"][2].update(unseen_score=0.5), "entry 3: unseen_score"),
    "rank": (lambda f: f["entries"][2].update(rank=9), "entry 3: rank must be 3, got 9"),
    "seed": (lambda f: f.update(seed="6"), "hall_of_fame.json: seed must be 5, got '6'"),
    "growth seeds": (lambda f: f["growth_seeds"].reverse(), "hall_of_fame.json: growth_seeds must"),
    "model": (lambda f: f.update(growth_model=99), "hall_of_fame.json: growth_model must be"),
    "order": (lambda f: f["entries"].reverse(), "entries must be in the order of score"),
    "genome": (lambda f: f["entries"][0].update(genome="00" * 180),
               "hall_of_fame/001.png must carry the genome"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HARM)
def test_a_changed_record_is_found(copied, fame, kind):
    change, said = HARM[kind]
    fame(change)
    assert any(line.startswith(said) for line in verify(copied))


def test_a_changed_pixel_is_found(copied):
    path = copied / "hall_of_fame" / "002.png"
    recipe = read_genome(path)
    with Image.open(path) as picture:
        pixels = np.array(picture)
    pixels[5, 7, 1] ^= 1
    write_png(path, pixels, recipe.genome, recipe.seed, recipe.max_circles,
              window=recipe.window, style=recipe.style, oversample=recipe.oversample)  # fmt: skip
    assert verify(copied) == [
        "hall_of_fame/002.png must be what its genome draws, got 1 other pixels"
    ]


@pytest.mark.parametrize("data", [None, b"", b"no picture", "half"])
def test_a_broken_picture_is_found(copied, data):
    path = copied / "hall_of_fame" / "001.png"
    whole = path.read_bytes()
    path.unlink()
    if data is not None:
        path.write_bytes(whole[: len(whole) // 2] if data == "half" else data)
    (line,) = verify(copied)
    assert line.startswith("hall_of_fame/001.png must be a picture that can be read, got ")


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"entries": 3}', '{"entries": [{"genome": "00"}]}', "[" * 50_000]
)
def test_a_broken_record_is_refused(copied, text):
    (copied / "hall_of_fame.json").write_text(text)
    with pytest.raises(RunError, match=r"hall_of_fame\.json must be a whole hall of fame, got "):
        verify(copied)


def test_a_run_without_one_is_refused(copied, tmp_path):
    (copied / "hall_of_fame.json").unlink()
    with pytest.raises(RunError, match="run must have a whole hall of fame"):
        verify(copied)
    with pytest.raises(RunError, match="run must be a folder that a run has made"):
        verify(tmp_path / "none")


def test_it_changes_nothing(copied):
    before = {p: p.read_bytes() for p in copied.rglob("*") if p.is_file()}
    verify(copied)
    assert {p: p.read_bytes() for p in copied.rglob("*") if p.is_file()} == before


def test_a_changed_config_is_found(copied):
    path = copied / "config.toml"
    path.write_text(path.read_text().replace("risk = 0.0", "risk = 0.5"))
    assert any("score must be " in line for line in verify(copied))
    genome = json.loads((copied / "hall_of_fame.json").read_text())["entries"][0]["genome"]
    assert to_hex(Problem(load_config(path)).recipe(bytes.fromhex(genome)).genome) == genome
