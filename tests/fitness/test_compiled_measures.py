"""The compiled measures count what the numpy code beside them counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evo.population import founders
from fitness import SCORES, Scene, make_score, measures
from fitness.scores import shape as shapes
from render import Window, silhouettes
from render.bits import pack
from render.kernels import compiled_measures

pytest.importorskip("numba")

SHAPES = [(1, 1), (5, 64), (64, 65), (200, 300), (256, 256), (300, 129), (9, 3), (2, 128)]
WINDOW = Window(200, 180)
PLANTS = [
    mask
    for number, founder in enumerate(founders("seedling", 6, 3))
    for mask in silhouettes(founder, [number], WINDOW)[0]
]


def plain(monkeypatch, function, *arguments):
    """What the numpy code gives."""
    with monkeypatch.context() as patch:
        patch.setattr(measures, "compiled_measures", lambda: None)
        return function(*arguments)


def masks() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    out = list(PLANTS)
    for shape in SHAPES:
        out += [rng.random(shape) < share for share in (0, 0.02, 0.3, 0.5, 0.7, 0.97, 1)]
        if min(shape) > 20:
            out.append(measures.dilate(rng.random(shape) < 0.005, 9))
    return out


def test_numba_is_used():
    assert compiled_measures() is not None


@pytest.mark.parametrize("mask", masks(), ids=lambda mask: f"{mask.shape}")
def test_measures_are_equal(mask, monkeypatch):
    height, width = mask.shape
    assert measures.largest_piece(mask) == plain(monkeypatch, measures.largest_piece, mask)
    assert measures.thick_share(mask) == plain(monkeypatch, measures.thick_share, mask)
    for rows, columns in {(min(8, height), min(8, width)), (height, width), (1, 1)}:
        counts = measures.block_sums(mask, rows, columns)
        assert counts.dtype == np.int64
        expected = plain(monkeypatch, measures.block_sums, mask, rows, columns)
        assert np.array_equal(counts, expected)
    for axis in (2 * (width // 2) - 1, 0, -3, 2 * width - 2, width, 10 * width, -10 * width):
        far = np.abs(2 * np.arange(width) - axis) > 0.04 * width
        match = measures.mirror_match(mask, axis, far, 3)
        assert match == plain(monkeypatch, measures.mirror_match, mask, axis, far, 3)
        assert all(type(count) is int for count in match)


@pytest.mark.parametrize("mask", masks(), ids=lambda mask: f"{mask.shape}")
def test_pieces_at_places(mask, monkeypatch):
    rng = np.random.default_rng(mask.size)
    for n in (0, 1, 9):
        rows, columns = (rng.integers(0, size, n) for size in mask.shape)
        held = measures.held_pixels(mask, rows, columns)
        assert held == plain(monkeypatch, measures.held_pixels, mask, rows, columns)
        assert held == measures.held_pixels(mask, rows, columns, pack(mask))


@pytest.mark.parametrize("mask", masks(), ids=lambda mask: f"{mask.shape}")
def test_columns_are_equal(mask, monkeypatch):
    height, width = mask.shape
    counts = measures.column_counts(mask)
    assert counts.dtype == np.int64
    assert np.array_equal(counts, mask.sum(axis=0))
    assert np.array_equal(counts, plain(monkeypatch, measures.column_counts, mask))
    first = measures.first_rows(pack(mask), width)
    want = [next((row for row in range(height) if mask[row, x]), height) for x in range(width)]
    assert first.tolist() == want
    assert plain(monkeypatch, measures.first_rows, pack(mask), width).tolist() == want


@pytest.mark.parametrize("mask", masks(), ids=lambda mask: f"{mask.shape}")
def test_light_is_equal(mask, monkeypatch):
    height, width = mask.shape
    shifts = np.random.default_rng(height).integers(0, width, (3, height))
    shifts[0] = 0
    shifts[1] = width - 1
    hits = measures.light_hits(mask, shifts)
    met = [
        sum(np.roll(mask[row].astype(int), shift) for row, shift in enumerate(angle.tolist()))
        for angle in shifts
    ]
    assert hits.tolist() == np.bincount(np.ravel(met), minlength=height + 1).tolist()
    assert np.array_equal(hits, plain(monkeypatch, measures.light_hits, mask, shifts))


@pytest.mark.parametrize("mask", masks(), ids=lambda mask: f"{mask.shape}")
def test_mirror_overlaps_are_equal(mask, monkeypatch):
    width = mask.shape[1]
    overlaps = measures.mirror_overlaps(mask)
    assert overlaps.tolist() == plain(monkeypatch, measures.mirror_overlaps, mask).tolist()
    for axis in (0, width - 1, 2 * width - 2, -1, 2 * width - 1):
        both = measures.mirror_overlap(mask, axis)
        assert both == plain(monkeypatch, measures.mirror_overlap, mask, axis)
        assert both == (overlaps[axis] if 0 <= axis < len(overlaps) else 0)


@pytest.mark.parametrize("shape", [(2, 2), (3, 300), (63, 64), (65, 130), (256, 256), (500, 600)])
@pytest.mark.parametrize("share", [0.002, 0.05, 0.5, 1])
def test_outlines_are_equal(shape, share, monkeypatch):
    rng = np.random.default_rng(3)
    height, width = shape
    mask = rng.random(shape) < share
    mask[0, width // 2] = True
    target = np.zeros(shape, bool)
    target[: max(1, height * 2 // 3), width // 3 :] = True
    score = make_score("silhouette", {"image": target, "kind": "outline"})
    scene = Scene(mask=mask, root=(0, 0))
    for counted in (shapes._ink_counts, shapes._outline_counts):
        outline = score._prepared(scene)[2]
        counts = counted(scene, outline).tolist()
        with monkeypatch.context() as patch:
            patch.setattr(shapes, "compiled_measures", lambda: None)
            assert counts == counted(scene, outline).tolist()


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 300), (63, 64), (64, 64), (130, 65)])
@pytest.mark.parametrize("share", [0.0, 0.002, 0.05, 0.5, 1])
def test_meetings_are_equal(shape, share, monkeypatch):
    rng = np.random.default_rng(3)
    for _ in range(5):
        mask, target = (rng.random(shape) < one for one in (share, 0.02))
        for one in (mask, target):
            one[tuple(rng.integers(0, shape))] = True
        seen = shapes._Coarse(1, target, shapes._cells_away(target), [1.0] * sum(shape))
        counts = shapes._meeting_counts(mask, seen).tolist()
        with monkeypatch.context() as patch:
            patch.setattr(shapes, "compiled_measures", lambda: None)
            assert counts == shapes._meeting_counts(mask, seen).tolist()
        assert sum(counts) == mask.sum() + target.sum()


def test_pieces_by_hand():
    def piece(text: str) -> int:
        return measures.largest_piece(np.array([[c == "#" for c in row] for row in text.split()]))

    assert piece("....") == 0
    assert piece("#.#. .#.#") == 4  # corners touch
    assert piece("#..# #..# ####") == 8
    assert piece("##.## ##.##") == 4
    assert piece("#" * 130 + " " + "." * 130 + " " + "#" * 64 + "." * 66) == 130


@settings(max_examples=60, deadline=None)
@given(
    height=st.integers(1, 40),
    width=st.integers(1, 140),
    share=st.floats(0, 1),
    seed=st.integers(0, 2**32 - 1),
)
def test_random_masks(height, width, share, seed):
    rng = np.random.default_rng(seed)
    mask = rng.random((height, width)) < share
    axis = int(rng.integers(-width, 3 * width))
    far = rng.random(width) < 0.9
    with pytest.MonkeyPatch.context() as patch:
        assert measures.largest_piece(mask) == plain(patch, measures.largest_piece, mask)
        assert measures.thick_share(mask) == plain(patch, measures.thick_share, mask)
        arguments = (mask, axis, far, 3)
        match = measures.mirror_match(*arguments)
        assert match == plain(patch, measures.mirror_match, *arguments)


def test_views_of_any_layout(monkeypatch):
    mask = np.random.default_rng(1).random((70, 90)) < 0.4
    for view in (mask.T, mask[::2, ::3], mask[:, ::-1], np.asfortranarray(mask)):
        assert measures.largest_piece(view) == plain(monkeypatch, measures.largest_piece, view)
        assert measures.thick_share(view) == plain(monkeypatch, measures.thick_share, view)


@pytest.mark.parametrize("name", ["coverage", "symmetry", "mirror_iou"])
def test_scores_are_equal(name, monkeypatch):
    assert name in SCORES
    score = make_score(name)
    for mask in PLANTS:
        scenes = [Scene(mask=mask, root=WINDOW.root, unit=WINDOW.unit) for _ in range(2)]
        assert score(scenes[0]) == plain(monkeypatch, score, scenes[1])
