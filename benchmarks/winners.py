"""Search each score alone and draw the winners: the strips of docs/fitness.md.

    python -m benchmarks.winners [SCORE ...] [--generations 84] [--out docs/pictures]

Each search: a population of 60 seedlings, one growth seed, about 5,000 evaluations; the best plant
of each of some runs. A score that a cheat wins shows it here.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from skimage.data import horse

from evo import Genetic, evolve
from fitness import SCORES, Evaluator, combine, make_score
from render import Window, grow, over, rasterize

SIZE = 256
PAPER = (244, 241, 234)
EARTH = (196, 180, 150)
SHADE = (228, 222, 210)
INK = (72, 68, 60)
ZOOM = 2
PANEL = 320
GAP = 8
LABEL = 26


def ground_rows() -> np.ndarray:
    x = np.linspace(0, 1, SIZE)
    return np.rint(200 + 25 * np.sin(7 * x) + 12 * np.sin(19 * x)).astype(int)


def map_heights() -> np.ndarray:
    y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    return 0.5 + 0.3 * np.sin(6 * x) * np.cos(4 * y) + 0.1 * np.sin(14 * x + 9 * y)


def picture() -> np.ndarray:
    """Return a small tree to look like: a round green crown on a brown trunk."""
    y, x = np.mgrid[0:SIZE, 0:SIZE]
    pixels = np.zeros((SIZE, SIZE, 4), np.uint8)
    pixels[140:240, 122:134] = (120, 80, 40, 255)
    pixels[(x - 128) ** 2 + (y - 100) ** 2 < 65**2] = (60, 140, 70, 255)
    return pixels


CASES = {
    **{name: (name, {}) for name in SCORES},
    "symmetry-fitted": ("symmetry", {"axis": "fitted"}),
    "silhouette": ("silhouette", {"image": ~horse()}),
    "silhouette-outline": ("silhouette", {"image": ~horse(), "kind": "outline"}),
    "silhouette-reach": ("silhouette", {"image": ~horse(), "reach": 0.066}),
    "palette": ("palette", {"colors": ["#2e7d32", "#81c784", "#6d4c41"]}),
    "ssim": ("ssim", {"image": picture()}),
}


def evaluator(case: str) -> Evaluator:
    name, parameters = CASES[case]
    terrain = name.startswith("terrain")
    above = name == "terrain_density"
    ground = ground_rows()
    root = (SIZE // 2, SIZE * 15 // 16)
    if above:
        root = (SIZE // 2, SIZE // 2)
    elif terrain:
        root = (SIZE // 2, int(ground[SIZE // 2]))
    return Evaluator(
        scores=(make_score(name, parameters),),
        window=Window(SIZE, SIZE, root=root),
        ground=ground if terrain and not above else None,
        heights=map_heights() if above else None,
    )


def drawn(case: str, genome: bytes) -> np.ndarray:
    """Return a plant before what its score looks at, twice as large as the score sees it."""
    scene_of = evaluator(case)
    canvas = np.full((SIZE, SIZE, 3), PAPER, np.uint8)
    if scene_of.ground is not None:
        canvas[np.arange(SIZE)[:, None] >= scene_of.ground] = EARTH
    if scene_of.heights is not None:
        suits = scene_of.scores[0].suitability(scene_of.heights)
        cells = np.kron(suits / suits.max(), np.ones((8, 8)))[:, :, None]
        canvas = (canvas * (1 - 0.35 * cells)).astype(np.uint8)
    target = CASES[case][1].get("image")
    if target is not None:
        shape = scene_of.scores[0].target(SIZE, SIZE) if target.ndim == 2 else target[:, :, 3] > 0
        canvas[shape] = SHADE
    column, row = scene_of.window.root
    root = (column * ZOOM, row * ZOOM)
    unit = scene_of.window.unit // ZOOM
    plant = rasterize(grow(genome), SIZE * ZOOM, SIZE * ZOOM, unit, root, oversample=2)
    return over(canvas.repeat(ZOOM, axis=0).repeat(ZOOM, axis=1), plant)


def strip(panels: list[np.ndarray], labels: list[str]) -> Image.Image:
    """Return pictures side by side, each with a label below."""
    step = PANEL + GAP
    picture = Image.new("RGB", (step * len(panels) - GAP, PANEL + LABEL), "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(size=15)
    for index, (panel, label) in enumerate(zip(panels, labels, strict=True)):
        small = Image.fromarray(panel).resize((PANEL, PANEL), Image.Resampling.LANCZOS)
        picture.paste(small, (index * step, 0))
        middle = (index * step + PANEL / 2, PANEL + LABEL / 2 + 1)
        pen.text(middle, label, INK, font, anchor="mm")
    return picture


def search(case: str, seed: int, generations: int) -> tuple[float, bytes]:
    run = evolve(
        evaluator(case),
        Genetic(population=60, mutation=0.03),
        seed=seed,
        generations=generations,
        combine=combine,
    )
    *_, last = run
    best = last.hall_of_fame[0]
    return float(last.statistics["best_so_far"]), bytes(best.genome)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", default=list(CASES))
    parser.add_argument("--generations", type=int, default=84)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for case in options.cases:
        found = [search(case, seed, options.generations) for seed in range(options.runs)]
        labels = [f"{case.replace('-', ', ')} {value:.3f}" for value, _ in found]
        picture = strip([drawn(case, genome) for _, genome in found], labels)
        picture.quantize(128, dither=Image.Dither.NONE).save(
            options.out / f"winners-{case}.png", optimize=True
        )
        print(case, *(f"{value:.3f}" for value, _ in found), flush=True)


if __name__ == "__main__":
    main()
