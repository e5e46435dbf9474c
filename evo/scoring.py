"""Evaluation as a function: what the loop is handed, what it may return, how it may fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from evo.checks import FAILURES, as_float, must

__all__ = [
    "Combine",
    "Evaluate",
    "EvaluationError",
    "GenomeError",
    "as_table",
    "attempt",
    "each",
    "name_of",
]

Evaluate: TypeAlias = Callable[[Sequence[bytes]], NDArray[np.float64]]
"""From n genomes to a float64 table whose first axis is n."""

Combine: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""From such a table to the fitness, float64 (n,) or (n, objectives)."""


class EvaluationError(RuntimeError):
    """An evaluation failed; the message names the generation, the cause is chained."""


class GenomeError(EvaluationError):
    """An evaluation failed at one genome of a batch.

    Parameters
    ----------
    index : int
        Of the genome in the batch.
    genome : bytes
    reason : str
        What was raised.
    """

    def __init__(self, index: int, genome: bytes, reason: str) -> None:
        super().__init__(index, genome, reason)
        self.index = index
        self.genome = genome
        self.reason = reason

    def __str__(self) -> str:
        return f"index {self.index}, genome {self.genome.hex()}: {self.reason}"


def name_of(function: Callable[..., Any]) -> str:
    """Return the name by which messages call a function."""
    return str(getattr(function, "__qualname__", type(function).__qualname__))


def each(score: Callable[[bytes], Any]) -> Evaluate:
    """Return an evaluation of many genomes from a score of one.

    Parameters
    ----------
    score : callable
        From 180 bytes to an int, a float, a numpy scalar or a 0-d array of a real number.
        Anything else that it returns is an error that names it.
    """
    name = name_of(score)

    def evaluate(genomes: Sequence[bytes]) -> NDArray[np.float64]:
        return np.array([as_float(name, score(genome)) for genome in genomes], np.float64)

    return evaluate


def as_table(name: str, value: object, n: int) -> NDArray[np.float64]:
    """Return what an evaluation or a combination of n genomes gave, as a float64 table of its own.

    Raises
    ------
    ValueError
        If it is not an array of real numbers with a first axis of n; the message has the name.
    """
    table = np.array(value)
    if table.ndim < 1 or len(table) != n or table.dtype.kind not in "iuf":
        raise must(name, f"return numbers with a first axis of {n}", value)
    return table.astype(np.float64, copy=False)


def attempt(evaluate: Evaluate, genomes: Sequence[bytes]) -> NDArray[np.float64]:
    """Return the checked table of some genomes, or say which of them failed.

    Where a batch fails, its genomes are tried one at a time until one fails in the same way.

    Raises
    ------
    GenomeError
        When a genome alone fails as the batch did.
    Exception
        What `evaluate` raised, when none does; EvaluationError when it exited, ValueError when it
        returned no such table.
    """
    try:
        return as_table(name_of(evaluate), evaluate(genomes), len(genomes))
    except EvaluationError:
        raise
    except FAILURES as error:
        said = _said(error)
        for index, genome in enumerate(genomes):
            try:
                evaluate([genome])
            except FAILURES as alone:
                if _said(alone) == said:
                    raise GenomeError(index, genome, said) from error
        if isinstance(error, Exception):
            raise
        raise EvaluationError(said) from error


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
