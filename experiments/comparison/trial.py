"""One search on one seed: how its best rises with each evaluation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evo import evolve, to_hex
from evo.checks import must
from experiments.config import Config
from experiments.config_file import parse_config
from experiments.inputs import digests
from experiments.problem import Problem
from experiments.searches import make_strategy
from render import GROWTH_MODEL

__all__ = ["Trial", "identity", "run_trial"]

STANDSTILL = 1000
"""Generations without anything new to evaluate after which a search has ended."""


@dataclass(frozen=True)
class Trial:
    """What a search came to with a seed.

    Parameters
    ----------
    label : str
        The contender's.
    seed : int
    evaluations : int
        The budget.
    steps : tuple of (int, float)
        Each evaluation that raised the best, counted from 1, and the best from then on. Empty
        when no fitness was finite.
    genome : str
        The best one, as hexadecimal digits.
    identity : str
        What the result depends on, as a SHA-256; see `identity`.
    """

    label: str
    seed: int
    evaluations: int
    steps: tuple[tuple[int, float], ...]
    genome: str
    identity: str

    @property
    def best(self) -> float:
        """The fitness at the end; below all others when none was finite."""
        return self.steps[-1][1] if self.steps else float("-inf")

    def best_at(self, evaluations: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the best after so many evaluations, float64; NaN where there was none yet."""
        when = np.array([0, *(at for at, _ in self.steps)])
        best = np.array([np.nan, *(value for _, value in self.steps)])
        return np.asarray(best[np.searchsorted(when, evaluations, side="right") - 1], np.float64)

    def evaluations_to(self, level: float) -> float:
        """Return the evaluation that reached a level, infinite when none did."""
        return next((at for at, value in self.steps if value >= level), float("inf"))

    def to_json(self) -> bytes:
        """Return it as a file."""
        return (json.dumps(asdict(self), indent=1) + "\n").encode()

    @classmethod
    def from_json(cls, data: bytes) -> Trial:
        """Return what a file holds; ValueError when that is no trial."""
        try:
            fields: dict[str, Any] = json.loads(data)
            steps = tuple((int(at), float(value)) for at, value in fields.pop("steps"))
            return cls(**fields, steps=steps)
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            raise must("trial", "be a file that a comparison made", f"({error})") from error


def identity(config: Config, evaluations: int) -> str:
    """Return a SHA-256 of all that a trial's result depends on: not where it is evaluated."""
    unused = {"parallel"} if config.guides else {"parallel", "guide"}
    tables = config.model_dump(exclude=unused)
    tables["evolution"] = {
        key: value
        for key, value in tables["evolution"].items()
        if key not in ("generations", "checkpoint_every", "hall_of_fame", "min_distance")
    }
    tables["picture"] = {
        key: value
        for key, value in tables["picture"].items()
        if key not in ("style", "zoom", "oversample")
    }
    what = [tables, evaluations, GROWTH_MODEL, digests(config)]
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


class _Best:
    """Combines tables of scores, and notes which evaluation raised the best."""

    def __init__(self, problem: Problem, evaluations: int) -> None:
        self.problem = problem
        self.budget = evaluations
        self.done = 0
        self.steps: list[tuple[int, float]] = []
        self.genome = b""
        self._genomes: list[bytes] = []

    def evaluate(self, genomes: Sequence[bytes]) -> NDArray[np.float64]:
        self._genomes = list(genomes[: self.budget - self.done])
        return self.problem.evaluator(genomes)

    def combine(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        values = self.problem.combine(table)
        for genome, value in zip(self._genomes, values.tolist(), strict=False):
            self.done += 1
            if np.isfinite(value) and (not self.steps or value > self.steps[-1][1]):
                self.steps.append((self.done, value))
                self.genome = genome
        return values


def run_trial(label: str, text: str, evaluations: int) -> Trial:
    """Return how a search fares with a budget.

    Parameters
    ----------
    label : str
    text : str
        The config, as TOML.
    evaluations : int
        The budget, founders included. Of a generation that goes beyond it, only the first
        individuals count.

    Raises
    ------
    EvaluationError
        When a score raises.
    """
    config = parse_config(text, label)
    problem = Problem(config)
    problem.prepare()
    best = _Best(problem, evaluations)
    before, standing = 0, 0
    for _ in evolve(
        best.evaluate,
        make_strategy(config),
        seed=config.seed,
        generations=10**9,
        combine=best.combine,
        hall_of_fame=1,
    ):
        standing = standing + 1 if best.done == before else 0
        before = best.done
        if best.done >= evaluations or standing > STANDSTILL:
            break
    return Trial(
        label,
        config.seed,
        evaluations,
        tuple(best.steps),
        to_hex(best.genome) if best.genome else "",
        identity(config, evaluations),
    )
