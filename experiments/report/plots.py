"""Curves of a run, drawn by matplotlib: as files, and as SVG that follows the page's colors."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from experiments.report.story import Story

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["PLOTS", "Plot", "as_files", "as_svg"]

INK = "#3d3a33"
SERIES = ("#2f7d4f", "#b3542e", "#3f6fb0", "#8a5aa8", "#a07d1c", "#2b8f94", "#b04a76", "#66707a")
"""Colors of curves on light paper."""


class Plot(NamedTuple):
    """A picture of the log.

    Parameters
    ----------
    name : str
        Of its files.
    title : str
    draw : callable
        From a Story and axes to a sentence that says what is seen.
    """

    name: str
    title: str
    draw: Callable[[Story, Axes], str]


def _generations(n: int) -> str:
    return "1 generation" if n == 1 else f"{n} generations"


def _fitness(story: Story, axes: Axes) -> str:
    log = story.log
    x = log["generation"]
    axes.fill_between(
        x, log["min"], log["best"], color=SERIES[2], alpha=0.15, lw=0, label="worst to best"
    )
    axes.plot(x, log["best_so_far"], color=SERIES[0], lw=2, label="best so far")
    axes.plot(x, log["mean"], color=SERIES[2], lw=1.5, label="mean")
    first, last = log["best_so_far"][0], log["best_so_far"][-1]
    if len(x) == 1:
        return f"The best of the founders scores {first:.3f}; their mean is {log['mean'][0]:.3f}."
    return (
        f"The best score goes from {first:.3f} to {last:.3f} after {_generations(len(x) - 1)}; "
        f"the mean ends at {log['mean'][-1]:.3f}."
    )


def _scores(story: Story, axes: Axes) -> str:
    log = story.log
    x = log["generation"]
    said = []
    for index, name in enumerate(story.score_names):
        color = SERIES[index % len(SERIES)]
        axes.plot(x, log[f"{name}_best"], color=color, lw=1.8, label=name)
        axes.plot(
            x, log[f"{name}_mean"], color=color, lw=1.1, ls=(0, (3, 2)), label=f"{name}, mean"
        )
        said.append(f"{name} ends at best {log[f'{name}_best'][-1]:.3f}")
    return f"Each score by generation, best solid and mean dashed: {', '.join(said)}."


def _diversity(story: Story, axes: Axes) -> str:
    diversity = story.log["diversity"]
    axes.plot(story.log["generation"], diversity, color=SERIES[3], lw=1.8, label="diversity")
    axes.set_ylim(0, 1)
    if len(diversity) == 1:
        return f"Diversity of alleles is {diversity[0]:.2f}."
    return f"Diversity of alleles goes from {diversity[0]:.2f} to {diversity[-1]:.2f}."


PLOTS = (
    Plot("fitness", "Fitness", _fitness),
    Plot("scores", "Scores", _scores),
    Plot("diversity", "Diversity", _diversity),
)
"""The plots of a report."""


def make(plot: Plot, story: Story) -> tuple[Figure, str]:
    """Return a figure, and a sentence that says what is seen on it."""
    from matplotlib.figure import Figure  # imported late: it takes a second
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(4.8, 3.0), layout="constrained")
    axes = figure.subplots()
    said = plot.draw(story, axes)
    axes.set_xlabel("generation")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(x=0.01)
    if story.n_generations == 1:  # a line of one point shows nothing
        for line in axes.lines:
            line.set(marker="o", markersize=5)
        axes.set_xlim(-0.5, 1.5)
    axes.grid(visible=True, color=INK, alpha=0.14, lw=0.7)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INK)
    axes.tick_params(colors=INK, labelsize=9)
    axes.xaxis.label.set_color(INK)
    axes.legend(frameon=False, labelcolor=INK, fontsize=9, loc="best")
    return figure, said


def as_svg(plot: Plot, story: Story) -> tuple[str, str]:
    """Return a plot as an SVG element whose colors are the page's, and its sentence."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": plot.name}):
        figure, said = make(plot, story)
        buffer = io.StringIO()
        figure.savefig(
            buffer,
            format="svg",
            transparent=True,
            metadata={"Date": None, "Creator": None, "Format": None, "Type": None},
        )
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r' id="(?!p[0-9a-f]{10}|m[0-9a-f]{10})[^"]*"', "", text)
    text = text.replace(INK, "currentColor")
    for index, color in enumerate(SERIES):
        text = text.replace(color, f"var(--series-{index})")
    text = re.sub(r"font: ?([0-9.]+px) [^;\"]*", r"font-size: \1", text)
    return text.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1), said


def as_files(plot: Plot, story: Story) -> dict[str, bytes]:
    """Return a plot as files on white paper: name -> bytes, one of them SVG and one PNG."""
    import matplotlib as mpl

    files = {}
    with mpl.rc_context({"svg.hashsalt": plot.name}):
        figure, _ = make(plot, story)
        figure.axes[0].set_title(
            f"{story.config.name}: {plot.title.lower()}", color=INK, loc="left", parse_math=False
        )
        for ending, metadata in (("svg", {"Date": None}), ("png", {})):
            buffer = io.BytesIO()
            figure.savefig(buffer, format=ending, dpi=160, facecolor="white", metadata=metadata)
            files[f"{plot.name}.{ending}"] = buffer.getvalue()
    return files
