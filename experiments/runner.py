"""Running an experiment: the loop, driven, saved and shown.

The results depend on the config alone; where and how evaluations run changes nothing.
"""

from __future__ import annotations

import html
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from evo import Checkpoint, Entry, Generation, Pool, Strategy, evolve
from evo.checks import must
from evo.clusters import needs_package
from experiments.config import Config, ConfigError
from experiments.config_file import dump_config, parse_config
from experiments.fame import Gallery
from experiments.inputs import changed_files, digests, rooted
from experiments.notebook import gallery
from experiments.problem import Problem
from experiments.progress import Reporter, Silent
from experiments.rundir import RunDirectory
from experiments.searches import SEARCHES, make_strategy
from render import default_kernel

__all__ = ["Result", "resume", "run"]

_log = logging.getLogger(__name__)

Watch: TypeAlias = Callable[[Path], AbstractContextManager[Any]]
"""Something that follows a run from its directory."""

SHOW_EVERY = 10.0
"""Seconds between two looks at the hall of fame while a run goes."""


@dataclass(frozen=True)
class Result:
    """What a run came to.

    Parameters
    ----------
    path : Path
        Its directory.
    generation : Generation
        The last one.
    """

    path: Path
    generation: Generation

    @property
    def hall_of_fame(self) -> tuple[Entry, ...]:
        """The best individuals of all generations, best first."""
        return self.generation.hall_of_fame

    @property
    def contact_sheet(self) -> Path:
        """The picture of all of them."""
        return self.path / "contact_sheet.png"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the hall of fame, side by side."""
        pictures = []
        for rank, entry in enumerate(self.hall_of_fame, 1):
            path = self.path / "hall_of_fame" / f"{rank:03d}.png"
            if path.is_file():
                scores = " ".join(f"{value:.4f}" for value in entry.values)
                pictures.append((path.read_bytes(), f"{rank}: {scores}"))
        where = html.escape(f"generation {self.generation.number}, {self.path}")
        return f"{gallery(pictures)}<p>{where}</p>"


def run(
    config: Config,
    out: str | os.PathLike[str] | None = None,
    report: Reporter | None = None,
    watch: Watch | None = None,
) -> Result:
    """Run an experiment from its founders to its end, and return what it came to.

    Parameters
    ----------
    config : Config
    out : path, optional
        The run directory, which must not exist; by default runs/NAME-SEED or the next free one.
    report : Reporter, optional
        By default silent.
    watch : callable, optional
        From the run directory to a context manager that is open while the run goes.

    Raises
    ------
    RunError
        When the directory cannot be made.
    EvaluationError, WorkerError
        When a score raises, or worker processes die twice; the last checkpoint stands.
    """
    config = rooted(config)
    _installed(config)
    problem = Problem(config)
    reporter = report or Silent()
    for note in problem.prepare():
        reporter.say(note)
    strategy = make_strategy(config)
    directory = RunDirectory.create(config, out)
    reporter.say(f"run directory: {directory.path}")
    with directory.locked(), (watch or nullcontext)(directory.path):
        directory.write_manifest(config.parallel.model_dump())
        return _drive(problem, strategy, directory, None, reporter)


def resume(
    run_dir: str | os.PathLike[str],
    *,
    generations: int | None = None,
    jobs: int | None = None,
    backend: str | None = None,
    kernel: str | None = None,
    scheduler: str | None = None,
    report: Reporter | None = None,
    watch: Watch | None = None,
) -> Result:
    """Go on with a run from its last checkpoint, and return what it came to.

    The result is that of a run that never stopped.

    Parameters
    ----------
    run_dir : path
    generations : int, optional
        A later end than the config's.
    jobs, backend, kernel, scheduler : optional
        Where evaluations run from now on.
    report : Reporter, optional
    watch : callable, optional
        As in `run`.

    Raises
    ------
    RunError, CheckpointError, ConfigError
        When there is nothing to go on with, or the end would be earlier than it was.
    """
    directory = RunDirectory(run_dir)
    reporter = report or Silent()
    with directory.locked():
        checkpoint = directory.load()
        config = _continued(directory, checkpoint, generations)
        changes = {"jobs": jobs, "backend": backend, "kernel": kernel, "scheduler": scheduler}
        given = [f"parallel.{k}={v}" for k, v in changes.items() if v is not None]
        text = dump_config(_without_scheduler(config) if backend is not None else config)
        here = parse_config(text, "resume", given)
        _installed(here)
        start = checkpoint.generation if checkpoint else None
        if start is None:
            reporter.say("there is no checkpoint: the run begins anew")
        strategy = make_strategy(here, needs_founders=start is None)
        problem = Problem(here)
        for text in (*problem.prepare(), *directory.rewind(checkpoint)):
            reporter.say(text)
        directory.write_config(config)
        directory.write_manifest(config.parallel.model_dump())
        with (watch or nullcontext)(directory.path):
            return _drive(problem, strategy, directory, start, reporter)


def _without_scheduler(config: Config) -> Config:
    """Return the config for another backend, whose cluster is not the old one's."""
    parallel = config.parallel.model_copy(update={"scheduler": None})
    return config.model_copy(update={"parallel": parallel})


