"""Founders that an earlier run has left: in its pictures, or in its directory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from evo import from_hex
from evo.checks import must
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
    path = run / "hall_of_fame.json"
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["entries"]
        return [from_hex(entry["genome"]) for entry in entries]
    except OSError as error:
        reason = error.strerror or str(error)
        raise must("founders", f"be a run with a hall of fame ({reason})", str(run)) from error
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise must("founders", f"have a whole {path.name} ({error})", str(run)) from error
