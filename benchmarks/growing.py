"""How the cost grows with circles and pixels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import side_by_side
from evo.population import founders
from render import KERNELS, Circles, Window, grow, rasterize

__all__ = ["Measured", "report"]

_SIZES = (128, 256, 512, 1024)
_COUNTS = (1_000, 3_000, 10_000, 30_000, 100_000)
_WORLD = 256 * 1024  # every window shows the same world


class Measured(NamedTuple):
    """Milliseconds by (kernel, what)."""

    counts: tuple[int, ...]
    by_circles: dict[tuple[str, str], NDArray[np.float64]]
    sizes: tuple[int, ...]
    by_pixels: dict[tuple[str, str], NDArray[np.float64]]


def _large_plants(n: int) -> list[bytes]:
    """Return uniform genomes whose plants reach 100,000 circles."""
    out = []
    for founder in founders("uniform", 60, 11):
        if grow(bytes(founder)).truncated:
            out.append(bytes(founder))
        if len(out) == n:
            break
    return out


def _tasks(kernel: str, size: int):
    window = Window(size, size, _WORLD // size)

    def draw(style: str):
        return lambda c: rasterize(
            c, size, size, window.unit, window.root, style=style, kernel=kernel
        )

    return {style: draw(style) for style in ("flat", "mask", "volume")}


def _cut(circles: Circles, n: int) -> Circles:
    """Return n circles spread over a whole plant."""
    at = np.linspace(0, len(circles) - 1, n).astype(int)
    c = circles
    arrays = (a[at] for a in (c.x, c.y, c.diameter, c.color, c.tick, c.level))
    return Circles(*arrays, truncated=True)


def report(*, quick: bool) -> tuple[Measured, list[str]]:
    genomes = _large_plants(2 if quick else 4)
    repeats = 3 if quick else 9
    whole = [grow(genome) for genome in genomes]
    by_circles: dict[tuple[str, str], list[float]] = {}
    by_pixels: dict[tuple[str, str], list[float]] = {}
    for kernel in KERNELS:
        for n in (0, *_COUNTS):
            parts = [_cut(circles, min(n, len(circles))) for circles in whole]
            tasks = _tasks(kernel, 256)
            times = max(1, _COUNTS[2] // max(n, _COUNTS[0]))  # short ones more often
            per = len(whole) * times
            for what, seconds in side_by_side(tasks, parts * times, repeats).items():
                by_circles.setdefault((kernel, what), []).append(seconds / per * 1e3)
            work = {"growth": lambda g, n=n, kernel=kernel: grow(g, 0, n, kernel)}
            seconds = side_by_side(work, genomes * times, repeats)["growth"]
            by_circles.setdefault((kernel, "growth"), []).append(seconds / per * 1e3)
        for size in _SIZES:
            tasks = _tasks(kernel, size)
            for what, seconds in side_by_side(tasks, whole[:2], repeats).items():
                by_pixels.setdefault((kernel, what), []).append(seconds / 2 * 1e3)
    fixed = {key: values[0] for key, values in by_circles.items()}
    measured = Measured(
        _COUNTS,
        {key: np.array(values[1:]) for key, values in by_circles.items()},
        _SIZES,
        {key: np.array(values) for key, values in by_pixels.items()},
    )
    lines = [
        "| kernel | what | slope in circles | slope in pixels |",
        "| --- | --- | ---: | ---: |",
    ]
    for key, values in measured.by_circles.items():
        slope = _slope(_COUNTS, values - fixed[key])
        pixels = ""
        if key in measured.by_pixels:
            pixels = f"{_slope([s * s for s in _SIZES], measured.by_pixels[key]):.2f}"
        lines.append(f"| {key[0]} | {key[1]} | {slope:.2f} | {pixels} |")
    text = [
        "## How the cost grows",
        "Uniform genomes of 100,000 circles, fewer by taking some of them; a window that shows "
        "the same world at every size. Slopes of the logarithms: 1 is linear. In circles the "
        "fixed part of a call is taken off: what a plant without circles takes.",
        "\n".join(lines),
        "![time by circles](circles.svg)",
        "![time by pixels](pixels.svg)",
    ]
    return measured, text


def _slope(x: object, y: object) -> float:
    return float(np.polyfit(np.log(np.asarray(x, float)), np.log(np.asarray(y, float)), 1)[0])
