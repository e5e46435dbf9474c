import math
from fractions import Fraction

import numpy as np
import pytest

from fitness import OwnScore, Scene, make_score

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
    with pytest.raises(ValueError, match=r"^my_score must return a real number, got "):
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
