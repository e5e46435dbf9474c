import pytest
from PIL import Image

from render import read_genome
from tests.experiments.command_line import Command
from tests.experiments.test_grow import RECIPE


@pytest.fixture
def evogarden(monkeypatch, capsys) -> Command:
    return Command(monkeypatch, capsys)


def test_animate_writes_what_it_says(evogarden, tmp_path):
    out = tmp_path / "a.gif"
    arguments = ["--duration", 1, "--fps", 10, "--hold", 0.5, "--size", "64x64", "--fit"]
    code, said, _ = evogarden("animate", RECIPE.genome.hex(), "-o", out, *arguments)
    assert (code, said) == (0, f"wrote {out}, 64 x 64, 1.5 s\n")
    with Image.open(out) as image:
        assert image.n_frames == 10
    assert read_genome(out).genome == RECIPE.genome


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "a.mp4"], "--out must end in one of .apng"),
        (["-o", "a.gif", "--fps", "0"], "fps must be"),
        (["-o", "a.gif", "--fps", "1000"], "fps must be"),
        (["-o", "a.gif", "--duration", "inf"], "duration must be"),
        (["-o", "a.gif", "--size", "40000x25000"], "width * height"),
        (["-o", "none/a.gif", "--size", "9x9"], "--out must be a file that can be written"),
    ],
)
def test_mistakes(evogarden, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in evogarden.refused("animate", RECIPE.genome.hex(), *arguments)
    assert list(tmp_path.iterdir()) == []
