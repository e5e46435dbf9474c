"""Every score, beside growing and drawing the plant that it looks at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.peers import available
from benchmarks.plants import Plant, plants
from benchmarks.timing import side_by_side
from benchmarks.winners import CASES
from fitness import Evaluator, Scene, Score, make_score
from render import Window, grow, rasterize, silhouette, silhouettes_and_words, summarize

__all__ = ["report"]


def report(*, quick: bool) -> list[str]:
    window = Window(256, 256)
    all_plants = plants("seedling", window, 6 if quick else 24)
    n = len(all_plants)
    n_circles = sum(len(plant.circles) for plant in all_plants)
    both = Evaluator([make_score(name) for name in ("coverage", "symmetry")], window)
    size = (window.width, window.height, window.unit, window.root)
    contenders: dict[str, Callable[[Plant], Any]] = {
        "drawn": lambda p: silhouette(p.genome, p.seed, window),
        "colored": lambda p: rasterize(grow(p.genome, p.seed), *size),
        "scored": lambda p: both([p.genome]),
    }
    opencv = available().get("OpenCV")
    if opencv is not None:
        contenders["OpenCV"] = lambda p: opencv(p.sketch)
    seconds = side_by_side(contenders, all_plants, 3 if quick else 7)
    drawn, scored = seconds["drawn"] / n * 1e6, seconds["scored"] / n * 1e6
    beside = ""
    if opencv is not None:
        ratio = seconds["OpenCV"] / seconds["scored"]
        beside = f" OpenCV's drawing loop alone takes {ratio:.1f} times as long as all of it."
    scores = {case: make_score(*given) for case, given in CASES.items()}
    each = side_by_side(
        {**contenders, **{case: _scored(score, window) for case, score in scores.items()}},
        all_plants,
        3 if quick else 7,
    )
    lines = ["| score | us a plant | of growing and drawing | as |", "| --- | ---: | ---: | --- |"]
    for case, score in scores.items():
        path = "colored" if "rgba" in score.needs else "drawn"
        word = "colors" if path == "colored" else "mask"
        share = each[case] / each[path]
        lines.append(f"| {case} | {each[case] / n * 1e6:,.0f} | {share:.2f} | {word} |")
    return [
        "## Scores",
        f"Seedling genomes, {n_circles / n:,.0f} circles a plant: growing and drawing take "
        f"{drawn:,.0f} us a plant, with coverage and symmetry {scored:,.0f} us.{beside}",
        "Each score alone, on a scene that is there (a part of it that several scores share is "
        "counted in each), beside growing and drawing what it looks at: the mask in one pass, "
        f"{each['drawn'] / n * 1e6:,.0f} us, or the flat colors, "
        f"{each['colored'] / n * 1e6:,.0f} us.",
        "\n".join(lines),
    ]


def _scored(score: Score, window: Window) -> Callable[[Plant], float]:
    """Return a function that scores a plant on a new scene, made as evaluations make it."""
    size = (window.width, window.height, window.unit, window.root)
    column = np.arange(window.width)
    slopes = np.linspace(0, 1, window.height), np.linspace(0, 1, window.width)
    place = Scene(
        mask=np.zeros((window.height, window.width), np.bool_),
        root=window.root,
        unit=window.unit,
        ground=window.root[1] - np.abs(column - window.root[0]) // 8,
        heights=np.add.outer(*slopes) / 2,
    )
    parts: dict[int, dict[str, Any]] = {}

    def work(plant: Plant) -> float:
        key = id(plant)
        if key not in parts:
            summary = summarize(plant.circles, window)
            if "rgba" in score.needs:
                rgba = rasterize(plant.circles, *size)
                mask = rgba[..., 3] == 255
                rgba.flags.writeable = mask.flags.writeable = False
                parts[key] = {"mask": mask, "rgba": rgba, "summary": summary}
            else:
                seeds = [plant.seed]
                masks, words, _ = silhouettes_and_words(plant.genome, seeds, window)
                parts[key] = {"mask": masks[0], "words": words[0], "summary": summary}
        return score(place.with_plant(**parts[key]))

    return work
