"""Paths that no system takes, and names that no stream can print."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evo.files import write_atomic
from tests.experiments.command_line import Command

ROOT = Path(__file__).parents[2]
LONG = "a" * 300
COMMANDS = {
    "show": ("show", LONG),
    "resume": ("resume", LONG),
    "verify": ("verify", LONG),
    "report": ("report", LONG),
    "new": ("new", f"{LONG}.toml"),
    "run": ("run", f"{LONG}.toml"),
    "grow": ("grow", f"./{LONG}", "-o", "a.png"),
    "grow -o": ("grow", "00" * 180, "-o", f"{LONG}.png"),
    "breed": ("breed", f"./{LONG}", f"./{LONG}", "-o", "a"),
    "mutate -o": ("mutate", "00" * 180, "-o", LONG, "-n", "1"),
    "animate": ("animate", f"./{LONG}", "-o", "a.gif"),
    "sprites": ("sprites", f"./{LONG}", "-o", "a.png"),
    "terrain": ("terrain", "-o", f"{LONG}.png", "--iterations", "2"),
}


@pytest.mark.parametrize("case", COMMANDS)
def test_a_name_that_is_too_long(monkeypatch, capsys, tmp_path, case):
    monkeypatch.chdir(tmp_path)
    said = Command(monkeypatch, capsys).refused(*COMMANDS[case])
    assert "must be" in said
    assert "too long" in said.lower()
    assert "Errno" not in said
    assert not list(tmp_path.iterdir())


def test_a_message_names_the_file_that_was_asked_for(monkeypatch, capsys, tmp_path):
    target = tmp_path / "none" / "a.toml"
    with pytest.raises(FileNotFoundError) as caught:
        write_atomic(target, b"")
    assert caught.value.filename == str(target)
    said = Command(monkeypatch, capsys).refused("new", target)
    assert said.startswith("evogarden: FILE must be one that can be used (No such file or dir")
    assert ".part" not in said


def test_a_stream_of_ascii(tmp_path):
    name = "béta ☘"
    for arguments, code, stream in (
        (("new", f"{name}.toml"), 0, "stdout"),
        (("new", f"{name}.toml"), 2, "stderr"),
        (("grow", f"./{name}", "-o", "a.png"), 2, "stderr"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "experiments", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=False,
        )
        assert done.returncode == code
        assert b"b\\xe9ta" in getattr(done, stream)
        assert b"Traceback" not in done.stderr
