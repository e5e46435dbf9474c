"""Contact sheets: every picture in its cell, fitted, with a label below."""

import numpy as np
import pytest
from PIL import Image

from experiments.sheet import CELL, GAP, LABEL, contact_sheet

COLORS = [(200, 0, 0), (0, 200, 0), (0, 0, 200), (200, 200, 0), (0, 200, 200)]


def filled(color, size):
    return np.full((*size, 4), (*color, 255), np.uint8)


def test_pictures_stand_in_reading_order_and_keep_their_shape(tmp_path):
    sizes = [(64, 64), (400, 100), (100, 400), (900, 900), (1, 1)]
    pictures = [filled(c, size) for c, size in zip(COLORS, sizes, strict=True)]
    path = tmp_path / "sheet.png"
    contact_sheet(path, pictures, ["a"] * 5, columns=3)
    with Image.open(path) as sheet:
        pixels = np.asarray(sheet)
    assert pixels.shape[:2] == (GAP + 2 * (CELL + LABEL + GAP), GAP + 3 * (CELL + GAP))
    for index, (color, (height, width)) in enumerate(zip(COLORS, sizes, strict=True)):
        row, column = divmod(index, 3)
        top, left = GAP + row * (CELL + LABEL + GAP), GAP + column * (CELL + GAP)
        cell = pixels[top : top + CELL, left : left + CELL]
        inside = (np.abs(cell.astype(int) - color) < 3).all(axis=-1)
        scale = min(1, (CELL - 8) / max(height, width))
        assert abs(inside.sum() / (height * width * scale * scale) - 1) < 0.03
        label = pixels[top + CELL : top + CELL + LABEL, left : left + CELL]
        assert label.min() < 120
        outside = pixels.copy()
        outside[top : top + CELL, left : left + CELL] = 255
        assert not (np.abs(outside.astype(int) - color) < 3).all(axis=-1).any()


@pytest.mark.parametrize(
    ("n", "columns", "rows"), [(1, 2, 1), (3, 2, 2), (4, 3, 2), (12, 4, 3), (13, 5, 3), (27, 6, 5)]
)
def test_by_default_a_sheet_is_a_little_wider_than_high(tmp_path, n, columns, rows):
    contact_sheet(tmp_path / "sheet.png", [filled(COLORS[0], (8, 8))] * n, [""] * n)
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.size == (
            GAP + columns * (CELL + GAP),
            GAP + rows * (CELL + LABEL + GAP),
        )
