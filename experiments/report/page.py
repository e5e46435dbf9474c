"""The page of a report: pictures, curves and tables of a run in one file of HTML."""

from __future__ import annotations

import base64
import hashlib
import html
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import resources
from io import BytesIO
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from PIL import Image

from evo import GENES, N_LEVELS, as_genes
from evo.files import write_atomic
from experiments.config import ConfigError
from experiments.config_file import dump_config
from experiments.problem import Problem
from experiments.report.plots import as_files, as_svg, plots_of
from experiments.report.story import Story, read_story
from render import Recipe, draw, fit
from render.drawing import grow_recipe

__all__ = ["render_page", "write_report"]

STEPS = 7
"""Pictures of a line of descent, the plant itself the last."""

THUMBNAIL = 96
"""Pixels of such a picture."""

_CELL = (16, 11)  # pixels of a heat map's cell


def write_report(run: str | os.PathLike[str], out: str | os.PathLike[str] | None = None) -> Path:
    """Write the report of a run, and its plots as files in the run's folder `plots`.

    Parameters
    ----------
    run : path
        A run directory; the run may not have ended, or still go on.
    out : path, optional
        By default report.html in the run directory. A file of that name is replaced.

    Returns
    -------
    Path
        Of the report: a file that needs nothing else, wherever it is moved.

    Raises
    ------
    RunError, ConfigError
        When it is not a run directory, or a file in it is damaged.
    OSError
        When a file cannot be written.
    """
    story = read_story(Path(run))
    page = render_page(story)
    if story.n_generations:
        folder = story.path / "plots"
        folder.mkdir(exist_ok=True)
        for plot in plots_of(story):
            for name, data in as_files(plot, story).items():
                write_atomic(folder / name, data)
    path = story.path / "report.html" if out is None else Path(out)
    write_atomic(path, page.encode())
    return path


