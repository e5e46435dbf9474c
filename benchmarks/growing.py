"""How the cost grows with circles and pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from benchmarks.timing import side_by_side
from evo.population import founders
from render import KERNELS, STYLES, Circles, Window, grow, rasterize

__all__ = ["Measured", "report"]

_SIZES = (128, 256, 512, 1024)
_COUNTS = (10, 1_000, 3_000, 10_000, 30_000, 100_000)
_AGENTS = 511  # 1, 2, 4 to 128 on eight levels, and 128 on two more
_WORLD = 256 * 1024  # every window shows the same world
_BED = 1_000  # circles of a plant in a bed
_BEDS = 100  # places in the largest bed, ten by ten
_BED_SIZE = 512  # pixels that show ten by ten worlds


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


def _tree(genome: bytes, n: int) -> bytes:
    """Return a genome of 511 agents whose segments, all of one length, have some n circles."""
    genes = np.frombuffer(genome, np.uint8).reshape(10, 18).copy()
    genes[:7, 10], genes[7:, 10] = 100, 0  # two children, one child
    genes[:, 9] = max(1, round(n / _AGENTS))
    genes[:, 16] = 0  # no chance in it
    return genes.tobytes()


def _beds(circles: Circles, n: int) -> list[Circles]:
    """Return a plant's circles as beds of n circles each: small plants side by side.

    A bed has a plant for every 1,000 circles, so that the same share of them is hidden in all
    beds; and all circles of the plant are in the beds of any n, so that what is drawn is the same.
    """
    per = max(1, n // _BED)
    beds = []
    for first in range(0, _BEDS - per + 1, per):
        plants = [np.resize(np.arange(i, len(circles), _BEDS), _BED)
                  for i in range(first, first + per)]  # fmt: skip
        at = np.concatenate([plant[:: max(1, _BED // n)] for plant in plants])
        place = np.repeat(np.arange(per), len(at) // per)
        c = circles
        x = c.x[at] + (place % 10 * _WORLD).astype(c.x.dtype)
        y = c.y[at] - (place // 10 * _WORLD).astype(c.y.dtype)
        parts = (c.diameter[at], c.color[at], c.tick[at], c.level[at])
        beds.append(Circles(x, y, *parts, truncated=True))
    return beds


def _by_beds(whole: Sequence[Circles], kernel: str, repeats: int) -> dict[str, NDArray[np.float64]]:
    """Return milliseconds by circles in a bed, all measured side by side."""
    unit = _WORLD * 10 // _BED_SIZE
    root = (_BED_SIZE // 20, _BED_SIZE - 1)
    contenders: dict[tuple[str, int], Callable[[object], object]] = {}
    calls = {}
    for n in _COUNTS:
        beds = [bed for circles in whole for bed in _beds(circles, n)]
        calls[n] = len(beds)

        def draw(_: object, style: str, beds: list[Circles] = beds) -> None:
            for bed in beds:  # one picture at a time
                rasterize(bed, _BED_SIZE, _BED_SIZE, unit, root, style=style, kernel=kernel)

        for style in STYLES:
            contenders[style, n] = partial(draw, style=style)
    seconds = side_by_side(contenders, [None], repeats)
    return {
        style: np.array([seconds[style, n] / calls[n] * 1e3 for n in _COUNTS]) for style in STYLES
    }


def _times(n: int) -> int:
    """Return how often a task is done at a time: short ones more often."""
    return max(1, 10_000 // max(n, 1_000))


def _by_circles(genomes: list[bytes], kernel: str, repeats: int) -> dict[tuple[str, int], float]:
    """Return milliseconds by (what, circles), all measured side by side."""
    whole = [grow(genome) for genome in genomes]
    contenders: dict[tuple[str, int], Callable[[object], object]] = {}
    for n in _COUNTS:
        parts = [_cut(circles, min(n, len(circles))) for circles in whole] * _times(n)
        for style, draw in _tasks(kernel, 256).items():
            contenders[style, n] = lambda _, parts=parts, draw=draw: [draw(p) for p in parts]
        trees = [_tree(genome, n) for genome in genomes] * _times(n)
        contenders["growth", n] = lambda _, trees=trees: [grow(g, kernel=kernel) for g in trees]
    seconds = side_by_side(contenders, [None], repeats)
    return {key: value / len(whole) / _times(key[1]) * 1e3 for key, value in seconds.items()}


def report(*, quick: bool) -> tuple[Measured, list[str]]:
    genomes = _large_plants(2 if quick else 4)
    repeats = 3 if quick else 9
    whole = [grow(genome) for genome in genomes[:2]]
    by_circles: dict[tuple[str, str], NDArray[np.float64]] = {}
    by_pixels: dict[tuple[str, str], list[float]] = {}
    by_beds: dict[tuple[str, str], NDArray[np.float64]] = {}
    for kernel in KERNELS:
        for style, values in _by_beds(
            whole[:1] if quick else whole, kernel, repeats // 2 + 1
        ).items():
            by_beds[kernel, style] = values
        measured = _by_circles(genomes, kernel, repeats)
        for what in (*STYLES, "growth"):
            by_circles[kernel, what] = np.array([measured[what, n] for n in _COUNTS])
        for size in _SIZES:
            for what, seconds in side_by_side(_tasks(kernel, size), whole, repeats).items():
                by_pixels.setdefault((kernel, what), []).append(seconds / len(whole) * 1e3)
    measured = Measured(
        _COUNTS[1:],
        {key: values[1:] for key, values in by_circles.items()},
        _SIZES,
        {key: np.array(values) for key, values in by_pixels.items()},
    )
    lines = [
        "| kernel | what | fixed part, us | slope in circles | side by side | slope in pixels |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for key, values in by_circles.items():
        n = _COUNTS if key[1] != "growth" else tuple(max(1, round(n / _AGENTS)) for n in _COUNTS)
        fixed, slope = _above_fixed(n, values)
        beds = pixels = ""
        if key in by_beds:
            beds = f"{_above_fixed(_COUNTS, by_beds[key])[1]:.2f}"
        if key in measured.by_pixels:
            pixels = f"{_slope([s * s for s in _SIZES], measured.by_pixels[key]):.2f}"
        lines.append(
            f"| {key[0]} | {key[1]} | {fixed * 1e3:,.0f} | {slope:.2f} | {beds} | {pixels} |"
        )
    text = [
        "## How the cost grows",
        "Drawing: some circles, 10 to 100,000, spread over uniform genomes of 100,000, in a window "
        "that shows the same world at every size. Growth: a tree of 511 agents on ten levels, "
        "whose segments have 1 to 196 circles. The time is fitted as a fixed part of a call and a "
        "power of the number of circles, both at once and by ratios; the power is the slope, and "
        "1 is linear. In pixels it is that of the logarithms.",
        "The more circles one plant has, the more of them hide behind others, and what is hidden "
        "is passed over: flat and volume cost less than in proportion. Side by side are small "
        "plants of 1,000 circles, 1 to 100 of them in a window of 512 x 512, of which the same "
        "share is hidden: what a circle costs is then the same.",
        "\n".join(lines),
        "![time by circles](circles.svg)",
        "![time by pixels](pixels.svg)",
    ]
    return measured, text


def _slope(x: Sequence[float], y: NDArray[np.float64]) -> float:
    return float(np.polyfit(np.log(np.asarray(x, float)), np.log(y), 1)[0])


def _above_fixed(x: Sequence[float], y: NDArray[np.float64]) -> tuple[float, float]:
    """Return a and s of y = a + b x^s, fitted to the logarithms of y, with a at least 0."""
    ratio = np.asarray(x, float) / x[-1]

    def misses(p: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.log(np.exp(p[0]) + np.exp(p[1]) * ratio ** p[2]) - np.log(y)

    found = least_squares(misses, (np.log(y[0]), np.log(y[-1]), 1.0), loss="soft_l1", f_scale=0.1)
    return float(np.exp(found.x[0])), float(found.x[2])
