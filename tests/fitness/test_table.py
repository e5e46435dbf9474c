import dataclasses

import pytest

from fitness import NEEDS, SCORES, PlantScore, make_score, parameters
from fitness.parameters import Parameter


def test_every_score_is_in_the_table_under_its_name():
    found = set(PlantScore.__subclasses__())
    found |= {deeper for cls in found for deeper in cls.__subclasses__()}
    assert set(SCORES.values()) == found
    assert all(name == cls.name for name, cls in SCORES.items())


@pytest.mark.parametrize("cls", SCORES.values(), ids=SCORES)
def test_every_score_is_a_frozen_dataclass_of_described_parameters(cls):
    assert dataclasses.is_dataclass(cls)
    assert cls.__dataclass_params__.frozen
    assert cls.needs <= NEEDS
    assert "mask" in cls.needs
    for parameter in parameters(cls):
        assert isinstance(parameter, Parameter)
        assert len(parameter.description) > 5


def test_the_table_can_not_be_changed():
    with pytest.raises(TypeError):
        SCORES["mine"] = SCORES["coverage"]


def test_by_name_with_parameters():
    assert make_score("coverage", {"low": 0, "high": 1}) == SCORES["coverage"](low=0.0, high=1.0)
    assert make_score("symmetry") == SCORES["symmetry"]()


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("covrage", {}, r"fitness name must be one of .* \(nearest: 'coverage'\), got 'covrage'"),
        (3, {}, "fitness name must be one of .*, got 3"),
        (
            "symmetry",
            {"axes": "root"},
            r"symmetry must have parameters among axis "
            r"\(nearest: 'axis'\), got 'axes'",
        ),
        (
            "coverage",
            {"lo": 1},
            r"coverage must have parameters among low, high, soft, evenness, "
            r"blob, piece \(nearest: 'low'\), got 'lo'",
        ),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(name, given, message):
    with pytest.raises(ValueError, match=message):
        make_score(name, given)
