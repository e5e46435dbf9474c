"""The command line, called in this process."""

import sys

import pytest

from experiments.cli import main


class Command:
    """Calls `evogarden` and keeps what it said."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def __call__(self, *arguments: object) -> tuple[int, str, str]:
        self.monkeypatch.setattr(sys, "argv", ["evogarden", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        said = self.capsys.readouterr()
        return code, said.out, said.err

    def refused(self, *arguments: object) -> str:
        """The message of a call that is a mistake of the user."""
        code, out, err = self(*arguments)
        assert (code, out) == (2, ""), (code, out, err)
        assert "Traceback" not in err
        return err
