"""The recipe of a picture: all it takes to draw it again, and its text inside a file.

The text is JSON with a crc32 over all of it. Reading it takes bounded memory and evaluates
nothing.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass
from typing import Any

from evo.checks import must, whole
from evo.genome import as_genes, from_hex
from render.growth import GROWTH_MODEL, MAX_SEED
from render.raster import check_drawing
from render.window import Window

__all__ = ["KEYWORD", "MAX_TEXT", "Recipe", "from_text", "to_text"]

KEYWORD = "evogarden"
"""What files call the text."""

MAX_TEXT = 1 << 16
"""Most bytes of a text; one of ours has about 700."""

MAX_DIAMETER = 1 << 24
"""Largest least diameter, in 1/256 px."""


@dataclass(frozen=True)
class Recipe:
    """What it takes to draw a picture again.

    Parameters
    ----------
    genome : bytes
        180 bytes.
    seed, max_circles : int
        As in `grow`.
    width, height, unit, root
        The window, as in `Window`.
    style, oversample
        As in `rasterize`.
    growth_model : int
        The rules it grew by.
    least_diameter : int
        Circles are drawn at least so wide, in 1/256 px of the world: thin twigs of a large
        picture then show as lines and not as dots.

    Raises
    ------
    ValueError
        If one of them is of another kind or out of its range.
    """

    genome: bytes
    seed: int
    max_circles: int
    width: int
    height: int
    unit: int
    root: tuple[int, int]
    style: str = "flat"
    oversample: int = 1
    growth_model: int = GROWTH_MODEL
    least_diameter: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "genome", as_genes(self.genome).tobytes())
        object.__setattr__(self, "seed", whole("seed", self.seed, 0, MAX_SEED))
        object.__setattr__(self, "max_circles", whole("max_circles", self.max_circles, 0))
        object.__setattr__(self, "root", self.window.root)
        check_drawing(self.window, self.style, self.oversample)
        if whole("growth_model", self.growth_model) != GROWTH_MODEL:
            raise must("growth_model", f"be {GROWTH_MODEL}", self.growth_model)
        whole("least_diameter", self.least_diameter, 0, MAX_DIAMETER)

    @property
    def window(self) -> Window:
        """The window on the world that the picture shows."""
        return Window(self.width, self.height, self.unit, self.root)


def _canonical(fields: dict[str, Any]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


def to_text(recipe: Recipe) -> str:
    """Return a recipe as the text that files hold: ASCII without < > & ( ) and backslashes."""
    fields: dict[str, Any] = {
        "growth_model": recipe.growth_model,
        "genome": recipe.genome.hex(),
        "seed": str(recipe.seed),  # it may pass 2^53, where other readers of JSON round
        "max_circles": recipe.max_circles,
        "width": recipe.width,
        "height": recipe.height,
        "unit": recipe.unit,
        "root": list(recipe.root),
        "style": recipe.style,
        "oversample": recipe.oversample,
    }
    if recipe.least_diameter:  # so that files without it stay readable for older readers
        fields["least_diameter"] = recipe.least_diameter
    return _canonical({**fields, "crc32": zlib.crc32(_canonical(fields).encode())})


def from_text(text: bytes, name: str) -> Recipe:
    """Return the recipe in a text.

    Parameters
    ----------
    text : bytes
    name : str
        What messages call the file.

    Raises
    ------
    ValueError
        If it is damaged, or of another growth model.
    """
    damaged = f"have an undamaged chunk {KEYWORD!r}"
    try:
        fields = json.loads(text.decode("ascii"))
    except (ValueError, RecursionError) as error:
        raise must(name, damaged, "no JSON") from error
    if not isinstance(fields, dict):
        raise must(name, damaged, "no JSON object")
    check = fields.pop("crc32", None)
    if type(check) is not int or check != zlib.crc32(_canonical(fields).encode()):
        raise must(name, damaged, "another crc32")
    model = fields.get("growth_model")
    if type(model) is not int or model != GROWTH_MODEL:
        raise must(f"the growth model of {name}", f"be {GROWTH_MODEL}", model)
    try:
        return _from_fields(fields)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _from_fields(fields: dict[str, Any]) -> Recipe:
    fields = {"least_diameter": 0, **fields}
    names = list(Recipe.__dataclass_fields__)
    if sorted(fields) != sorted(names):
        raise must(f"the fields of chunk {KEYWORD!r}", f"be {', '.join(names)}", list(fields))
    genome, seed, root = fields["genome"], fields["seed"], fields["root"]
    if not isinstance(genome, str):
        raise must("genome", "be hex digits", genome)
    if not isinstance(seed, str) or not re.fullmatch(r"0|[1-9][0-9]{0,19}", seed):
        raise must("seed", "be a whole number as a string", seed)
    if not isinstance(root, list) or len(root) != 2:
        raise must("root", "be a pair of whole numbers (column, row)", root)
    changed = {"genome": from_hex(genome), "seed": int(seed), "root": (root[0], root[1])}
    return Recipe(**{**fields, **changed})
