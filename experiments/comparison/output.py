"""What a comparison leaves: a table, the curves, the best plants, and the numbers behind them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence

import numpy as np
from PIL import Image

from evo import from_hex
from evo.files import write_atomic
from experiments.comparison.compare import Comparison, Row, rank_sum
from experiments.comparison.trial import Trial
from experiments.problem import Problem
from experiments.report.plots import INK, SERIES
from experiments.sheet import contact_sheet
from render.png import encode_png

__all__ = ["COLUMNS", "cells", "write"]

COLUMNS = ("search", "median", "quartiles", "best", "reached", "evaluations", "p", "wins")
"""Of the table."""

_POINTS = 400
"""Points of a curve."""


def cells(row: Row, n_trials: int) -> list[str]:
    """Return a row of the table as texts."""
    leads = math.isnan(row.p)
    return [
        row.label,
        f"{row.median:.4f}",
        f"{row.lower:.4f} to {row.upper:.4f}",
        f"{row.best:.4f}",
        f"{row.reached}/{n_trials}",
        f"{row.evaluations:.0f}" if math.isfinite(row.evaluations) else "-",
        "" if leads else (f"{row.p:.3f}" if row.p >= 0.001 else f"{row.p:.0e}"),
        "" if leads else f"{row.wins:.2f}",
    ]


def write(comparison: Comparison) -> None:
    """Write all files of a comparison into its folder.

    table.md, trials.csv, pairs.csv, curves.svg and .png, and the best plant of each search.
    """
    path = comparison.path
    write_atomic(path / "table.md", _markdown(comparison).encode())
    write_atomic(path / "trials.csv", _csv(_trials(comparison)))
    write_atomic(path / "pairs.csv", _csv(_pairs(comparison)))
    for name, content in _curves(comparison).items():
        write_atomic(path / name, content)
    _plants(comparison)


def _markdown(comparison: Comparison) -> str:
    rows = comparison.rows()
    n = len(comparison.trials[0])
    config = comparison.contenders[0].config
    seeds = f"seed {config.seed}" if n == 1 else f"seeds {config.seed} to {config.seed + n - 1}"
    lines = [
        f"# {config.name}: searches compared",
        "",
        f"{comparison.evaluations} evaluations each, {seeds}.",
        "",
        f"| {' | '.join(COLUMNS)} |",
        f"| --- |{' ---: |' * (len(COLUMNS) - 1)}",
        *(f"| {' | '.join(cells(row, n))} |" for row in rows),
        "",
        f"reached: trials that came to {comparison.level:.4f}; evaluations: the median of what "
        "that took.",
        f"p: two-sided rank-sum test (Mann and Whitney) against {rows[0].label}; wins: the share "
        "of pairs of trials that the search wins against it.",
    ]
    return "\n".join(lines) + "\n"


def _trials(comparison: Comparison) -> Iterable[Sequence[object]]:
    yield "search", "seed", "best", f"evaluations_to_{comparison.level:.4f}", "genome"
    for trial in _flat(comparison):
        when = trial.evaluations_to(comparison.level)
        reached = int(when) if math.isfinite(when) else ""
        yield trial.label, trial.seed, trial.best, reached, trial.genome


def _pairs(comparison: Comparison) -> Iterable[Sequence[object]]:
    yield "a", "b", "median_a", "median_b", "p", "wins_of_a"
    for i, one in enumerate(comparison.trials):
        for other in comparison.trials[i + 1 :]:
            a, b = ([trial.best for trial in trials] for trials in (one, other))
            yield (
                one[0].label,
                other[0].label,
                float(np.median(a)),
                float(np.median(b)),
                *rank_sum(a, b),
            )


def _flat(comparison: Comparison) -> list[Trial]:
    return [trial for trials in comparison.trials for trial in trials]


def _csv(rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _curves(comparison: Comparison) -> dict[str, bytes]:
    """Return the plot of medians and quartiles over the budget, as SVG and PNG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure  # imported late: it takes a second
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    first = min(20, comparison.evaluations)
    x = np.unique(np.geomspace(first, comparison.evaluations, _POINTS).round().astype(np.int64))
    files = {}
    with mpl.rc_context({"svg.hashsalt": "curves", "svg.fonttype": "none"}):
        figure = Figure(figsize=(7.2, 4.2), layout="constrained")
        axes = figure.subplots()
        order = [row.label for row in comparison.rows()]
        for rank, label in enumerate(order):
            index = [one.label for one in comparison.contenders].index(label)
            curves = np.array([trial.best_at(x) for trial in comparison.trials[index]])
            lower, median, upper = np.quantile(curves, [0.25, 0.5, 0.75], axis=0)
            color = SERIES[index % len(SERIES)]
            axes.fill_between(x, lower, upper, color=color, alpha=0.14, lw=0)
            on_top = len(order) - rank + 2
            axes.plot(x, median, color=color, lw=1.8, label=label, zorder=on_top)
        axes.axhline(comparison.level, color=INK, lw=0.8, ls=(0, (2, 3)), alpha=0.6)
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_xlabel("evaluations", color=INK)
        axes.set_ylabel("best so far: median and quartiles", color=INK)
        axes.set_title(
            comparison.contenders[0].config.name, color=INK, loc="left", parse_math=False
        )
        axes.grid(visible=True, color=INK, alpha=0.14, lw=0.7)
        axes.margins(x=0)
        for side, spine in axes.spines.items():
            spine.set_visible(side in ("left", "bottom"))
            spine.set_color(INK)
        axes.tick_params(which="both", colors=INK, labelsize=9)
        legend = axes.legend(frameon=False, labelcolor=INK, fontsize=9, loc="lower right")
        for text in legend.get_texts():
            text.set_parse_math(False)
        for ending, metadata in (("svg", {"Date": None}), ("png", {})):
            buffer = io.BytesIO()
            figure.savefig(buffer, format=ending, dpi=160, facecolor="white", metadata=metadata)
            files[f"curves.{ending}"] = buffer.getvalue()
    return files


def _plants(comparison: Comparison) -> None:
    """Write the best plant of each search, and all of them on one sheet."""
    folder = comparison.path / "best"
    folder.mkdir(exist_ok=True)
    pictures, labels = [], []
    for contender, trials in zip(comparison.contenders, comparison.trials, strict=True):
        best = max(trials, key=lambda trial: trial.best)
        if not best.genome:
            continue
        problem = Problem(contender.with_seed(best.seed))
        recipe = problem.recipe(from_hex(best.genome))
        picture = problem.draw(recipe)
        name = f"{contender.file_name}.png"
        write_atomic(folder / name, encode_png(Image.fromarray(picture), recipe))
        pictures.append(picture)
        labels.append(f"{contender.label}    {best.best:.3f}")
    if pictures:
        contact_sheet(comparison.path / "plants.png", pictures, labels)
