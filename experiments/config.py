"""The config of an experiment: its sections and their checks.

A description here is the help text of `evogarden schema` and the row of docs/config.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import (
    Field,
    field_validator,
    model_serializer,
    model_validator,
)

from evo import FOUNDERS
from evo.checks import choice, must
from experiments.section import Section
from experiments.terms import FitnessTerm, GuideTerm
from render import Window
from render.window import check_samples

__all__ = [
    "Config",
    "ConfigError",
    "Evolution",
    "Parallel",
    "Picture",
    "Plant",
    "Terrain",
]

UNIT_PER_PX = 256


class ConfigError(ValueError):
    """A config that cannot be used; the message has a line for each mistake."""


Share = Annotated[float, Field(ge=0, le=1)]


class Evolution(Section):
    """How plants breed."""

    population: int = Field(100, ge=1, le=100_000, description="individuals in a generation")
    generations: int = Field(100, ge=0, description="generations after the founders")
    elites: int = Field(
        2, ge=0, description="best individuals kept unchanged, at most population - 1"
    )
    tournament: int = Field(3, ge=1, le=1000, description="contestants of a tournament")
    crossover: Share = Field(0.9, description="probability that a child has two parents")
    mutation: Share = Field(0.02, description="probability that a byte mutates")
    creep: Share = Field(0.5, description="share of mutated bytes nudged instead of redrawn")
    founders: str | tuple[str, ...] = Field(
        "seedling",
        description="kind of founders, seedling or uniform; or a list of pictures and run "
        "directories, whose plants come first and are filled up with seedlings",
    )
    hall_of_fame: int = Field(12, ge=1, le=1000, description="best plants kept of all")
    search: Literal["ga", "random", "hill", "annealing", "cmaes", "race", "relay", "guided"] = (
        Field(
            "ga",
            description="ga: a genetic algorithm; random: new founders in every generation; hill: "
            "one plant, one mutant a generation; annealing: chains, one mutant of each a "
            "generation; cmaes: an evolution strategy, 19 children a generation (extra "
            "`[cmaes]`); race: runs of cmaes side by side, of which the worse half is dropped "
            "until one is left; relay: annealing first, and cmaes from its best; guided: cmaes "
            "by each `[[guide]]` in turn, and then by the fitness",
        )
    )
    chains: int = Field(
        1, ge=1, le=100_000, description="annealing, relay: chains side by side, at most population"
    )
    temperature: float = Field(
        0.002,
        gt=0,
        le=1000,
        description="annealing, relay: loss of score that is often taken at first",
    )
    cooling: int = Field(
        20_000,
        ge=1,
        description="annealing: evaluations until the temperature is an eighth; race, relay and "
        "guided: the budget that they are laid out for. A race halves its runs after 65 % of it; "
        "in a relay annealing has 12 %, and cools down in them",
    )
    sigma: float | None = Field(
        None,
        ge=1e-6,
        le=255,
        description="cmaes, race, relay, guided: standard deviation of a byte at first; by "
        "default 25, 8 with relay",
    )
    learning: float | None = Field(
        None,
        ge=1e-6,
        le=1000,
        description="cmaes, race, relay, guided: factor of the rates at which the width along "
        "each byte is learned; by default 1 with cmaes, 4 with race, 2 with relay and guided",
    )
    runs: int = Field(2, ge=1, le=1000, description="race: runs at the start")
    fill: Literal["seedling", "children"] = Field(
        "seedling",
        description="what fills the places that a list of founders leaves: seedlings, or children "
        "of the founders",
    )
    objectives: Literal["combined", "pareto"] = Field(
        "combined",
        description="combined: the weighted geometric mean of the scores; pareto: each score for "
        "itself, without weights (NSGA-II), of two scores or more",
    )
    target: float | None = Field(
        None, description="stop when the best reaches it; not with pareto, which has no one best"
    )
    patience: int | None = Field(
        None,
        ge=1,
        description="stop after so many generations without progress; not with pareto",
    )
    min_distance: Share = Field(
        0.0,
        description="least difference between the shapes of two hall-of-fame plants, 0 to 1",
    )
    checkpoint_every: int = Field(1, ge=1, description="generations between two checkpoints")

    @model_validator(mode="after")
    def _of_a_front(self) -> Self:
        if self.objectives == "pareto":
            for key in ("target", "patience"):
                if (value := getattr(self, key)) is not None:
                    raise must(key, "be left out with pareto, which has no one best", value)
            if self.search != "ga":
                raise must("search", "be ga with pareto", self.search)
        if self.fill != "seedling" and isinstance(self.founders, str):
            raise must("fill", "be seedling without a list of founders", self.fill)
        return self

    @field_validator("founders", mode="before")
    @classmethod
    def _known_founders(cls, value: object) -> object:
        if isinstance(value, str):
            return choice("founders", value, FOUNDERS)
        places = value if isinstance(value, list | tuple) else ()
        if places and all(isinstance(place, str) and place for place in places):
            return tuple(places)
        raise must("founders", "be a kind of founders or a list of files", value)

    @model_validator(mode="after")
    def _fitting_search(self) -> Self:
        if self.search != "ga" and not isinstance(self.founders, str):
            raise must("founders", f"be a kind of founders for the search {self.search}", "files")
        if self.search in ("annealing", "relay") and self.chains > self.population:
            raise must("chains", f"be at most population, {self.population}", self.chains)
        return self


class Plant(Section):
    """How plants grow."""

    samples: int = Field(3, ge=1, le=1000, description="growth seeds that a genome is scored on")
    unseen_samples: int = Field(
        8, ge=0, le=1000, description="further growth seeds, for the hall of fame alone"
    )
    risk: float = Field(
        0.0, ge=0, description="standard deviations over the growth seeds that are taken off"
    )
    frame: bool = Field(True, description="count what grows out of the window against a plant")
    max_circles: int = Field(100_000, ge=0, le=10_000_000, description="circles a plant may have")


class Picture(Section):
    """What the scores see, and how the saved pictures look."""

    width: int = Field(256, ge=1, description="pixels")
    height: int = Field(256, ge=1, description="pixels")
    px_per_pixel: float = Field(
        4.0, gt=0, le=4096, description="world px that one pixel shows, in steps of 1/256"
    )
    root: tuple[int, int] | None = Field(
        None, description="column and row of the root; default: middle, 15/16 of the height"
    )
    style: Literal["flat", "volume"] = Field("volume", description="style of saved pictures")
    zoom: int = Field(2, ge=1, description="how many times larger the saved pictures are")
    oversample: int = Field(2, ge=1, description="samples a pixel, each way, of saved pictures")

    @field_validator("root", mode="before")
    @classmethod
    def _pair(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @model_validator(mode="after")
    def _whole_units(self) -> Self:
        unit = self.px_per_pixel * UNIT_PER_PX
        if unit != round(unit):
            raise must("px_per_pixel", "be a multiple of 1/256", self.px_per_pixel)
        fine = self.zoom * self.oversample
        if round(unit) % fine:
            raise must(
                "px_per_pixel * 256", f"be a multiple of zoom * oversample ({fine})", round(unit)
            )
        saved = self.saved_window()
        check_samples(saved.width, saved.height, self.oversample)
        return self

    def window(self) -> Window:
        """Return the window that the scores look through."""
        unit = round(self.px_per_pixel * UNIT_PER_PX)
        if self.root is None:
            return Window(self.width, self.height, unit)
        return Window(self.width, self.height, unit, self.root)

    def saved_window(self) -> Window:
        """Return the window of the saved pictures: the same view, `zoom` times larger."""
        seen, zoom = self.window(), self.zoom
        root = (seen.root[0] * zoom, seen.root[1] * zoom)
        return Window(seen.width * zoom, seen.height * zoom, seen.unit // zoom, root)


class Terrain(Section):
    """What plants stand on, or creep over."""

    kind: Literal["curve", "map", "file"] = Field(
        "curve",
        description="curve: a ground line; map: a map of heights, from 0 to 1; file: a map of "
        "your own, in its own unit. A map is seen from above unless `row` makes it a ground line",
    )
    iterations: int = Field(8, ge=1, le=12, description="levels: 2^iterations + 1 points a side")
    roughness: float = Field(
        1.0,
        ge=0,
        allow_inf_nan=True,  # NaN is not at least 0
        description="0 is the roughest; useful up to 3; inf is the first level alone",
    )
    seed: int = Field(0, ge=0, le=2**64 - 1, description="where its chance comes from")
    variant: Literal["diamond_square", "square_square", "spectral"] = Field(
        "diamond_square", description="how a map is made; square_square for smooth land"
    )
    file: str | None = Field(
        None, description=".png, .npy, .npz, .asc, .tif or .raw, for the kind file"
    )
    array: str | None = Field(None, description="array of an .npz file; default: its only 2D one")
    fill: float | str | None = Field(
        None,
        description="what cells without data become, a height or `nearest`; default: they are "
        "refused",
    )
    row: int | None = Field(None, ge=0, description="row of a map that is the ground line")
    base: Share = Field(0.92, description="row of the lowest ground, as a share of the height")
    amplitude: Share = Field(
        0.35, description="share of the height that the relief takes, at most base"
    )
    places: tuple[Share, ...] | None = Field(
        None,
        description="roots along the ground line, 0 left to 1 right; a plant is scored at each. "
        "Default: one, at the column of picture.root",
    )

    @field_validator("fill", mode="before")
    @classmethod
    def _fill(cls, value: object) -> object:
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            return value
        if isinstance(value, str):
            return choice("fill", value, ["nearest"])
        raise must("fill", "be a height or 'nearest'", value)

    @field_validator("places", mode="before")
    @classmethod
    def _some_places(cls, value: object) -> object:
        if isinstance(value, list) and not value:
            raise must("places", "have at least one place", value)
        return tuple(value) if isinstance(value, list) else value

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        if (self.file is not None) != (self.kind == "file"):
            raise must("file", "be given for the kind file, and for it alone", self.file)
        if self.kind != "file" and (self.array is not None or self.fill is not None):
            raise must("array and fill", "be left out but for the kind file", self.kind)
        if self.kind == "curve" and self.row is not None:
            raise must("row", "be left out for the kind curve", self.row)
        if self.amplitude > self.base:
            raise must("amplitude", f"be at most base, {self.base}", self.amplitude)
        if self.places is not None and not self.is_line:
            raise must("places", "be left out where a map is seen from above", self.places)
        return self

    @property
    def is_line(self) -> bool:
        """Whether it is a ground line, and not a map seen from above."""
        return self.kind == "curve" or self.row is not None


class Parallel(Section):
    """Where the evaluations run; nothing here changes a result."""

    jobs: int = Field(-1, description="processes or threads; -1: as many as there are processors")
    backend: Literal["loky", "threading", "dask", "ray"] = Field(
        "loky", description="processes, threads, or a cluster (extras `[dask]` and `[ray]`)"
    )
    scheduler: str | None = Field(
        None, min_length=1, description="address of a cluster; by default one on this machine"
    )
    kernel: Literal["auto", "numba", "numpy"] = Field(
        "auto", description="auto: numba where it imports"
    )

    @model_validator(mode="after")
    def _scheduler_of_a_cluster(self) -> Self:
        if self.scheduler is not None and self.backend not in ("dask", "ray"):
            raise must("scheduler", "be given with the backend dask or ray alone", self.scheduler)
        return self

    @field_validator("jobs")
    @classmethod
    def _not_zero(cls, value: int) -> int:
        if value == 0:
            raise must("jobs", "be at least 1, or below 0 to count from all processors", value)
        return value

    @property
    def kernel_name(self) -> str | None:
        """The kernel as `render` takes it: None for "auto"."""
        return None if self.kernel == "auto" else self.kernel


class Config(Section):
    """An experiment."""

    name: str = Field(min_length=1, max_length=100, description="name of the run's folder")
    seed: int = Field(ge=0, le=2**64 - 1, description="the one root of all chance")
    evolution: Evolution = Field(Evolution(), description="how plants breed")
    plant: Plant = Field(Plant(), description="how plants grow")
    picture: Picture = Field(Picture(), description="what the scores see")
    terrain: Terrain | None = Field(None, description="what plants stand on")
    fitness: tuple[FitnessTerm, ...] = Field(description="the scores, at least one")
    guide: tuple[GuideTerm, ...] = Field(
        (), description="scores that the search `guided` looks at first, one after the other"
    )
    parallel: Parallel = Field(Parallel(), description="where evaluations run")

    @field_validator("guide", mode="before")
    @classmethod
    def _list_of_guides(cls, value: object) -> object:
        if isinstance(value, dict):
            raise must("guide", "be a list, each score headed [[guide]]", value)
        return tuple(value) if isinstance(value, list) else value

    @field_validator("fitness", mode="before")
    @classmethod
    def _some(cls, value: object) -> object:
        if isinstance(value, dict):
            raise must("fitness", "be a list, each score headed [[fitness]]", value)
        if isinstance(value, list) and not value:
            raise must("fitness", "have at least one score", value)
        return tuple(value) if isinstance(value, list) else value

    @field_validator("name")
    @classmethod
    def _file_name(cls, value: str) -> str:
        bad = [c for c in value if c in '/\\:*?"<>|' or not c.isprintable()]
        if bad or value.startswith(".") or value != value.strip() or value.endswith("."):
            raise must("name", 'be a file name without / \\ : * ? " < > | or outer dots', value)
        return value

    @model_validator(mode="after")
    def _comparable(self) -> Self:
        if self.is_pareto and len(self.fitness) < 2:
            raise must("evolution.objectives", "be combined for a single score", "pareto")
        ends = [term.until for term in self.guide]
        if ends != sorted(set(ends)):
            raise must("guide", "have an `until` above that of the guide before", ends)
        if self.evolution.search == "guided" and not self.guide:
            raise must("guide", "have at least one score for the search guided", [])
        return self

    @property
    def guides(self) -> tuple[GuideTerm, ...]:
        """The guides that the search looks at: none unless it is guided."""
        return self.guide if self.evolution.search == "guided" else ()

    @property
    def is_pareto(self) -> bool:
        """Whether each score is an objective of its own."""
        return self.evolution.objectives == "pareto"

    @property
    def score_names(self) -> tuple[str, ...]:
        """A name for each score: its own, numbered from the second of the same name on."""
        names: list[str] = []
        for term in self.fitness:
            n = sum(name == term.name or name.startswith(f"{term.name}#") for name in names)
            names.append(term.name if n == 0 else f"{term.name}#{n + 1}")
        return tuple(names)

    @model_serializer(mode="wrap")
    def _without_none(self, handler: Any) -> dict[str, Any]:
        plain: dict[str, Any] = _plain(handler(self))
        return plain


def _plain(value: Any) -> Any:
    """Return a dump without the keys that are None, which TOML cannot say, and without tuples."""
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items() if v is not None}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value