def render_page(story: Story, live: bool = False) -> str:
    """Return the page of a run as HTML.

    Parameters
    ----------
    story : Story
    live : bool
        Whether it asks for itself again and again, as `evogarden run --live` serves it.
    """
    environment = Environment(
        loader=PackageLoader("experiments", "report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    problem = Problem(story.config)
    log = story.log
    last = {name: float(column[-1]) for name, column in log.items()}
    return environment.get_template("page.html").render(
        story=story,
        config=story.config,
        land=_land(problem),
        config_text=dump_config(story.config),
        last=last,
        evaluations=int(log["evaluations"].sum()) if log else 0,
        plots=list(_plots(story)),
        cards=[_card(story, problem, entry) for entry in story.entries],
        versions=_versions(story),
        live=live,
        css=_text("page.css"),
        js=_text("page.js"),
        hashes=[_hash(_text("page.js"))],
    )


def _text(name: str) -> Markup:
    """Return one of our own files, which need no escaping."""
    return Markup((resources.files("experiments") / "report" / name).read_text("utf-8"))  # noqa: S704


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _plots(story: Story) -> Iterator[dict[str, Any]]:
    for plot in plots_of(story) if story.n_generations else ():
        svg, said = as_svg(plot, story)
        yield {"title": plot.title, "svg": Markup(svg), "said": said}  # noqa: S704  # matplotlib escapes


def _land(problem: Problem) -> str | None:
    """Return the land behind the plants, if there is one, as a picture for the page.

    Without a file of heights that is no longer where it was, the report shows the rest.
    """
    try:
        backdrop = problem.backdrop
    except ConfigError:
        return None
    if backdrop is None:
        return None
    buffer = BytesIO()
    Image.fromarray(backdrop).save(buffer, "JPEG", quality=88)
    return _data("image/jpeg", buffer.getvalue())


def _card(story: Story, problem: Problem, entry: dict[str, Any]) -> dict[str, Any]:
    genome = bytes.fromhex(entry["genome"])
    picture = story.picture(entry["rank"])
    line = story.descent(genome)
    n_ancestors, n_founders = story.n_ancestors(genome)
    names = [*story.config.score_names, "frame"]
    seen, unseen = entry["scores"] or {}, entry["unseen_scores"] or {}
    return {
        "rank": entry["rank"],
        "genome": entry["genome"],
        "picture": None if picture is None else _data("image/png", picture),
        "file": f"{story.config.name}-{entry['rank']:03d}.png",
        "score": _values(entry["score"]),
        "unseen": _values(entry["unseen_score"]),
        "rows": [(_breakable(name), seen.get(name), unseen.get(name)) for name in names],
        "generation": entry["generation"],
        "heat": _heat_map(genome),
        "line": _line(problem, line),
        "length": len(line),
        "n_ancestors": n_ancestors,
        "n_founders": n_founders,
    }


def _breakable(name: str) -> Markup:
    """Return the name of a score, which may break after an underscore, a dot or a colon."""
    return Markup("<wbr>").join(re.findall(r"[^_.:]*[_.:]|[^_.:]+", name))  # escapes each


def _values(value: float | Sequence[float] | None) -> list[float]:
    if value is None:
        return []
    return [value] if isinstance(value, int | float) else list(value)


def _line(problem: Problem, line: list[Any]) -> list[dict[str, Any]]:
    """Return some pictures of a line of descent, its first and its last among them."""
    n = len(line)
    picked = sorted({round(i * (n - 1) / (STEPS - 1)) for i in range(STEPS)}) if n else []
    return [
        {
            "generation": line[i][1].generation,
            "operators": line[i][1].operators,
            "picture": _data("image/png", _thumbnail(problem, line[i][0])),
        }
        for i in picked
    ]


def _thumbnail(problem: Problem, genome: bytes) -> bytes:
    config, seed = problem.config, problem.seeds[0]
    size, style = THUMBNAIL, config.picture.style
    small = Recipe(genome, seed, config.plant.max_circles, size, size, 2, (0, 0), style, 2)
    circles = grow_recipe(small)
    if len(circles):
        window = fit(circles, THUMBNAIL, THUMBNAIL, small.style, 2, margin=2)
        small = replace(small, unit=window.unit, root=window.root)
    buffer = BytesIO()
    Image.fromarray(draw(small)).quantize(64).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _data(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _heat_map(genome: bytes) -> Markup:
    """Return a genome as an SVG table, a row for each gene, a column for each level."""
    wide, high = _CELL
    left, top = 84, 14
    cells = [
        f'<text x="{left + wide * level + wide / 2:g}" y="10" text-anchor="middle">{level}</text>'
        for level in range(N_LEVELS)
    ]
    genes = as_genes(genome)
    for index, gene in enumerate(GENES):
        y = top + high * index
        cells.append(
            f'<text x="{left - 6}" y="{y + high - 2}" text-anchor="end">{gene.name}</text>'
        )
        for level, byte in enumerate(genes[:, index].tolist()):
            title = html.escape(f"{gene.name} of level {level}: {byte} ({gene.meaning})")
            cells.append(
                f'<rect x="{left + wide * level}" y="{y}" width="{wide - 1}" height="{high - 1}" '
                f'fill-opacity="{0.04 + 0.96 * byte / 255:.3f}"><title>{title}</title></rect>'
            )
    size = f"{left + wide * N_LEVELS} {top + high * len(GENES)}"
    return Markup(  # noqa: S704  # numbers and our own names
        f'<svg class="heat" viewBox="0 0 {size}" role="img" aria-label="Genome: 18 genes (rows) '
        f'by 10 levels (columns), darker is larger">{"".join(cells)}</svg>'
    )


def _versions(story: Story) -> list[tuple[str, str]]:
    manifest = story.manifest
    rows = [(key, manifest.get(key)) for key in ("evogarden", "growth_model", "python", "platform")]
    rows += sorted(dict(manifest.get("libraries") or {}).items())
    return [(name, str(value)) for name, value in rows if value is not None]
