"""Masks as words: packing loses nothing, shifts move columns and wrap nothing round."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from fitness.measures import block_sums, dilate
from render.bits import pack, shifted, unpack

sizes = st.tuples(st.integers(1, 9), st.integers(1, 200))


def random_mask(size, seed):
    return np.random.default_rng(seed).random(size) < 0.3


@given(sizes, st.integers(0, 99))
def test_packing_loses_nothing(size, seed):
    mask = random_mask(size, seed)
    words = pack(mask)
    assert words.dtype == np.uint64
    assert words.shape == (size[0], -(-size[1] // 64))
    assert np.array_equal(unpack(words, size[1]), mask)
    assert np.bitwise_count(words).sum() == mask.sum()


def test_a_bit_is_where_it_should_be():
    mask = np.zeros((2, 130), bool)
    mask[1, 65] = True
    assert pack(mask).tolist() == [[0, 0, 0], [0, 2, 0]]


@given(sizes, st.integers(0, 99), st.integers(-63, 63))
def test_a_shift_moves_columns_and_wraps_nothing(size, seed, columns):
    mask = random_mask(size, seed)
    width = size[1]
    expected = np.zeros_like(mask)
    if abs(columns) < width:
        source = mask[:, max(0, -columns) : width - max(0, columns)]
        expected[:, max(0, columns) : max(0, columns) + source.shape[1]] = source
    assert np.array_equal(unpack(shifted(pack(mask), columns), width), expected)


@pytest.mark.parametrize("radius", [0, 1, 2, 3, 7])
def test_dilation_against_distances(radius):
    mask = random_mask((40, 131), radius) & (np.random.default_rng(9).random((40, 131)) < 0.05)
    near = ndimage.distance_transform_edt(~mask) <= radius
    assert np.array_equal(dilate(mask, radius), near)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 40), st.integers(1, 40))
def test_block_sums_of_masks_are_those_of_numbers(rows, columns, tall, wide):
    mask = np.ones((rows * tall, columns * wide), bool)
    mask[:: max(1, tall - 1), ::3] = False
    expected = block_sums(mask.astype(np.int32), rows, columns)
    assert np.array_equal(block_sums(mask, rows, columns), expected)
    assert expected.sum() == mask.sum()
