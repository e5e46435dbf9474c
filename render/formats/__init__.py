"""Files of pictures: the formats by their ending, with the genome inside."""

from render.formats.colors import Color, onto, parse_color, reduce_colors
from render.formats.table import FORMATS, Format, get_format, read_genome, write_picture

__all__ = [
    "FORMATS",
    "Color",
    "Format",
    "get_format",
    "onto",
    "parse_color",
    "read_genome",
    "reduce_colors",
    "write_picture",
]
