"""Every score, beside growing and drawing the plant that it looks at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.peers import available
from benchmarks.plants import Plant, plants
from benchmarks.timing import side_by_side
from fitness import SCORES, Evaluator, Scene, Score, make_score, parameters
from render import Window, rasterize, silhouette, summarize

__all__ = ["report"]

_GIVEN = {"palette": {"colors": ["#2f5d2a", "#7fae5a", "#e8c547"]}}


def report(*, quick: bool) -> list[str]:
    window = Window(256, 256)
    all_plants = plants("seedling", window, 6 if quick else 24)
    n = len(all_plants)
    n_circles = sum(len(plant.circles) for plant in all_plants)
    both = Evaluator([make_score(name) for name in ("coverage", "symmetry")], window)
    contenders: dict[str, Callable[[Plant], Any]] = {
        "drawn": lambda p: silhouette(p.genome, p.seed, window),
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
    each = side_by_side({name: _scored(score, window) for name, score in _scores()}, all_plants, 3)
    lines = ["| score | us a plant |", "| --- | ---: |"]
    lines += [f"| {name} | {value / n * 1e6:,.0f} |" for name, value in each.items()]
    return [
        "## Scores",
        f"Seedling genomes, {n_circles / n:,.0f} circles a plant: growing and drawing take "
        f"{drawn:,.0f} us a plant, with coverage and symmetry {scored:,.0f} us.{beside}",
        "Each score alone, on a scene that is there (a part of it that several scores share is "
        "counted in each):",
        "\n".join(lines),
    ]


def _scores() -> list[tuple[str, Score]]:
    """Return the scores that need no picture of the user's."""
    return [
        (name, make_score(name, _GIVEN.get(name)))
        for name, score in SCORES.items()
        if not any(parameter.required for parameter in parameters(score))
    ]


def _scored(score: Score, window: Window) -> Callable[[Plant], float]:
    size = (window.width, window.height, window.unit, window.root)
    column = np.arange(window.width)
    ground = window.root[1] - np.abs(column - window.root[0]) // 8
    heights = np.add.outer(np.linspace(0, 1, window.height), np.linspace(0, 1, window.width)) / 2
    parts: dict[int, dict[str, Any]] = {}

    def work(plant: Plant) -> float:
        key = id(plant)
        if key not in parts:
            rgba = rasterize(plant.circles, *size)
            parts[key] = {
                "mask": rgba[..., 3] == 255,
                "rgba": rgba,
                "circles": plant.circles,
                "summary": summarize(plant.circles, window),
                "ground": ground,
                "heights": heights,
            }
        return score(Scene(root=window.root, unit=window.unit, **parts[key]))

    return work
