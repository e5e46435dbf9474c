"""Terrain: made, read, written, measured, shaded, and put under a picture."""

from render.terrain.ground import ground_line, ground_rows, resampled
from render.terrain.heights import HEIGHT_FORMATS, encode_heights, read_heights, write_heights
from render.terrain.law import MAX_BYTES
from render.terrain.lines import midpoint_curve
from render.terrain.maps import VARIANTS, diamond_square
from render.terrain.measures import crease_index, hurst_exponent, structure_function
from render.terrain.normalizing import height_bound, normalized
from render.terrain.relief import hillshade, shown_relief, write_hillshade

__all__ = [
    "HEIGHT_FORMATS",
    "MAX_BYTES",
    "VARIANTS",
    "crease_index",
    "diamond_square",
    "encode_heights",
    "ground_line",
    "ground_rows",
    "height_bound",
    "hillshade",
    "hurst_exponent",
    "midpoint_curve",
    "normalized",
    "read_heights",
    "resampled",
    "shown_relief",
    "structure_function",
    "write_heights",
    "write_hillshade",
]
