import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fitness.measures import (
    band,
    block_sums,
    dilate,
    largest_piece,
    mirror_overlaps,
    mirrored,
    pieces,
    reduce_mask,
    thick_share,
)


def noise(shape, share, seed):
    return np.random.default_rng(seed).random(shape) < share


sides = st.integers(1, 12)
masks = st.builds(noise, st.tuples(sides, sides), st.floats(0, 1), st.integers(0, 2**32))


def picture(text):
    return np.array([[c == "#" for c in line] for line in text.split()])


@pytest.mark.parametrize(
    ("value", "want"), [(0.0, 0.0), (0.1, 0.5), (0.2, 1.0), (0.3, 1.0), (0.45, 0.25), (0.9, 0.0)]
)
def test_band_by_hand(value, want):
    assert band(value, 0.2, 0.3, 0.2) == pytest.approx(want)


def test_band_without_softness_is_a_step():
    assert [band(v, 0.2, 0.3, 0.0) for v in (0.19, 0.2, 0.3, 0.31)] == [0.0, 1.0, 1.0, 0.0]


def test_pieces_touch_at_corners_and_never_across_the_border():
    mask = picture("#..#  .#..  ....  ##.#")
    assert largest_piece(mask) == 2
    labels, sizes = pieces(mask)
    assert sizes.tolist() == [0, 2, 1, 2, 1]
    assert labels[0, 0] == labels[1, 1]
    assert largest_piece(np.zeros((3, 3), bool)) == 0


@given(masks, st.integers(1, 14), st.integers(1, 14))
def test_blocks_tile_the_window(mask, rows, columns):
    rows, columns = min(rows, mask.shape[0]), min(columns, mask.shape[1])
    counts = block_sums(mask, rows, columns)
    h, w = mask.shape
    for i in range(rows):
        for j in range(columns):
            part = mask[i * h // rows : (i + 1) * h // rows, j * w // columns :]
            part = part[:, : (j + 1) * w // columns - j * w // columns]
            assert counts[i, j] == part.sum()


@given(masks, st.integers(0, 5))
def test_dilation_by_brute_force(mask, radius):
    y, x = np.indices(mask.shape)
    want = np.zeros_like(mask)
    for row, column in np.argwhere(mask):
        want |= (y - row) ** 2 + (x - column) ** 2 <= radius**2
    assert np.array_equal(dilate(mask, radius), want)


@given(masks, st.integers(-40, 40))
def test_mirror_image_by_brute_force(mask, axis):
    width = mask.shape[1]
    want = np.zeros_like(mask)
    for column in range(width):
        if 0 <= axis - column < width:
            want[:, axis - column] = mask[:, column]
    assert np.array_equal(mirrored(mask, axis), want)


@given(masks)
def test_overlaps_by_brute_force(mask):
    want = [int((mask & mirrored(mask, axis)).sum()) for axis in range(2 * mask.shape[1] - 1)]
    assert mirror_overlaps(mask).tolist() == want


@given(masks, st.integers(1, 5))
def test_reduction_by_brute_force(mask, factor):
    cells = reduce_mask(mask, factor)
    for row, column in np.ndindex(cells.shape):
        part = mask[row * factor : (row + 1) * factor, column * factor : (column + 1) * factor]
        assert cells[row, column] == (2 * part.sum() >= factor * factor)


@given(masks)
def test_thick_share_is_a_share(mask):
    assert 0.0 <= thick_share(mask) <= 1.0


def test_thick_share_of_shapes():
    y, x = np.indices((256, 256))
    assert thick_share((y - 100) ** 2 + (x - 90) ** 2 < 60**2) > 0.98
    assert thick_share(y > 180) > 0.95
    assert thick_share(abs(x - 100) < 6) == 0.0
    assert thick_share(np.ones((256, 256), bool)) > 0.95
    assert thick_share(np.zeros((256, 256), bool)) == 0.0
    assert thick_share(np.ones((1, 1), bool)) == 0.0
