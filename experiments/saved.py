"""The JSON files of a run, read strictly: by whoever shows, proves, reports or goes on with it.

A file is what a run wrote, or it is refused with the one place that is wrong. What a file says
is checked for its form alone; whether it is true is for `verify` to find out.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from evo import from_hex
from evo.checks import must, number, whole
from experiments.rundir import RunError

__all__ = ["FAME", "read_hall_of_fame", "read_json"]

FAME = "hall_of_fame.json"

MOST = 2**31 - 1
"""Largest rank, generation or growth model: none of them comes near."""


def read_json(path: Path, what: str) -> dict[str, Any]:
    """Return the object in a JSON file of a run.

    Keys stand once, NaN and infinities are no JSON, and text is UTF-8.

    Parameters
    ----------
    path : Path
    what : str
        What the file must be, for messages.

    Raises
    ------
    RunError
        When it cannot be read, or is something else.
    """
    try:
        value = json.loads(
            path.read_text(encoding="utf-8"), object_pairs_hook=_once, parse_constant=_no_number
        )
        if not isinstance(value, dict):
            raise must("the file", "hold a JSON object", value)
        json.dumps(value, ensure_ascii=False).encode()  # refuses half of a surrogate pair
    except OSError as error:
        reason = error.strerror or str(error)
        raise RunError(str(must("run", f"have {what} ({reason})", str(path)))) from error
    except RecursionError as error:
        raise RunError(f"{path} must be {what}, got JSON of too many levels") from error
    except ValueError as error:
        raise RunError(f"{path} must be {what}, got {error}") from error
    return value


def read_hall_of_fame(run: Path) -> dict[str, Any]:
    """Return what the hall_of_fame.json of a run holds.

    Parameters
    ----------
    run : Path
        The run directory.

    Returns
    -------
    dict
        `growth_model`, `name`, `seed`, `growth_seeds`, `unseen_growth_seeds` and `entries`, each
        entry with `rank`, `genome` (hex), `score`, `scores`, `unseen_score`, `unseen_scores`,
        `generation` and `parents`. Keys beyond these are left as they are.

    Raises
    ------
    RunError
        When there is none, or a part of it is missing or of another kind.
    """
    path = run / FAME
    fame = read_json(path, "a whole hall of fame")
    try:
        _check(fame, "", _FAME)
        for index, entry in enumerate(fame["entries"]):
            _check(entry, f"entries.{index}", _ENTRY)
    except ValueError as error:
        raise RunError(
            f"{path} must be a whole hall of fame, got a damaged one: {error}"
        ) from error
    return fame


Check = Callable[[str, Any], object]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise must("a key", "stand once", next(key for key in keys if keys.count(key) > 1))
    return value


def _no_number(word: str) -> NoReturn:
    raise must("a number", "be finite", word)


def _check(value: Any, where: str, checks: dict[str, Check]) -> None:
    """Check a JSON object key by key; `where` is its own dotted key."""
    if not isinstance(value, dict):
        raise must(where, "be a JSON object", value)
    for key, check in checks.items():
        name = f"{where}.{key}" if where else key
        if key not in value:
            raise must(name, "be there", list(value))
        check(name, value[key])


def _text(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise must(name, "be a text", value)


def _hex(name: str, value: Any) -> None:
    _text(name, value)
    try:
        from_hex(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _count(low: int) -> Check:
    return lambda name, value: whole(name, value, low, MOST)


def _list(check: Check) -> Check:
    def every(name: str, value: Any) -> None:
        if not isinstance(value, list):
            raise must(name, "be a list", value)
        for index, item in enumerate(value):
            check(f"{name}.{index}", item)

    return every


def _score(name: str, value: Any) -> None:
    """Check a score, or the list of them that several objectives give."""
    if isinstance(value, list) and value:
        _list(number)(name, value)
    else:
        number(name, value)


def _or_null(check: Check) -> Check:
    return lambda name, value: None if value is None else check(name, value)


def _scores(name: str, value: Any) -> None:
    if not isinstance(value, dict):
        raise must(name, "be a JSON object", value)
    for key, item in value.items():
        _or_null(number)(f"{name}.{key}", item)


_FAME: dict[str, Check] = {
    "growth_model": _count(0),
    "name": _text,
    "seed": _text,
    "growth_seeds": _list(_text),
    "unseen_growth_seeds": _list(_text),
    "entries": _list(lambda name, value: None),
}
_ENTRY: dict[str, Check] = {
    "rank": _count(1),
    "genome": _hex,
    "score": _score,
    "scores": _or_null(_scores),
    "unseen_score": _or_null(_score),
    "unseen_scores": _or_null(_scores),
    "generation": _count(0),
    "parents": _list(_hex),
}
