"""Sprite sheets for games: plants of one species at several ages, and the atlas of the sheet."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from evo.checks import must, whole
from evo.files import write_atomic
from render.circles import Circles
from render.drawing import fit, grow_recipe, rasterize_recipe, trim
from render.formats.animation import grown_until
from render.formats.pixels import MAX_WEBP, exif
from render.growth import MAX_SEED
from render.png import encode_png
from render.recipe import Recipe
from render.window import MAX_SAMPLES

__all__ = ["SHEETS", "Sprite", "draw_sprites", "pack", "write_sprites"]

SHEETS = (".png", ".webp")
"""File endings of a sheet; its atlas ends in .json."""

MAX_SPRITES = 4096


@dataclass(frozen=True, eq=False)
class Sprite:
    """A plant at an age, cut to what shows.

    Parameters
    ----------
    name : str
    pixels : uint8 array of shape (height, width, 4)
    left, top : int
        Where they lie in the cell.
    """

    name: str
    pixels: NDArray[np.uint8]
    left: int
    top: int


def draw_sprites(
    recipe: Recipe, n: int, stages: int = 1, kernel: str | None = None
) -> tuple[list[Sprite], Recipe]:
    """Return n plants of one genome at several ages, and the recipe of the first, grown.

    Individual i grows on the seed `recipe.seed + i`. At stage j of m, (j + 1) / m of its ticks
    have passed. All are drawn at one scale with their roots at one place of the cell, chosen so
    that all of them fit `recipe.width` x `recipe.height`.

    Raises
    ------
    ValueError
        If a number is out of its range, or a plant has no circles.
    """
    n = whole("n", n, 1, MAX_SPRITES)
    stages = whole("stages", stages, 1, MAX_SPRITES)
    if n * stages > MAX_SPRITES:
        raise must("n * stages", f"be at most {MAX_SPRITES}", n * stages)
    seeds = [(recipe.seed + i) % (MAX_SEED + 1) for i in range(n)]
    plants = [grow_recipe(replace(recipe, seed=seed), kernel) for seed in seeds]
    if min(map(len, plants)) == 0:
        raise must("a plant of a sheet", "have circles", 0)
    window = fit(_together(plants), recipe.width, recipe.height, recipe.style, recipe.oversample)
    recipe = replace(recipe, unit=window.unit, root=window.root)
    sprites = []
    for i, plant in enumerate(plants):
        n_ticks = int(plant.tick[-1]) + 1
        for j in range(stages):
            grown = grown_until(plant, -(-n_ticks * (j + 1) // stages))
            pixels, part = trim(rasterize_recipe(grown, recipe, kernel), recipe)
            left, top = recipe.root[0] - part.root[0], recipe.root[1] - part.root[1]
            sprites.append(Sprite(f"plant-{i:03d}-{j:02d}", pixels, left, top))
    return sprites, recipe


def _together(plants: Sequence[Circles]) -> Circles:
    def joined(name: str) -> Any:
        return np.concatenate([getattr(plant, name) for plant in plants])

    x, y, diameter, color = (joined(name) for name in ("x", "y", "diameter", "color"))
    return Circles(x, y, diameter, color, joined("tick"), joined("level"), truncated=False)


def pack(
    sizes: Sequence[tuple[int, int]], padding: int = 2, power_of_two: bool = False
) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Return where boxes lie on a sheet, and its size: shelves of boxes, the tallest first.

    Parameters
    ----------
    sizes : sequence of (width, height)
    padding : int
        Pixels between boxes, and at the border of the sheet.
    power_of_two : bool
        Whether both sides of the sheet have to be powers of two.

    Returns
    -------
    places : list of (left, top), in the order of sizes
    size : (width, height)
        Of the sheet with the least area among the widths that were tried.
    """
    widest = max(width for width, _ in sizes) + 2 * padding
    area = sum((width + padding) * (height + padding) for width, height in sizes)
    if power_of_two:
        first = _power(widest)
        tried = [first << i for i in range(6)]
    else:
        side = int(area**0.5)
        tried = sorted({max(widest, side * percent // 100) for percent in range(90, 151, 5)})
    best = None
    for width in tried:
        places, height = _shelves(sizes, width, padding)
        size = (width, _power(height) if power_of_two else height)
        key = (size[0] * size[1], abs(size[0] - size[1]))
        if best is None or key < best[0]:
            best = (key, places, size)
    if best is None:
        raise must("sizes", "hold boxes", list(sizes))
    return best[1], best[2]


def _power(n: int) -> int:
    return 1 << max(0, n - 1).bit_length()


def _shelves(
    sizes: Sequence[tuple[int, int]], sheet: int, padding: int
) -> tuple[list[tuple[int, int]], int]:
    places = [(0, 0)] * len(sizes)
    left, top, shelf = padding, padding, 0
    for index in sorted(range(len(sizes)), key=lambda i: (-sizes[i][1], -sizes[i][0], i)):
        width, height = sizes[index]
        if left > padding and left + width + padding > sheet:
            left, top, shelf = padding, top + shelf + padding, 0
        places[index] = (left, top)
        left += width + padding
        shelf = max(shelf, height)
    return places, top + shelf + padding


def write_sprites(
    path: str | os.PathLike[str],
    recipe: Recipe,
    n: int = 8,
    stages: int = 1,
    *,
    padding: int = 2,
    power_of_two: bool = False,
    kernel: str | None = None,
) -> tuple[Path, tuple[int, int]]:
    """Write a sprite sheet of one species, and beside it its atlas (TexturePacker's JSON hash).

    Parameters
    ----------
    path : path
        Of the sheet, which ends in .png or .webp; the atlas has its name and ends in .json.
        Files of these names are replaced.
    recipe : Recipe
        Genome, first growth seed, style; its width and height are those of a cell.
    n, stages, kernel
        As in `draw_sprites`.
    padding, power_of_two
        As in `pack`.

    Returns
    -------
    atlas : Path
    size : (width, height)
        Of the sheet.

    Raises
    ------
    ValueError
        If the ending is unknown, a number is out of its range, or the sheet would be too large.
    OSError
        If a file cannot be written.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in SHEETS:
        raise must("path", f"end in one of {', '.join(SHEETS)}", str(path))
    padding = whole("padding", padding, 0, 256)
    n, stages = whole("n", n, 1, MAX_SPRITES), whole("stages", stages, 1, MAX_SPRITES)
    if n * stages * recipe.width * recipe.height > MAX_SAMPLES:
        size_ = f"{n} x {stages} sprites of {recipe.width} x {recipe.height}"
        raise must("n * stages * width * height", f"be at most {MAX_SAMPLES}", size_)
    sprites, recipe = draw_sprites(recipe, n, stages, kernel)
    boxes = [(s.pixels.shape[1], s.pixels.shape[0]) for s in sprites]
    places, size = pack(boxes, padding, power_of_two)
    sheet = np.zeros((size[1], size[0], 4), np.uint8)
    for sprite, (left, top), (width, height) in zip(sprites, places, boxes, strict=True):
        sheet[top : top + height, left : left + width] = sprite.pixels
    image = Image.fromarray(sheet)
    if kind == ".png":
        data = encode_png(image, recipe)
    else:
        if max(size) > MAX_WEBP:
            said = f"have sides of at most {MAX_WEBP} pixels"
            raise must("a WebP sheet", said, f"{size[0]} x {size[1]}")
        buffer = BytesIO()
        image.save(buffer, "WEBP", lossless=True, exact=True, quality=60, exif=exif(recipe))
        data = buffer.getvalue()
    atlas = _atlas(path.name, recipe, sprites, places, size)
    write_atomic(path, data)
    write_atomic(path.with_suffix(".json"), f"{json.dumps(atlas, indent=1)}\n".encode())
    return path.with_suffix(".json"), size


def _atlas(
    image: str,
    recipe: Recipe,
    sprites: Sequence[Sprite],
    places: Sequence[tuple[int, int]],
    size: tuple[int, int],
) -> dict[str, Any]:
    pivot = {"x": recipe.root[0] / recipe.width, "y": recipe.root[1] / recipe.height}
    frames: dict[str, Any] = {}
    animations: dict[str, list[str]] = {}
    for sprite, (left, top) in zip(sprites, places, strict=True):
        height, width = sprite.pixels.shape[:2]
        frames[sprite.name] = {
            "frame": {"x": left, "y": top, "w": width, "h": height},
            "rotated": False,
            "trimmed": (width, height) != (recipe.width, recipe.height),
            "spriteSourceSize": {"x": sprite.left, "y": sprite.top, "w": width, "h": height},
            "sourceSize": {"w": recipe.width, "h": recipe.height},
            "pivot": pivot,
        }
        animations.setdefault(sprite.name.rpartition("-")[0], []).append(sprite.name)
    return {
        "frames": frames,
        "animations": animations,
        "meta": {
            "app": "evogarden",
            "version": "1.0",
            "image": image,
            "format": "RGBA8888",
            "size": {"w": size[0], "h": size[1]},
            "scale": "1",
            "genome": recipe.genome.hex(),
            "seed": str(recipe.seed),
        },
    }
