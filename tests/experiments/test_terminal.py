import io

import numpy as np
import pytest
from rich.console import Console

from experiments.cli import show
from experiments.cli.terminal import can_show_pictures, picture_text, swatch
from render import write_picture
from tests.experiments.command_line import Command
from tests.experiments.test_grow import RECIPE


def console(system: str | None = "truecolor", **more: object) -> Console:
    file = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    return Console(file=file, force_terminal=True, color_system=system, width=110, **more)


def printed(out: Console, what: object) -> str:
    with out.capture() as capture:
        out.print(what)
    return capture.get()


def test_two_pixels_a_character():
    rgba = np.zeros((4, 2, 4), np.uint8)
    rgba[0, 0] = (255, 0, 0, 255)
    rgba[1, 0] = (0, 0, 255, 255)
    rgba[3, 1] = (0, 255, 0, 255)
    text = picture_text(rgba)
    assert text.plain == "▀ \n ▄"
    shown = printed(console(), text)
    assert "\x1b[38;2;255;0;0;48;2;0;0;255m▀" in shown
    assert "\x1b[38;2;0;255;0m▄" in shown


def test_pictures_are_cut_and_made_small():
    rgba = np.zeros((400, 300, 4), np.uint8)
    rgba[100:300, 50:250] = 255
    lines = picture_text(rgba, 20).plain.splitlines()
    assert len(lines) == 10
    assert {len(line) for line in lines} == {20}
    assert picture_text(np.zeros((4, 4, 4), np.uint8)).plain == "(nothing shows)"


def test_only_terminals_that_can():
    assert can_show_pictures(console())
    assert can_show_pictures(console("256"))
    assert not can_show_pictures(console("standard"))
    assert not can_show_pictures(console(None))
    assert not can_show_pictures(console(no_color=True))
    assert not can_show_pictures(Console(file=io.StringIO()))
    assert "48;2;1;2;3m" in printed(console(), swatch(1, 2, 3))


@pytest.mark.parametrize("color", [True, False])
def test_show_has_a_picture_where_it_can(tmp_path, monkeypatch, capsys, color):
    write_picture(tmp_path / "a.webp", RECIPE)
    out = console("truecolor" if color else None)
    monkeypatch.setattr(show, "console", lambda: out)
    with out.capture() as capture:
        code, _, _ = Command(monkeypatch, capsys)("show", tmp_path / "a.webp")
    assert code == 0
    assert ("▀" in capture.get()) is color
    assert ("own color of the first circle" in capture.get().split("red")[0]) is color
    assert RECIPE.genome.hex() in capture.get()


def test_show_of_a_run_has_its_best_plant(finished, monkeypatch, capsys):
    out = console()
    monkeypatch.setattr(show, "console", lambda: out)
    with out.capture() as capture:
        assert Command(monkeypatch, capsys)("show", finished)[0] == 0
    assert "▀" in capture.get()
