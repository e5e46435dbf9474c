"""Plants in notebooks: `%load_ext experiments.notebook` shows an Individual as its picture.

`render.Circles` and a run's `Result` show themselves; an Individual knows nothing of pictures,
so that IPython is told here how to draw one.
"""

from __future__ import annotations

import base64
import html
from io import BytesIO
from typing import Any

from PIL import Image

from evo import Entry, Individual
from render import MAX_CIRCLES, grow

__all__ = ["gallery", "load_ipython_extension", "unload_ipython_extension"]

THUMBNAIL = 180


def draw_genome(genome: Individual | bytes) -> bytes:
    """Return the picture of a genome on growth seed 0, as a PNG file."""
    return grow(genome, 0, MAX_CIRCLES)._repr_png_()


def _draw_entry(entry: Entry) -> bytes:
    return draw_genome(entry.genome)


def load_ipython_extension(ipython: Any) -> None:
    """Tell IPython how Individuals and entries of a hall of fame are shown."""
    formatter = ipython.display_formatter.formatters["image/png"]
    formatter.for_type(Individual, draw_genome)
    formatter.for_type(Entry, _draw_entry)


def unload_ipython_extension(ipython: Any) -> None:
    """Undo it."""
    formatter = ipython.display_formatter.formatters["image/png"]
    for kind in (Individual, Entry):
        formatter.pop(kind, None)


def gallery(pictures: list[tuple[bytes, str]]) -> str:
    """Return HTML that shows PNG pictures side by side, each with a caption.

    Parameters
    ----------
    pictures : list of (PNG file, caption)
    """
    figures = []
    for data, caption in pictures:
        with Image.open(BytesIO(data)) as image:
            image.thumbnail((2 * THUMBNAIL, 2 * THUMBNAIL), Image.Resampling.LANCZOS)
            buffer = BytesIO()
            image.save(buffer, "PNG")
        source = base64.b64encode(buffer.getvalue()).decode()
        said = html.escape(caption)
        figures.append(
            f'<figure style="margin:0;text-align:center"><img width="{THUMBNAIL}" alt="{said}" '
            f'style="background:#fdfcf9;border-radius:8px" src="data:image/png;base64,{source}">'
            f"<figcaption>{said}</figcaption></figure>"
        )
    return f'<div style="display:flex;flex-wrap:wrap;gap:12px">{"".join(figures)}</div>'
