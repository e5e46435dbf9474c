"""What the site draws anew at each build: the gene table's strips, and a row of seedlings."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from evo import GENES, founders
from evo.genome import locus
from experiments.starters import starters
from render import Recipe, draw, fit
from render.drawing import grow_recipe
from render.formats import onto

PAPER = (253, 252, 249)
SWEEP = (0, 32, 64, 96, 128, 160, 192, 224, 255)
CELL = 120
PARENT = founders("seedling", 24, rng=3)[5]
SHOWN = {
    "size_inherit": (("size", 40), ("size_step", 128), ("stem", 255)),
    "size_var": (("size_inherit", 0), ("size", 100), ("size_step", 128)),
    "color_var": (("color_inherit", 0),),
}
"""What else is set, on all levels ("stem": the size of level 0), so that a gene shows.

These plants end at level 4, so that their twigs are drawn larger.
"""


def plant(genome: bytes, size: int, seed: int = 1) -> NDArray[np.uint8]:
    """Return a plant that fills a square on paper, uint8 (size, size, 3)."""
    recipe = Recipe(genome, seed, 20_000, size, size, 2, (0, 0), "volume", 2)
    window = fit(grow_recipe(recipe), size, size, "volume", 2, margin=3)
    return onto(draw(replace(recipe, unit=window.unit, root=window.root)), PAPER)


def sweep(gene: int) -> NDArray[np.uint8]:
    """Return one plant nine times, its gene swept from 0 to 255 on all levels at once."""
    pictures = []
    for byte in SWEEP:
        genes = PARENT.genes.copy()
        extra = SHOWN.get(GENES[gene].name, ())
        if extra:
            genes[4:, locus("children")] = 0
        for name, value in extra:
            if name == "stem":
                genes[0, locus("size")] = value
            else:
                genes[:, locus(name)] = value
        genes[:, gene] = byte
        pictures.append(plant(genes.tobytes(), CELL))
    return np.concatenate(pictures, axis=1)


def png(pixels: NDArray[np.uint8]) -> bytes:
    """Return pixels as a PNG file."""
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def gene_table() -> str:
    """Return the table of genes in Markdown, and below it a strip for each."""
    rows = [
        f"| {i} | [`{gene.name}`](#{gene.name}) | {gene.meaning} | {gene.value} |"
        for i, gene in enumerate(GENES)
    ]
    bytes_ = ", ".join(map(str, SWEEP))
    strips = [
        f"## {gene.name}\n\n{gene.meaning}: {gene.value}\n\n"
        f"![One plant, {gene.name} at {bytes_}](pictures/genes/{gene.name}.png)\n"
        for gene in GENES
    ]
    head = ["| # | gene | meaning | value of byte b |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows, "", *strips])


def on_files(files: Any, config: Any) -> Any:
    """Add the pictures that are drawn."""
    from mkdocs.structure.files import File  # so that the rest needs no mkdocs

    for index, gene in enumerate(GENES):
        name = f"pictures/genes/{gene.name}.png"
        files.append(File.generated(config, name, content=png(sweep(index))))
    row = np.concatenate([plant(bytes(p), 150) for p in founders("seedling", 8, rng=11)], axis=1)
    files.append(File.generated(config, "pictures/seedlings.png", content=png(row)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Put the tables and configs where the pages ask for them."""
    markdown = markdown.replace("<!-- gene table -->", gene_table())
    row = "![Eight different young plants in a row](pictures/seedlings.png)"
    markdown = markdown.replace("<!-- seedlings -->", row)
    for name, text in starters().items():
        markdown = markdown.replace(f"<!-- config {name} -->", f"```toml\n{text}```")
    return markdown
