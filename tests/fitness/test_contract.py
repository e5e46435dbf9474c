"""Rules that each score of the table keeps, and the cheats that it refuses."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fitness import SCORES, Scene
from fitness.scores.terrain import _variance
from render import Summary
from tests.fitness import pictures

NAMES = list(SCORES)


TARGET = np.zeros((256, 256, 4), np.uint8)
TARGET[pictures.disc(60, 110)] = (60, 140, 70, 255)
REQUIRED = {
    "silhouette": {"image": TARGET},
    "palette": {"colors": ["#3c8c46", "#785028"]},
    "ssim": {"image": TARGET},
}
"""Parameters of the scores that need some."""


@cache
def make(name):
    return SCORES[name](**REQUIRED.get(name, {}))


def scene_of(mask, root=None, seed=0):
    """A scene with everything that a score may ask for, its arrays read-only."""
    height, width = mask.shape
    rng = np.random.default_rng(seed)
    rgba = rng.integers(0, 256, (height, width, 4), np.uint8)
    rgba[~mask] = 0
    rgba[mask, 3] = 255
    columns = np.linspace(0, 3, width)
    parts = {
        "mask": mask,
        "rgba": rgba,
        "ground": height * (0.85 + 0.08 * np.sin(columns)),
        "heights": np.add.outer(np.linspace(0.35, 0.5, height), np.linspace(0, 0.2, width)),
    }
    for array in parts.values():
        array.flags.writeable = False
    area = int(mask.sum())
    return Scene(
        **parts,
        root=(width // 2, height * 15 // 16) if root is None else root,
        summary=Summary(n_circles=area, off=0, total=area, forks=area // 50, truncated=False),
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [1, 30, 256])
def test_an_empty_plant_scores_zero(name, size):
    assert make(name)(scene_of(pictures.empty(size))) == 0.0


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(
    shape=st.tuples(st.integers(8, 40), st.integers(8, 40)),
    share=st.floats(0, 1),
    seed=st.integers(0, 2**32),
    root=st.tuples(st.integers(-60, 90), st.integers(-60, 90)),
)
def test_any_picture_scores_from_0_to_1(name, shape, share, seed, root):
    mask = np.random.default_rng(seed).random(shape) < share
    value = make(name)(scene_of(mask, root))
    assert type(value) is float
    assert 0.0 <= value <= 1.0


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_without_what_a_score_needs_is_refused(name):
    whole = scene_of(pictures.tree())
    parts = {part: getattr(whole, part) for part in ("rgba", "ground", "heights", "summary")}
    for need in SCORES[name].needs - {"mask"}:
        bare = Scene(mask=whole.mask, root=whole.root, **{**parts, need: None})
        with pytest.raises(ValueError, match=f"scene must have {need} for the score {name}, got"):
            make(name)(bare)
    enough = {part: value for part, value in parts.items() if part in SCORES[name].needs}
    assert make(name)(Scene(mask=whole.mask, root=whole.root, **enough)) == make(name)(whole)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (3, 300), (8, 8), (256, 255)])
def test_odd_windows(name, shape):
    rng = np.random.default_rng(1)
    for share in (0.1, 0.5, 1.0):
        assert 0.0 <= make(name)(scene_of(rng.random(shape) < share)) <= 1.0


@pytest.mark.parametrize("name", NAMES)
def test_a_score_neither_changes_its_scene_nor_remembers_it(name):
    scene, other = scene_of(pictures.tree()), scene_of(pictures.tree(depth=4, jitter=0.1), seed=1)
    before = {part: getattr(scene, part).copy() for part in ("mask", "rgba", "ground", "heights")}
    score = make(name)
    first = score(scene)
    second = score(other)
    assert score(scene_of(pictures.tree())) == first
    assert SCORES[name](**REQUIRED.get(name, {}))(other) == second
    for part, array in before.items():
        assert np.array_equal(getattr(scene, part), array)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("far", [2**31, -(2**31)])
def test_nothing_overflows_at_the_farthest_roots_and_grounds(name, far):
    whole = scene_of(pictures.tree())
    parts = {part: getattr(whole, part) for part in ("mask", "rgba", "summary", "heights")}
    columns = np.arange(256)
    for ground in (np.full(256, far), np.where(columns % 2, far, -far), np.full(256, 200)):
        for root in ((far, far), (128, far), (128, 240)):
            value = make(name)(Scene(**parts, ground=ground, root=root))
            assert type(value) is float
            assert 0.0 <= value <= 1.0


def test_a_variance_of_far_numbers_is_exact():
    assert _variance(np.array([2**31, -(2**31)] * 128)) == 2.0**62
