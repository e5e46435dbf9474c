"""Golden cases, and genomes for the tests of this folder."""

import json
from pathlib import Path

import numpy as np

from render import Circles, grow

GOLDEN = Path(__file__).parents[1] / "golden"
PLANTS = json.loads((GOLDEN / "growth.json").read_text("utf-8"))["plants"]
PICTURES = json.loads((GOLDEN / "raster.json").read_text("utf-8"))["pictures"]


def uniform(number: int) -> np.ndarray:
    return np.random.default_rng(number).integers(0, 256, (10, 18), np.uint8)


def circles_of(discs: list[list[int]] | np.ndarray) -> Circles:
    """Circles from rows (x, y, diameter, red, green, blue)."""
    table = np.array(discs, np.int64).reshape(-1, 6)
    x, y, diameter = (table[:, i].astype(np.int32) for i in range(3))
    n = len(table)
    color = table[:, 3:].astype(np.uint8)
    return Circles(
        x, y, diameter, color, np.arange(n, dtype=np.int32), np.zeros(n, np.uint8), False
    )


def golden_circles(case: dict, kernel: str) -> Circles:
    if "discs" in case:
        return circles_of(case["discs"])
    return grow(bytes.fromhex(case["genome"]), int(case["seed"]), case["max_circles"], kernel)
