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

__all__ = ["PLOTS", "Plot", "as_files", "as_svg", "plots_of"]

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
    over_time : bool
        Whether its x axis counts generations.
    """

    name: str
    title: str
    draw: Callable[[Story, Axes], str]
    over_time: bool = True


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
    x = story.log["generation"]
    axes.plot(x, diversity, color=SERIES[3], lw=1.8, label="of alleles")
    curves = {"alleles": diversity}
    if "shape_diversity" in story.log:
        curves["shapes"] = story.log["shape_diversity"]
        axes.plot(x, curves["shapes"], color=SERIES[1], lw=1.8, label="of shapes")
    axes.set_ylim(0, 1)
    if len(x) == 1:
        said = [f"of {name} is {curve[0]:.2f}" for name, curve in curves.items()]
    else:
        said = [
            f"of {name} goes from {curve[0]:.2f} to {curve[-1]:.2f}"
            for name, curve in curves.items()
        ]
    return f"Diversity {' and '.join(said)}."


def _front(story: Story, axes: Axes) -> str:
    """Draw the front: score against score, or of more than two a line a plant."""
    entries = [entry for entry in story.entries if isinstance(entry["score"], list)]
    rows, names = [entry["score"] for entry in entries], list(story.config.score_names)
    if len(names) == 2:
        x, y = zip(*rows, strict=True)
        axes.plot(x, y, color=SERIES[0], lw=1, alpha=0.5, drawstyle="steps-post")
        axes.scatter(x, y, color=SERIES[0], s=36, zorder=3)
        width, height = max(x) - min(x) or 1.0, max(y) - min(y) or 1.0
        labeled: list[tuple[float, float]] = []  # numbers that would lie on another are left out
        for entry, (a, b) in zip(entries, rows, strict=True):
            if all(abs(a - c) > 0.06 * width or abs(b - d) > 0.09 * height for c, d in labeled):
                labeled.append((a, b))
                axes.annotate(
                    str(entry["rank"]),
                    (a, b),
                    xytext=(5, 5),
                    textcoords="offset points",
                    fontsize=9,
                    color=INK,
                )
        axes.set_xlabel(names[0], parse_math=False)
        axes.set_ylabel(names[1], parse_math=False, color=INK)
        axes.margins(0.12)
        return f"The front of {names[0]} and {names[1]}: {len(rows)} plants, numbered by rank."
    for index, (entry, row) in enumerate(zip(entries, rows, strict=True)):
        color = SERIES[index % len(SERIES)]
        axes.plot(range(len(names)), row, color=color, lw=1.5, marker="o", ms=4, alpha=0.9)
        axes.annotate(
            str(entry["rank"]),
            (len(names) - 1, row[-1]),
            xytext=(6, -3),
            textcoords="offset points",
            fontsize=9,
            color=color,
        )
    axes.set_xticks(range(len(names)), names, parse_math=False)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("score")
    axes.margins(x=0.08)
    return f"The front of {len(names)} scores: a line for each of {len(rows)} plants, by rank."


def plots_of(story: Story) -> tuple[Plot, ...]:
    """Return the plots that a run has: a front is of several objectives alone."""
    has_front = story.config.is_pareto and bool(story.entries)
    return (*PLOTS, FRONT) if has_front else PLOTS


PLOTS = (
    Plot("fitness", "Fitness", _fitness),
    Plot("scores", "Scores", _scores),
    Plot("diversity", "Diversity", _diversity),
)
"""The plots of every report."""

FRONT = Plot("front", "Front", _front, over_time=False)


def make(plot: Plot, story: Story) -> tuple[Figure, str]:
    """Return a figure, and a sentence that says what is seen on it."""
    from matplotlib.figure import Figure  # imported late: it takes a second
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(4.8, 3.0), layout="constrained")
    axes = figure.subplots()
    said = plot.draw(story, axes)
    if plot.over_time:
        axes.set_xlabel("generation")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.margins(x=0.01)
    if plot.over_time and story.n_generations == 1:  # a line of one point shows nothing
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
    if plot.over_time:
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
