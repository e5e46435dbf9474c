import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from render import (
    Circles,
    Summary,
    Window,
    grow,
    rasterize,
    silhouette,
    silhouettes,
    silhouettes_and_words,
    summarize,
)
from render.bits import pack
from tests.render.plants import PLANTS, circles_of, uniform


def brute(c: Circles, w: Window) -> Summary:
    def inside(x, y):
        at = int(x) + w.root[0] * w.unit, int(y) + w.root[1] * w.unit
        return 0 <= at[0] < w.width * w.unit and 0 <= at[1] < w.height * w.unit

    square = [int(d) ** 2 for d in c.diameter]
    off = sum(s for s, x, y in zip(square, c.x, c.y, strict=True) if not inside(x, y))
    children: dict[int, set[int]] = {}
    place = {}
    for key, x, y in zip(c.agent.tolist(), c.x, c.y, strict=True):
        if key > 0:
            children.setdefault((key - 1) // 3, set()).add(key)
            place.setdefault((key - 1) // 3, (x, y))
    forks = sum(len(keys) > 1 and inside(*place[k]) for k, keys in children.items())
    return Summary(len(c), off, sum(square), forks, c.truncated)


WINDOWS = [
    Window(64, 64),
    Window(40, 90, 333, (0, 0)),
    Window(3, 2, 2**20),
    Window(5, 5, 7, (10**30, -(10**30))),
]


@pytest.mark.parametrize("window", WINDOWS, ids=str)
@pytest.mark.parametrize("number", [0, 7, 20])
def test_summary_counts(number, window):
    c = grow(uniform(number), number, 3000)
    assert summarize(c, window) == brute(c, window)


def test_edges_of_the_window(kernel):
    window = Window(2, 2, 100, (1, 1))
    discs = [[-100, -100, 1, 0, 0, 0], [99, 99, 2, 0, 0, 0], [100, 0, 4, 0, 0, 0]]
    discs += [[0, 100, 8, 0, 0, 0], [-101, 0, 16, 0, 0, 0], [0, -101, 32, 0, 0, 0]]
    c = circles_of(discs)
    c = Circles(c.x, c.y, c.diameter, c.color, c.tick, c.level, False, np.zeros(6, np.int64))
    assert summarize(c, window) == (6, 16 + 64 + 256 + 1024, 1365, 0, False)


def test_sums_do_not_overflow():
    c = circles_of([[0, 0, 2**31 - 1, 0, 0, 0]] * 9)
    c = Circles(c.x, c.y, c.diameter, c.color, c.tick, c.level, False, np.zeros(9, np.int64))
    assert summarize(c, Window(1, 1, 1, (9, 9))).off == 9 * (2**31 - 1) ** 2


def test_circles_without_agents_are_refused():
    with pytest.raises(ValueError, match=r"circles\.agent must be there"):
        summarize(circles_of([]), Window(1, 1))


@pytest.mark.parametrize("case", PLANTS, ids=lambda case: case["name"])
def test_silhouette_is_growing_and_drawing(case, kernel):
    genome, seed = bytes.fromhex(case["genome"]), int(case["seed"])
    window = Window(100, 80, 2048)
    mask, summary = silhouette(genome, seed, window, case["max_circles"], kernel)
    circles = grow(genome, seed, case["max_circles"], kernel)
    expected = rasterize(circles, 100, 80, 2048, style="mask", kernel=kernel)
    assert mask.dtype == np.bool_
    assert np.array_equal(mask, expected)
    assert not mask.flags.writeable
    assert summary == summarize(circles, window)
    assert [type(value) for value in summary] == [int, int, int, int, bool]


def test_silhouettes_are_those_of_each_seed(kernel):
    window, seeds = Window(60, 50, 2000), [3, 2**64 - 1, 3]
    masks, summaries = silhouettes(uniform(7), seeds, window, 4000, kernel)
    assert masks.shape == (3, 50, 60)
    for i, seed in enumerate(seeds):
        mask, summary = silhouette(uniform(7), seed, window, 4000, kernel)
        assert np.array_equal(masks[i], mask)
        assert summaries[i] == summary
    masks, summaries = silhouettes(uniform(7), [], window, 4000, kernel)
    assert masks.shape == (0, 50, 60)
    assert summaries == []


@pytest.mark.parametrize("width", [1, 63, 64, 65, 130])
def test_words_are_the_mask_packed(width, kernel):
    masks, words, summaries = silhouettes_and_words(
        uniform(7), [3, 4], Window(width, 50, 2000), 4000, kernel
    )
    for mask, bits in zip(masks, words, strict=True):
        assert np.array_equal(bits, pack(mask))
    assert not masks.flags.writeable
    assert not words.flags.writeable
    assert len(summaries) == 2
    assert silhouettes_and_words(uniform(7), [], Window(width, 5), 9, kernel)[1].size == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((bytes(180), [-1], Window(2, 2)), "seed must be"),
        ((bytes(180), [0], (2, 2)), r"window must be a Window, got \(2, 2\)"),
        ((bytes(180), [0], Window(2, 2), -1), "max_circles must be"),
        ((bytes(180), range(300), Window(1000, 1000)), "must be at most 268435456"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        silhouettes(*arguments)


@settings(max_examples=40, deadline=None)
@given(
    genome=st.binary(min_size=180, max_size=180),
    seed=st.integers(0, 2**64 - 1),
    cap=st.integers(0, 2000),
    window=st.sampled_from(WINDOWS),
)
def test_kernels_agree(genome, seed, cap, window):
    pytest.importorskip("numba")
    mask, summary = silhouette(genome, seed, window, cap, "numba")
    other, numbers = silhouette(genome, seed, window, cap, "numpy")
    assert np.array_equal(mask, other)
    assert summary == numbers