def _installed(config: Config) -> None:
    """Refuse a backend whose package is not installed here, before anything is made."""
    backend = config.parallel.backend
    missing = needs_package(backend)
    if missing:
        what = must("parallel.backend", f"have its package installed ({missing})", backend)
        raise ConfigError(str(what))


def _continued(
    directory: RunDirectory, checkpoint: Checkpoint | None, generations: int | None
) -> Config:
    """Return the run's config with a later end, or refuse what else has changed in it."""
    config = directory.config()
    if generations is not None:
        override = f"evolution.generations={generations}"
        config = parse_config(dump_config(config), "resume", [override])
    if checkpoint is None:
        return config
    before, now = _flat(checkpoint.extra["config"]), _flat(config.model_dump())
    lines = [
        f"{directory.path / 'config.toml'}: {key} must stay {before.get(key)!r} "
        f"as the run began, got {now.get(key)!r}"
        for key in sorted(before.keys() | now.keys())
        if before.get(key) != now.get(key)
        and not key.startswith("parallel.")
        and key != "evolution.generations"
    ]
    lines += changed_files(config, checkpoint.extra.get("inputs", {}))
    end = before["evolution.generations"]
    if config.evolution.generations < end:
        lines.append(
            str(must("evolution.generations", f"be at least {end}", config.evolution.generations))
        )
    if lines:
        raise ConfigError("\n".join(lines))
    return config


def _flat(value: Any, key: str = "") -> dict[str, Any]:
    """Return nested tables and lists as one dict of dotted keys."""
    if isinstance(value, Mapping):
        parts = [(str(name), item) for name, item in value.items()]
    elif isinstance(value, list):
        parts = [(str(index), item) for index, item in enumerate(value)]
    else:
        return {key: value}
    flat: dict[str, Any] = {}
    for name, item in parts:
        flat |= _flat(item, f"{key}.{name}" if key else name)
    return flat


def _drive(
    problem: Problem,
    strategy: Strategy,
    directory: RunDirectory,
    start: Generation | None,
    report: Reporter,
) -> Result:
    config = problem.config
    evolution = config.evolution
    dumped, inputs = config.model_dump(), digests(config)
    gallery = Gallery(problem, directory)
    last = start
    shown = time.monotonic()
    with (
        _reporting(report, start, config),
        Pool(
            problem.evaluator,
            config.parallel.jobs,
            config.parallel.backend,
            report.evaluated,
            config.parallel.scheduler,
        ) as pool,
    ):
        kernel = config.parallel.kernel_name or default_kernel()
        report.say(f"evaluating: {pool.place}, kernel {kernel}")
        generations = evolve(
            pool,
            strategy,
            seed=config.seed,
            generations=evolution.generations,
            combine=problem.combine,
            score_names=config.score_names,
            hall_of_fame=evolution.hall_of_fame,
            distance=problem.distance,
            min_distance=evolution.min_distance,
            target=evolution.target,
            patience=evolution.patience,
            start=start,
        )
        try:
            began = time.monotonic()
            for generation in generations:
                directory.append(generation, time.monotonic() - began)
                last = generation
                report.generation(generation)
                if generation.number % evolution.checkpoint_every == 0 or generation.stop:
                    directory.save(dumped, inputs)
                    if generation.number == 0 or time.monotonic() - shown > SHOW_EVERY:
                        gallery.write(generation.hall_of_fame)
                        shown = time.monotonic()
                began = time.monotonic()
        except BaseException:
            pool.kill()
            with _said("the last generation could not be saved"):
                directory.save(dumped, inputs)
            raise
    if last is None:
        raise RuntimeError("a run has at least one generation")
    if last is start:
        report.say("nothing was left to do; --generations N goes on to a later end")
    gallery.write(last.hall_of_fame)
    return Result(directory.path, last)


@contextmanager
def _said(what: str) -> Iterator[None]:
    """Log an error of the disk instead of raising it, while another one is on its way."""
    try:
        yield
    except OSError as error:
        _log.warning("%s: %s", what, error)


@contextmanager
def _reporting(report: Reporter, start: Generation | None, config: Config) -> Iterator[None]:
    first = 0 if start is None else start.number + 1
    evolution = config.evolution
    report.begin(first, evolution.generations, SEARCHES[evolution.search].children(evolution))
    try:
        yield
    finally:
        report.end()
