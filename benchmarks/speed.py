"""Growth and the three styles beside loops over other libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.peers import available, opencv_calls
from benchmarks.plants import KINDS, Plant, plants
from benchmarks.timing import side_by_side
from render import KERNELS, Window, grow, rasterize, silhouette, silhouettes

__all__ = ["report", "table"]

_SAMPLES = range(3)
_SLOW = {"Pillow": 1, "skia-python": 1, "OpenCV": 3, "OpenCV, bare calls": 3}


def _copy(plant: Plant) -> object:
    c = plant.circles
    fields = (c.x, c.y, c.diameter, c.color, c.tick, c.level, c.agent)
    return [field.copy() for field in fields if field is not None]


def ours(window: Window, kernel: str) -> dict[str, Callable[[Plant], Any]]:
    """Return what one kernel does, by name."""
    size = (window.width, window.height, window.unit, window.root)

    def draw(style: str) -> Callable[[Plant], Any]:
        return lambda p: rasterize(p.circles, *size, style=style, kernel=kernel)

    return {
        f"{kernel}: growth": lambda p: grow(p.genome, p.seed, kernel=kernel),
        f"{kernel}: flat": draw("flat"),
        f"{kernel}: mask": draw("mask"),
        f"{kernel}: volume": draw("volume"),
        f"{kernel}: growth, then flat": lambda p: rasterize(
            grow(p.genome, p.seed, kernel=kernel), *size, kernel=kernel
        ),
        f"{kernel}: growth and mask in one pass": lambda p: silhouette(
            p.genome, p.seed, window, kernel=kernel
        ),
    }


def table(seconds: dict[str, float], n_circles: int, against: str) -> str:
    """Return a Markdown table of times and ratios."""
    lines = [f"| | ns a circle | times as fast as {against} |", "| --- | ---: | ---: |"]
    for name, value in seconds.items():
        lines.append(
            f"| {name} | {value / n_circles * 1e9:,.1f} | {seconds[against] / value:,.1f} |"
        )
    return "\n".join(lines)


def report(*, quick: bool) -> list[str]:
    window = Window(256, 256)
    parts = []
    for kind in KINDS:
        all_plants = plants(kind, window, 6 if quick else 24)
        n = sum(len(plant.circles) for plant in all_plants)
        contenders: dict[str, Callable[[Plant], Any]] = {}
        for name, loop in available().items():
            if name != "scikit-image":
                contenders[name] = lambda p, loop=loop: loop(p.sketch)
        contenders["OpenCV, bare calls"] = lambda p: opencv_calls(p.prepared)
        for kernel in KERNELS:
            contenders |= ours(window, kernel)
        contenders["copy of growth's arrays"] = _copy
        slow = _SLOW | {name: 2 for name in contenders if name.startswith("numpy")}
        seconds = side_by_side(contenders, all_plants, 3 if quick else 9, slow)
        ratio = seconds["numba: growth"] / seconds["copy of growth's arrays"]
        beside = seconds["numpy: growth"] / seconds["numba: growth"]
        parts += [
            f"## {len(all_plants)} {kind} genomes, 256 x 256, unit 1024",
            f"{n / len(all_plants):,.0f} circles a plant. OpenCV's loop takes the numbers out of "
            "the arrays and calls `circle`; its bare calls find them made beforehand.",
            table(seconds, n, "OpenCV"),
            f"numba grows {beside:.1f} times as fast as numpy, and takes {ratio:.1f} times as long "
            "as a bare copy of its arrays.",
        ]
        if not quick and "scikit-image" in available():
            parts.append(_scikit_image(all_plants))
        parts.append(_several(all_plants, window))
    return parts


def _scikit_image(all_plants: list[Plant]) -> str:
    """scikit-image takes ten seconds a plant: on the smallest plant alone."""
    plant = min(all_plants, key=lambda p: abs(len(p.circles) - 3000))
    loops = available()
    contenders = {name: loops[name] for name in ("OpenCV", "scikit-image")}
    seconds = side_by_side(contenders, [plant.sketch], 3)
    ratio = seconds["scikit-image"] / seconds["OpenCV"]
    return (
        f"scikit-image's `draw.disk` in a loop, on one plant of {len(plant.circles):,} circles: "
        f"{seconds['scikit-image'] / len(plant.circles) * 1e9:,.0f} ns a circle, {ratio:.0f} times "
        "OpenCV's time."
    )


def _several(all_plants: list[Plant], window: Window) -> str:
    seconds = side_by_side(
        {
            "one": lambda p: [silhouette(p.genome, s, window) for s in _SAMPLES],
            "all": lambda p: silhouettes(p.genome, list(_SAMPLES), window),
        },
        all_plants,
        5,
    )
    return (
        f"Silhouettes of {len(_SAMPLES)} growth seeds of a genome in one call: "
        f"{seconds['one'] / seconds['all']:.2f} times as fast as in {len(_SAMPLES)} calls."
    )
