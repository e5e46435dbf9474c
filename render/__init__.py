"""From genomes to pictures: growth, rasterizing, terrain, palettes, and files."""

from render.circles import Circles
from render.growth import GROWTH_MODEL, MAX_CIRCLES, grow
from render.kernels import KERNELS, default_kernel, warm
from render.palette import PALETTES, closed_palette, palette_cycle
from render.plasma import write_plasma
from render.png import Recipe, read_genome, write_png
from render.raster import STYLES, rasterize
from render.summary import Summary, silhouette, silhouettes, summarize
from render.terrain import (
    crease_index,
    diamond_square,
    ground_rows,
    hillshade,
    hurst_exponent,
    midpoint_curve,
    read_heights,
    write_heights,
    write_hillshade,
)
from render.window import Window

__all__ = [
    "GROWTH_MODEL",
    "KERNELS",
    "MAX_CIRCLES",
    "PALETTES",
    "STYLES",
    "Circles",
    "Recipe",
    "Summary",
    "Window",
    "closed_palette",
    "crease_index",
    "default_kernel",
    "diamond_square",
    "ground_rows",
    "grow",
    "hillshade",
    "hurst_exponent",
    "midpoint_curve",
    "palette_cycle",
    "rasterize",
    "read_genome",
    "read_heights",
    "silhouette",
    "silhouettes",
    "summarize",
    "warm",
    "write_heights",
    "write_hillshade",
    "write_plasma",
    "write_png",
]
