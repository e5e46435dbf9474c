"""Founders that an earlier run has left: in its pictures, or in its directory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evo import from_hex
from experiments.saved import read_hall_of_fame
from render import read_genome

__all__ = ["ancestors"]


def ancestors(places: Sequence[str]) -> list[bytes]:
    """Return the genomes of pictures and of run directories' halls of fame, each once.

    Parameters
    ----------
    places : sequence of str
        PNG files that carry a genome, and run directories, whose best plants come first.

    Raises
    ------
    ValueError
        When one of them cannot be read; the message names it.
    """
    found: list[bytes] = []
    for place in places:
        path = Path(place)
        found += _hall_of_fame(path) if path.is_dir() else [bytes(read_genome(path).genome)]
    return list(dict.fromkeys(found))


def _hall_of_fame(run: Path) -> list[bytes]:
    return [from_hex(entry["genome"]) for entry in read_hall_of_fame(run)["entries"]]
