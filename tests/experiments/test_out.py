"""What stands at -o already is never touched without --force."""

import pytest

from render import Recipe, write_picture
from tests.experiments.command_line import Command
from tests.render.plants import uniform

COMMANDS = {
    "grow": ("grow", "a.png", "-o", "new.svg", "--force"),
    "animate": ("animate", "a.png", "-o", "new.gif", "--duration", "0.2", "--force"),
    "sprites": ("sprites", "a.png", "-o", "new.png", "-n", "1", "--force"),
    "the atlas of sprites": ("sprites", "a.png", "-o", "new2.png", "-n", "1", "--force"),
    "terrain": ("terrain", "-o", "new.npy", "--iterations", "2", "--force"),
    "hillshade": ("terrain", "-o", "new.png", "--hillshade", "--iterations", "2", "--force"),
    "plasma": ("terrain", "-o", "new.webp", "--iterations", "2", "--frames", "2", "--force"),
    "breed": ("breed", "a.png", "b.png", "-o", "new", "-n", "1"),
    "mutate": ("mutate", "a.png", "-o", "new", "-n", "1"),
}
NAMES = {"the atlas of sprites": "new2.json"}


@pytest.fixture
def evogarden(monkeypatch, capsys, tmp_path) -> Command:
    monkeypatch.chdir(tmp_path)
    for name, seed in (("a.png", 6), ("b.png", 7)):
        genome = uniform(seed).tobytes()
        write_picture(name, Recipe(genome, 5, 90, 24, 24, 8192, (12, 20), "flat", 1))
    return Command(monkeypatch, capsys)


@pytest.mark.parametrize("kind", ["file", "folder", "link", "link to nothing"])
@pytest.mark.parametrize("case", COMMANDS)
def test_what_is_there_stays(evogarden, tmp_path, case, kind):
    *arguments, last = COMMANDS[case]
    if last != "--force":
        arguments.append(last)
    target = tmp_path / NAMES.get(case, arguments[arguments.index("-o") + 1])
    if kind == "file":
        target.write_bytes(b"mine")
    elif kind == "folder":
        target.mkdir()
    else:
        if kind == "link":
            (tmp_path / "far").write_bytes(b"mine")
        target.symlink_to(tmp_path / "far")
    before = sorted(p.name for p in tmp_path.iterdir())
    status, out, err = evogarden(*arguments)
    assert (status, out) == (2, "")
    assert "--out must not exist yet" in err
    assert sorted(p.name for p in tmp_path.iterdir()) == before
    assert target.is_symlink() == kind.startswith("link")
    if kind in ("file", "link"):
        assert target.read_bytes() == b"mine"


def test_new_leaves_a_link_to_nothing(evogarden, tmp_path):
    (tmp_path / "a.toml").symlink_to(tmp_path / "far")
    assert "FILE must not exist yet" in evogarden.refused("new", "a.toml")
    assert (tmp_path / "a.toml").is_symlink()


@pytest.mark.parametrize("case", [case for case in COMMANDS if COMMANDS[case][-1] == "--force"])
def test_force_replaces_a_link_and_not_what_it_leads_to(evogarden, tmp_path, case):
    arguments = COMMANDS[case]
    target = tmp_path / NAMES.get(case, arguments[arguments.index("-o") + 1])
    (tmp_path / "far").write_bytes(b"mine")
    target.symlink_to(tmp_path / "far")
    assert evogarden(*arguments)[0] == 0
    assert not target.is_symlink()
    assert (tmp_path / "far").read_bytes() == b"mine"
