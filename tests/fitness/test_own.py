import math
import sys
from fractions import Fraction

import numpy as np
import pytest

from fitness import OwnScore, Scene, make_score
from fitness.own import load_own

SCENE = Scene(mask=np.ones((4, 4), bool), root=(2, 4))
EMPTY = Scene(mask=np.zeros((4, 4), bool), root=(2, 4))


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "my_scores.py").write_text(
        "def tall(scene, power=1.0):\n    return scene.area / scene.mask.size / power\n"
        "tall.needs = 'mask'\n"
        "def everything(scene):\n    return 1\n"
        "class Wide:\n"
        "    def __init__(self, share=0.5):\n        self.share = share\n"
        "    def __call__(self, scene):\n        return self.share\n"
        "LIMIT = 3\n"
    )
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize(
    "value",
    [1, 0.5, True, np.float32(0.5), np.int16(3), np.float64(1e-3), np.array(0.25), np.bool_(True)],
)
def test_real_numbers_are_taken(value):
    got = OwnScore(lambda scene: value)(SCENE)
    assert type(got) is float
    assert got == float(value)


@pytest.mark.parametrize("value", [math.nan, math.inf, np.float64("-inf")])
def test_numbers_that_are_not_finite_are_passed_on(value):
    assert repr(OwnScore(lambda scene: value)(SCENE)) == repr(float(value))


@pytest.mark.parametrize(
    "value",
    [
        None,
        "3",
        (1, 2),
        [0.5],
        1j,
        np.complex128(1),
        np.array([0.5]),
        np.array("3"),
        Fraction(1, 2),
    ],
)
def test_anything_else_is_an_error_that_names_the_function(value):
    with pytest.raises(ValueError, match=r"^my_score must return a number, got "):
        OwnScore(lambda scene: value, "my_score")(SCENE)


def test_an_empty_plant_is_zero_and_never_shown():
    assert OwnScore(lambda scene: 1 / scene.area)(EMPTY) == 0.0


def test_by_name(module):
    score = make_score("my_scores:tall")
    assert score.name == "my_scores:tall"
    assert score.needs == {"mask"}
    assert score(SCENE) == 1.0
    assert make_score("my_scores:tall", {"power": 4})(SCENE) == 0.25
    assert make_score("my_scores:tall", {"power": 4}).needs == {"mask"}
    assert make_score("my_scores:Wide", {"share": 0.125})(SCENE) == 0.125
    assert make_score("my_scores:everything").needs == {"mask", "rgba", "summary", "circles"}


@pytest.mark.parametrize(
    ("path", "parameters", "message"),
    [
        (
            "no_such:f",
            {},
            r"fitness name must name a module that can be imported \(No module named "
            r"'no_such'\), got 'no_such:f'",
        ),
        (
            "my_scores:tal",
            {},
            r"fitness name must name an attribute of my_scores "
            r"\(nearest: 'tall'\), got 'my_scores:tal'",
        ),
        ("my_scores:LIMIT", {}, "my_scores:LIMIT must be callable, got 3"),
        ("my_scores:", {}, "fitness name must be a score or package.module:attribute, got"),
        (":f", {}, "fitness name must be a score or package.module:attribute, got ':f'"),
        (
            "my_scores:tall",
            {"powr": 1},
            r"my_scores:tall must take \['powr'\] \(got an unexpected "
            r"keyword argument 'powr'\), got '\(scene, power=1.0\)'",
        ),
        ("my_scores:Wide", {"hi": 1}, r"my_scores:Wide must take \['hi'\]"),
    ],
)
def test_bad_names_are_refused(module, path, parameters, message):
    with pytest.raises(ValueError, match=message):
        make_score(path, parameters)


def test_bad_needs_are_refused():
    with pytest.raises(ValueError, match=r"needs of f must hold words of .* \(nearest: 'mask'\)"):
        OwnScore(lambda scene: 1, "f", frozenset({"mask", "maks"}))


BROKEN = {
    "raises": ("raise RuntimeError('no net')", "module broken must be imported without an error, "),
    "exits": ("import sys; sys.exit(3)", "module broken must be imported without an error, "),
    "syntax": ("def (:", "module broken must be imported without an error, "),
    "imports": ("import no_such_module_x", "fitness name must name a module that can be imported"),
    "init": (
        "class Score:\n    def __init__(self): raise KeyError('x')\n",
        "broken:Score must be made without an error, got \"KeyError: 'x'\"",
    ),
    "init exits": (
        "class Score:\n    def __init__(self): raise SystemExit(0)\n",
        "broken:Score must be made without an error, got 'SystemExit: 0'",
    ),
    "needs a number": ("def Score(scene): return 1\nScore.needs = 5", "needs of broken:Score must"),
    "needs numbers": (
        "def Score(scene): return 1\nScore.needs = [5]",
        "needs of broken:Score must",
    ),
    "not callable": ("Score = 3", "broken:Score must be callable, got 3"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_module_is_one_message(kind, tmp_path, monkeypatch):
    text, message = BROKEN[kind]
    (tmp_path / "broken.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    with pytest.raises(ValueError) as error:  # the words are compared
        load_own("broken:Score", {})
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("path", [".foo:bar", "foo.:bar", ":bar", "a b:c", "a:", "a:.b", "a:b-c"])
def test_a_path_that_is_none(path):
    with pytest.raises(ValueError, match=r"must be a score or package\.module:attribute, got"):
        load_own(path, {})


class Prepared:
    def __init__(self, notes):
        self.notes = notes

    def prepare(self, blank):
        if isinstance(self.notes, BaseException):
            raise self.notes
        return self.notes

    def __call__(self, scene):
        return 0.5


@pytest.mark.parametrize("notes", [3, "text", [1], ("a", None), {}])
def test_what_prepare_may_return(notes):
    with pytest.raises(ValueError, match="prepare of mine must return texts or None, got"):
        OwnScore(Prepared(notes), "mine").prepare(EMPTY)


def test_prepare_gives_notes():
    assert OwnScore(Prepared(["a", "b"])).prepare(EMPTY) == ("a", "b")
    assert OwnScore(Prepared(None)).prepare(EMPTY) == ()


@pytest.mark.parametrize("failure", [KeyError("x"), SystemExit(1), GeneratorExit()])
def test_a_prepare_that_fails(failure):
    with pytest.raises(ValueError, match="mine must get ready without an error, got"):
        OwnScore(Prepared(failure), "mine").prepare(EMPTY)
