"""What the kinds of clusters share: what they offer, and what their workers do."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, TypeAlias

import cloudpickle

from evo.scoring import Evaluate, EvaluationError

__all__ = ["CONNECTING", "Cluster", "ClusterError", "Work", "at_worker"]

CONNECTING = 5.0
"""Seconds in which a scheduler has to answer."""

Work: TypeAlias = Callable[[Evaluate, Sequence[bytes]], Any]
"""What a worker does with the evaluation and a chunk of genomes."""

_unpacked: dict[str, Evaluate] = {}
"""In a worker: evaluations by pool, the newest last."""

_KEPT = 4
"""Evaluations that a worker keeps: as many runs share it without unpacking anew."""


class ClusterError(EvaluationError):
    """A cluster cannot be reached, went away, or lost its workers again and again."""


class Cluster(Protocol):
    """A place that evaluates chunks."""

    @property
    def cores(self) -> int:
        """Chunks that it works on at a time."""

    def submit(self, chunk: Sequence[bytes]) -> Future[Any]:
        """Return the outcome to come of a chunk."""

    def look(self) -> None:
        """Raise ClusterError when it is gone."""

    def close(self) -> None:
        """Let go of it, and end what was started with it."""


def at_worker(pool: str, packed: bytes, genomes: Sequence[bytes], work: Work) -> tuple[str, Any]:
    """Return who evaluated and the outcome, in a worker."""
    name = f"{socket.gethostname()}:{os.getpid()}"
    if pool not in _unpacked:
        try:
            _unpacked[pool] = cloudpickle.loads(packed)
        except Exception as error:  # noqa: BLE001  # raised by the run
            return name, ClusterError(
                f"worker {name} cannot load the evaluation; the packages that it uses must be "
                f"installed there: {type(error).__name__}: {error}"
            )
        for old in list(_unpacked)[:-_KEPT]:
            _unpacked.pop(old, None)
    return name, work(_unpacked[pool], genomes)
