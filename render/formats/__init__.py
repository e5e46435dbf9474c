"""Files of pictures: the formats by their ending, with the genome inside."""

from render.formats.animation import ANIMATIONS, Timing, check_animation, write_animation
from render.formats.colors import onto, reduce_colors
from render.formats.sprites import SHEETS, write_sprites
from render.formats.table import FORMATS, Format, get_format, read_genome, write_picture

__all__ = [
    "ANIMATIONS",
    "FORMATS",
    "SHEETS",
    "Format",
    "Timing",
    "check_animation",
    "get_format",
    "onto",
    "read_genome",
    "reduce_colors",
    "write_animation",
    "write_picture",
    "write_sprites",
]
