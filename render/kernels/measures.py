"""All compiled measures of a mask, given as rows of bits (`render.bits`).

Each gives the whole numbers that numpy gives; what they mean is said where they are asked for.
"""

from __future__ import annotations

from render.kernels import likeness, pieces, shapes, tallies
from render.kernels.likeness import cell_means, palette_tally, similarity_total
from render.kernels.pieces import held_pixels, largest_piece
from render.kernels.shapes import (
    block_counts,
    mirror_counts,
    mirror_overlap,
    mirror_overlaps,
    opened_counts,
)
from render.kernels.tallies import (
    MAX_REACH,
    column_counts,
    first_rows,
    light_hits,
    meeting_counts,
    near_counts,
    value_counts,
)

__all__ = [
    "MAX_REACH",
    "block_counts",
    "cell_means",
    "column_counts",
    "first_rows",
    "held_pixels",
    "largest_piece",
    "light_hits",
    "meeting_counts",
    "mirror_counts",
    "mirror_overlap",
    "mirror_overlaps",
    "near_counts",
    "opened_counts",
    "palette_tally",
    "similarity_total",
    "value_counts",
    "warm",
]

_ALL = (*likeness.COMPILED, *pieces.COMPILED, *shapes.COMPILED, *tallies.COMPILED)


def warm() -> bool:
    """Compile all functions, or load them from the cache; return whether one was compiled."""
    compiled = [one.compile() for one in _ALL]
    return any(compiled)
