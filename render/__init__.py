"""From genomes to pictures: growth, rasterizing, and files that carry their genome."""

from render.circles import Circles
from render.growth import GROWTH_MODEL, MAX_CIRCLES, grow
from render.kernels import KERNELS, default_kernel
from render.png import Recipe, read_genome, write_png
from render.raster import STYLES, rasterize
from render.summary import Summary, silhouette, summarize
from render.window import Window

__all__ = [
    "GROWTH_MODEL",
    "KERNELS",
    "MAX_CIRCLES",
    "STYLES",
    "Circles",
    "Recipe",
    "Summary",
    "Window",
    "default_kernel",
    "grow",
    "rasterize",
    "read_genome",
    "silhouette",
    "summarize",
    "write_png",
]
