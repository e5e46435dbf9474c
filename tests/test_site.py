"""What the site's hook draws: every gene has its row and its strip."""

import importlib.util
from pathlib import Path

import numpy as np

from evo import GENES
from experiments.starters import starters

ROOT = Path(__file__).parents[1]
spec = importlib.util.spec_from_file_location("hooks", ROOT / "docs" / "_site" / "hooks.py")
hooks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hooks)


def test_the_page_of_genes_has_every_gene():
    text = (ROOT / "docs" / "genes.md").read_text("utf-8")
    page = hooks.on_page_markdown(text, None, None, None)
    for index, gene in enumerate(GENES):
        assert f"| {index} | [`{gene.name}`](#{gene.name}) | {gene.meaning} |" in page
        assert f"\n## {gene.name}\n" in page
        assert f"(pictures/genes/{gene.name}.png)" in page


def test_a_strip_shows_the_plant_and_what_the_gene_does():
    for name in ("size", "red", "children", "spread"):
        index = [gene.name for gene in GENES].index(name)
        strip = hooks.sweep(index)
        n = len(hooks.SWEEP)
        assert strip.shape == (hooks.CELL, n * hooks.CELL, 3)
        cells = np.split(strip, n, axis=1)
        assert all((cell != hooks.PAPER).any(axis=2).mean() > 0.005 for cell in cells)
        assert not np.array_equal(cells[0], cells[-1])


def test_the_gallery_has_its_configs():
    text = (ROOT / "docs" / "gallery.md").read_text("utf-8")
    page = hooks.on_page_markdown(text, None, None, None)
    assert "<!-- config" not in page
    assert starters()["meadow"] in page


def test_every_page_is_in_the_navigation():
    config = (ROOT / "mkdocs.yml").read_text("utf-8")
    for path in (ROOT / "docs").rglob("*.md"):
        assert f": {path.relative_to(ROOT / 'docs').as_posix()}\n" in config
