"""From a batch of genomes to a table of scores: what a worker does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evo.checks import FAILURES, must, whole
from evo.genome import to_hex
from fitness.base import NEEDS, Score
from fitness.combining import frame_factor
from fitness.scene import Scene
from render import MAX_CIRCLES, Window, grow, rasterize, silhouettes_and_words, summarize

__all__ = ["Evaluator", "ScoreError"]

_FROM_MASK = frozenset({"mask", "summary", "ground", "heights"})
_PIXELS_AT_ONCE = 2**24  # of the silhouettes of one genome in memory


class ScoreError(RuntimeError):
    """A score that raised an exception.

    Parameters
    ----------
    score : str
        Its name.
    index : int
        Position of the genome in its batch.
    genome : str
        360 hex digits.
    reason : str
        The exception, as "Type: message".
    """

    def __init__(self, score: str, index: int, genome: str, reason: str) -> None:
        super().__init__(score, index, genome, reason)
        self.score = score
        self.index = index
        self.genome = genome
        self.reason = reason

    def __str__(self) -> str:
        # Without index and genome, so that the same failure says the same wherever it stands in
        # a batch; whoever evaluates batches adds them.
        return f"score {self.score} raised {self.reason}"


@dataclass(frozen=True, eq=False)
class Evaluator:
    """A function from genomes to their scores, the same on every worker.

    It can be pickled where its scores can; bytes go in, floats come out.

    Parameters
    ----------
    scores : sequence of scores
        At least one, of `make_score`, `SCORES` or `OwnScore`.
    window : render.Window
    seeds : sequence of int
        Growth seeds, at least one: the samples of `growth_seeds`.
    max_circles : int
    frame : bool
        Whether the last column is the frame factor; otherwise it is 1, or 0 for an empty plant.
    ground, heights : arrays, optional
        See `Scene`.
    kernel : {"numba", "numpy"}, optional
    guides : sequence of scores
        Further scores, which a search looks at and the fitness does not.

    Attributes
    ----------
    notes : tuple of str
        What the user should be told before the run, such as that a target was resized.

    Raises
    ------
    ValueError
        If a score needs what is not there, or no plant could ever score.
    """

    scores: Sequence[Score]
    window: Window
    seeds: Sequence[int] = (0,)
    max_circles: int = MAX_CIRCLES
    frame: bool = True
    ground: NDArray[Any] | None = None
    heights: NDArray[Any] | None = None
    kernel: str | None = None
    guides: Sequence[Score] = ()
    notes: tuple[str, ...] = field(init=False)
    _blank: Scene = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("scores", "seeds"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
            if not getattr(self, name):
                raise must(name, "hold at least one", getattr(self, name))
        object.__setattr__(self, "guides", tuple(self.guides))
        seeds = tuple(whole("seed", seed, 0, 2**64 - 1) for seed in self.seeds)
        object.__setattr__(self, "seeds", seeds)
        blank = Scene(
            mask=np.zeros((self.window.height, self.window.width), np.bool_),
            root=self.window.root,
            unit=self.window.unit,
            ground=self.ground,
            heights=self.heights,
        )
        object.__setattr__(self, "_blank", blank)
        # The scene's own read-only views, so that what was prepared for them is found again.
        object.__setattr__(self, "ground", blank.ground)
        object.__setattr__(self, "heights", blank.heights)
        notes: list[str] = []
        for score in self.columns:
            for part in ("ground", "heights"):
                if part in score.needs and getattr(self, part) is None:
                    raise must(
                        f"fitness {score.name}",
                        f"have {part} to look at (a config's [terrain])",
                        None,
                    )
            notes.extend(score.prepare(blank))
        if not any(getattr(score, "alone", True) for score in self.scores):
            names = " and ".join(score.name for score in self.scores)
            notes.append(f"{names} alone can be cheated: add a score such as coverage or symmetry")
        object.__setattr__(self, "notes", tuple(notes))

    @property
    def columns(self) -> tuple[Score, ...]:
        """The scores, and then the guides, as they stand in a table."""
        return (*self.scores, *self.guides)

    @property
    def needs(self) -> frozenset[str]:
        """Parts of a scene that its scores and guides read together."""
        return frozenset[str]().union(*(score.needs for score in self.columns)) & NEEDS

    def scenes(self, genome: bytes) -> Iterator[Scene]:
        """Yield the scenes of a genome, one a growth seed, with what the scores need alone."""
        if not self.needs <= _FROM_MASK:
            for seed in self.seeds:
                yield self._colored(genome, seed)
            return
        window = self.window
        at_once = max(1, _PIXELS_AT_ONCE // (window.width * window.height))
        for first in range(0, len(self.seeds), at_once):
            seeds = self.seeds[first : first + at_once]
            drawn = silhouettes_and_words(genome, seeds, window, self.max_circles, self.kernel)
            for mask, words, summary in zip(*drawn, strict=True):
                yield self._blank.with_plant(mask, words=words, summary=summary)

    def _colored(self, genome: bytes, seed: int) -> Scene:
        """Return the scene of one plant with its circles, and colors where a score needs them."""
        window = self.window
        circles = grow(genome, seed, self.max_circles, self.kernel)
        summary = summarize(circles, window)
        style = "flat" if "rgba" in self.needs else "mask"
        size = (window.width, window.height, window.unit, window.root)
        picture = rasterize(circles, *size, style=style, kernel=self.kernel)
        mask = picture.view(np.bool_) if style == "mask" else picture[:, :, 3] == 255
        rgba = None if style == "mask" else picture
        picture.flags.writeable = mask.flags.writeable = False
        return self._blank.with_plant(mask, rgba=rgba, circles=circles, summary=summary)

    def __call__(self, genomes: Sequence[bytes]) -> NDArray[np.float64]:
        """Return the table of scores of a batch.

        Parameters
        ----------
        genomes : sequence of n genomes, 180 bytes each

        Returns
        -------
        float64 array of shape (n, samples, k + g + 1): k scores, g guides, and last the frame
        factor.

        Raises
        ------
        ScoreError
            If a score raises an exception.
        """
        columns = self.columns
        table = np.zeros((len(genomes), len(self.seeds), len(columns) + 1))
        for index, genome in enumerate(genomes):
            for sample, scene in enumerate(self.scenes(genome)):
                row = table[index, sample]
                for column, score in enumerate(columns):
                    try:
                        row[column] = score(scene)
                    except FAILURES as error:
                        reason = f"{type(error).__name__}: {error}"
                        raise ScoreError(score.name, index, to_hex(genome), reason) from error
                if scene.area:
                    row[-1] = self._frame(scene)
        return table

    def _frame(self, scene: Scene) -> float:
        if not self.frame or scene.summary is None:
            return 1.0
        return frame_factor(scene.summary)
