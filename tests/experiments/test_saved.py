"""Files of a run that someone has tampered with: one clear message, whoever reads them."""

import json
import shutil

import pytest

from experiments.ancestors import ancestors
from experiments.proof import verify
from experiments.report.story import read_story
from experiments.rundir import RunError
from experiments.saved import read_hall_of_fame
from tests.experiments.command_line import Command

WRONG = [None, True, "x", -1, 2.5, [], {}, [[]], 10**400, float("inf")]
TEXTS = {
    "empty": b"",
    "not UTF-8": b'{"name": "\xff"}',
    "deep": b'{"entries": ' + b"[" * 100_000,
    "a list": b"[]",
    "twice": b'{"name": "a", "name": "b"}',
    "NaN": b'{"entries": NaN}',
    "half a pair": b'{"name": "\\ud800"}',
    "many digits": b'{"seed": ' + b"1" * 5000 + b"}",
}


@pytest.fixture
def copied(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "copied")


@pytest.fixture(scope="session")
def fame(finished):
    return json.loads((finished / "hall_of_fame.json").read_text())


def write(run, value):
    (run / "hall_of_fame.json").write_text(json.dumps(value), encoding="utf-8")


def changed(fame, key, value, *, entry):
    """The hall of fame with another value in it, or in its first entry; Ellipsis: without it."""
    fame = json.loads(json.dumps(fame))
    place = fame["entries"][0] if entry else fame
    if value is ...:
        del place[key]
    else:
        place[key] = value
    return fame


def test_a_whole_one_is_read_as_it_is(finished, fame):
    assert read_hall_of_fame(finished) == fame


def test_what_another_version_adds_is_left(copied, fame):
    more = changed(changed(fame, "more", 1, entry=False), "objectives", [1, 2], entry=True)
    several = changed(
        changed(more, "score", [0.5, 1], entry=True), "unseen_score", None, entry=True
    )
    write(copied, several)
    assert read_hall_of_fame(copied) == several


def test_every_key_must_be_there_and_of_its_kind(copied, fame):
    for entry in (False, True):
        for key in fame["entries"][0] if entry else fame:
            for value in (..., *WRONG):
                bad = changed(fame, key, value, entry=entry)
                nullable = entry and key in {"scores", "unseen_score", "unseen_scores"}
                text = not entry and key in {"name", "seed"}
                lists = key in {"parents", "entries", "growth_seeds", "unseen_growth_seeds"}
                if (
                    (value is None and nullable)
                    or (value == "x" and text)
                    or (value == [] and lists)
                    or (value == {} and key in {"scores", "unseen_scores"})
                    or (
                        key in {"score", "unseen_score"}
                        and value in (-1, 2.5)
                        and value is not True
                    )
                ):
                    continue
                write(copied, bad)
                with pytest.raises(RunError, match="must be a whole hall of fame, got "):
                    read_hall_of_fame(copied)


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("read", [verify, read_story, lambda run: ancestors([str(run)])])
def test_every_reader_refuses_it(copied, kind, read):
    (copied / "hall_of_fame.json").write_bytes(TEXTS[kind])
    with pytest.raises(RunError, match="must be a whole hall of fame, got "):
        read(copied)


@pytest.mark.parametrize("kind", [*TEXTS, "a folder", "genome", "score"])
def test_the_commands_say_so(monkeypatch, capsys, copied, fame, kind):
    path = copied / "hall_of_fame.json"
    path.unlink()
    if kind in TEXTS:
        path.write_bytes(TEXTS[kind])
    elif kind == "a folder":
        path.mkdir()
    else:
        write(copied, changed(fame, kind, "00", entry=True))
    for command in ("show", "report", "verify"):
        said = Command(monkeypatch, capsys).refused(command, copied)
        assert "a whole hall of fame" in said
        assert len(said.splitlines()) == 1


def test_a_key_that_stands_twice_is_refused(copied, fame):
    text = json.dumps(fame)
    for twice in ('{"name": "x", ' + text[1:], text.replace('"rank": 1', '"rank": 2, "rank": 1')):
        (copied / "hall_of_fame.json").write_text(twice)
        with pytest.raises(RunError, match="a key must stand once, got '(name|rank)'"):
            read_hall_of_fame(copied)


def test_a_run_that_has_none_yet(monkeypatch, capsys, copied):
    (copied / "hall_of_fame.json").unlink()
    said = Command(monkeypatch, capsys).refused("show", copied)
    assert said.startswith("evogarden: run must have a hall of fame (evogarden resume RUN writes")


def test_names_are_printed_as_they_are(monkeypatch, capsys, copied, fame):
    name = "[red]a[/] [/] :smile: \x1b[31m"
    fame = changed(fame, "name", name, entry=False)
    scores = {"[bold]light[/bold]": 0.25, "[/]": None}
    write(copied, changed(fame, "scores", scores, entry=True))
    code, out, _ = Command(monkeypatch, capsys)("show", copied)
    assert code == 0
    assert "[red]a[/] [/] :smile: \\x1b[31m, seed 5" in out
    assert "[bold]light[/bold]" in out
    assert " [/] " in out
    assert "\x1b" not in out
