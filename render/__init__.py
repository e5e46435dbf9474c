"""From genomes to pictures: growth, rasterizing, terrain, palettes, and files."""

from render.circles import Circles
from render.color import as_color, parse_color
from render.compose import landscape, map_picture, over
from render.drawing import draw, fit, trim, widen
from render.formats import (
    ANIMATIONS,
    FORMATS,
    Timing,
    read_genome,
    write_animation,
    write_picture,
    write_sprites,
)
from render.growth import GROWTH_MODEL, MAX_CIRCLES, grow
from render.kernels import KERNELS, default_kernel, warm
from render.palette import PALETTES, closed_palette, palette_cycle
from render.plasma import write_plasma
from render.png import write_png
from render.raster import STYLES, rasterize
from render.recipe import Recipe
from render.summary import (
    Summary,
    silhouette,
    silhouettes,
    silhouettes_and_words,
    summarize,
)
from render.terrain import (
    crease_index,
    diamond_square,
    ground_line,
    ground_rows,
    hillshade,
    hurst_exponent,
    midpoint_curve,
    read_heights,
    resampled,
    write_heights,
    write_hillshade,
)
from render.visibility import visible
from render.window import Window

__all__ = [
    "ANIMATIONS",
    "FORMATS",
    "GROWTH_MODEL",
    "KERNELS",
    "MAX_CIRCLES",
    "PALETTES",
    "STYLES",
    "Circles",
    "Recipe",
    "Summary",
    "Timing",
    "Window",
    "as_color",
    "closed_palette",
    "crease_index",
    "default_kernel",
    "diamond_square",
    "draw",
    "fit",
    "ground_line",
    "ground_rows",
    "grow",
    "hillshade",
    "hurst_exponent",
    "landscape",
    "map_picture",
    "midpoint_curve",
    "over",
    "palette_cycle",
    "parse_color",
    "rasterize",
    "read_genome",
    "read_heights",
    "resampled",
    "silhouette",
    "silhouettes",
    "silhouettes_and_words",
    "summarize",
    "trim",
    "visible",
    "warm",
    "widen",
    "write_animation",
    "write_heights",
    "write_hillshade",
    "write_picture",
    "write_plasma",
    "write_png",
    "write_sprites",
]
