"""The commands breed and mutate: children of pictures, and a sheet of the family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from PIL import Image

from evo import Individual, mutate, uniform_crossover
from evo.chance import as_rng
from evo.checks import must, number, whole
from evo.files import write_atomic
from experiments.cli.common import user_input, writing
from experiments.cli.draw import Fit, LeastDiameter, Oversample, Size, Style, What, recipe_of, view
from experiments.folders import whole_folder
from experiments.sheet import contact_sheet
from render import Recipe, draw
from render.drawing import grow_recipe
from render.png import encode_png

__all__ = ["breed", "mutate_picture"]

MAX_CHILDREN = 1000

N = Annotated[int, typer.Option("-n", help="Number of children.")]
Out = Annotated[Path, typer.Option("-o", "--out", help="A folder, which must not exist.")]
Seed = Annotated[int, typer.Option(help="Seed of the breeding; another one, other children.")]


def breed(
    a: What,
    b: What,
    out: Out,
    n: N = 12,
    seed: Seed = 0,
    size: Size = None,
    fit: Fit = False,
    style: Style = None,
    oversample: Oversample = None,
    least_diameter: LeastDiameter = None,
) -> None:
    """Cross two pictures: children that take each byte from one of both, seen as A is."""
    with user_input():
        rng = as_rng(whole("--seed", seed, 0, 2**64 - 1))
        whole("-n", n, 1, MAX_CHILDREN)
        recipe = view(recipe_of(a), None, size, None, False, style, oversample, least_diameter)
        other = replace(recipe, genome=recipe_of(b).genome)
        if other.genome == recipe.genome:
            raise must("A and B", "have different genomes", "twice the same")
        first, second = Individual(recipe.genome), Individual(other.genome)
        children: list[bytes] = []
        while len(children) < n:
            children.extend(map(bytes, uniform_crossover(first, second, rng)))
        family = [recipe, other], [replace(recipe, genome=g) for g in children[:n]]
        _write(out, *family, fit)


def mutate_picture(
    a: What,
    out: Out,
    n: N = 12,
    rate: Annotated[float, typer.Option(help="Probability that a byte mutates.")] = 0.04,
    creep: Annotated[
        float, typer.Option(help="Share of mutated bytes that are nudged instead of redrawn.")
    ] = 0.5,
    seed: Seed = 0,
    size: Size = None,
    fit: Fit = False,
    style: Style = None,
    oversample: Oversample = None,
    least_diameter: LeastDiameter = None,
) -> None:
    """Vary a picture: children of one parent, each byte changed with a probability."""
    with user_input():
        rng = as_rng(whole("--seed", seed, 0, 2**64 - 1))
        whole("-n", n, 1, MAX_CHILDREN)
        number("--rate", rate, 0, 1)
        number("--creep", creep, 0, 1)
        recipe = view(recipe_of(a), None, size, None, False, style, oversample, least_diameter)
        parent = Individual(recipe.genome)
        genomes = [bytes(mutate(parent, rng, rate, creep)) for _ in range(n)]
        _write(out, [recipe], [replace(recipe, genome=genome) for genome in genomes], fit)


def _write(out: Path, parents: Sequence[Recipe], children: Sequence[Recipe], fit: bool) -> None:
    """Write the children's pictures, and a sheet that begins with the parents.

    All are seen as the first parent is, or each fills its picture.
    """
    with writing(out), whole_folder(out) as folder:
        if fit:
            parents, children = ([_filled(one) for one in many] for many in (parents, children))
        pictures = [draw(parent) for parent in parents]
        labels = [f"parent {letter}" for letter, _ in zip("AB", parents, strict=False)]
        digits = max(2, len(str(len(children))))
        for number_, child in enumerate(children, 1):
            pixels = draw(child)
            path = folder / f"{number_:0{digits}d}.png"
            write_atomic(path, encode_png(Image.fromarray(pixels), child))
            pictures.append(pixels)
            labels.append(str(number_))
        contact_sheet(folder / "sheet.png", pictures, labels)
    print(f"wrote {len(children)} children and {out / 'sheet.png'}")


def _filled(recipe: Recipe) -> Recipe:
    """Return a recipe whose picture the plant fills; a genome may grow nothing to fill it with."""
    return view(recipe, filled=True) if len(grow_recipe(recipe)) else recipe
