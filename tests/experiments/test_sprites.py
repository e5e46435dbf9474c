import json

import pytest

from tests.experiments.command_line import Command
from tests.experiments.test_grow import RECIPE


@pytest.fixture
def evogarden(monkeypatch, capsys) -> Command:
    return Command(monkeypatch, capsys)


def test_a_sheet_and_its_atlas(evogarden, tmp_path):
    out, atlas = tmp_path / "s.png", tmp_path / "s.json"
    arguments = ["-n", 3, "--stages", 2, "--size", "32x40", "--power-of-two"]
    code, said, _ = evogarden("sprites", RECIPE.genome.hex(), "-o", out, *arguments)
    assert code == 0
    assert said.startswith(f"wrote {out}, ")
    assert said.endswith(f" and {atlas}\n")
    frames = json.loads(atlas.read_text())["frames"]
    assert len(frames) == 6
    assert frames["plant-002-01"]["sourceSize"] == {"w": 32, "h": 40}
    out.unlink()
    assert "--out must not exist yet" in evogarden.refused(
        "sprites", RECIPE.genome.hex(), "-o", out, *arguments
    )
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "a.svg"], "--out must end in one of .png, .webp"),
        (["-o", "a.png", "-n", "0"], "n must be a whole number"),
        (["-o", "a.png", "--size", "0x0"], "width must be"),
        (["-o", "a.png", "--size", "40000x40000"], "width * height"),
        (["-o", "a.png", "--padding", "-2"], "padding must be"),
        (["-o", "none/a.png", "-n", "1"], "--out must be a file that can be written"),
    ],
)
def test_mistakes(evogarden, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in evogarden.refused("sprites", RECIPE.genome.hex(), *arguments)
    assert list(tmp_path.iterdir()) == []
