"""Plots of how the cost grows."""

from __future__ import annotations

from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchmarks.growing import Measured

__all__ = ["draw"]

_COLORS = {"growth": "#4c7a34", "flat": "#c8702a", "mask": "#3a6ea5", "volume": "#8a4f9e"}


def draw(measured: Measured, folder: Path) -> None:
    """Write circles.svg and pixels.svg."""
    _plot(measured.counts, measured.by_circles, "circles", folder / "circles.svg")
    pixels = tuple(size * size for size in measured.sizes)
    _plot(pixels, measured.by_pixels, "pixels", folder / "pixels.svg")


def _plot(x: tuple[int, ...], series: dict, label: str, path: Path) -> None:
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for (kernel, what), values in series.items():
        style = "-" if kernel == "numba" else "--"
        axes.loglog(
            x, values, style, marker="o", ms=3, color=_COLORS[what], label=f"{kernel} {what}"
        )
    axes.set_xlabel(label)
    axes.set_ylabel("ms a plant")
    axes.grid(which="major", color="#dddddd", lw=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.legend(frameon=False, fontsize=8, ncols=2)
    figure.savefig(path, metadata={"Date": None})
