"""A config as a TOML file: read, overridden, written."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tomli_w
from pydantic import ValidationError

from evo.checks import must
from experiments.config import Config, ConfigError
from experiments.inputs import anchor
from experiments.mistakes import mistakes

__all__ = ["dump_config", "load_config", "parse_config"]


def dump_config(config: Config) -> str:
    """Return a config as TOML; reading it gives an equal config."""
    return tomli_w.dumps(config.model_dump())


def load_config(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> Config:
    """Return the config in a TOML file.

    Relative paths in it start at its folder; those in `overrides` at the working directory.

    Parameters
    ----------
    path : path
    overrides : sequence of str
        "dotted.key=value" each, the value as TOML writes it (a bare word is a string); an item
        of a list by its number, as in "fitness.0.weight=2".

    Raises
    ------
    ConfigError
        With a line for every mistake: file, dotted key, what was expected, what was there.
    """
    source = os.fspath(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{source}: config must be UTF-8 text, got {error.reason}") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(f"config must be a readable file, got {source!r} ({reason})") from error
    return parse_config(text, source, overrides, Path(path).absolute().parent)


def parse_config(
    text: str,
    source: str = "config",
    overrides: Sequence[str] = (),
    folder: Path | None = None,
) -> Config:
    """Return the config in a TOML text; see `load_config`.

    Relative paths start at `folder`; without one they stay as they are, and so start at the
    working directory.
    """
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{source}: config must be TOML, got {error}") from error
    if folder is not None:
        anchor(tables, folder)
    for override in overrides:
        _override(tables, override)
    try:
        return Config.model_validate(tables)
    except ValidationError as error:
        lines = dict.fromkeys(f"{source}: {line}" for line in mistakes(error))
        raise ConfigError("\n".join(lines)) from error


def _override(tables: dict[str, Any], override: str) -> None:
    key, equals, raw = override.partition("=")
    path = [part.strip() for part in key.split(".")]
    if not equals or not all(path):
        raise ConfigError(str(must("--set", "have the form KEY=VALUE", override)))
    try:
        value = tomllib.loads(f"value = {raw}")["value"]
    except (ValueError, RecursionError):
        value = raw.strip()
    place: Any = tables
    for part in path[:-1]:
        place = _step(place, part, override)
    if isinstance(place, list):
        place[_index(place, path[-1], override)] = value
    else:
        place[path[-1]] = value


def _step(place: Any, part: str, override: str) -> Any:
    if isinstance(place, list):
        found = place[_index(place, part, override)]
    else:
        found = place.setdefault(part, {})
    if not isinstance(found, dict | list):
        raise ConfigError(str(must("--set", "name a key of the config", override)))
    return found


def _index(place: list[Any], part: str, override: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", part) or int(part) >= len(place):
        raise ConfigError(str(must("--set", f"have an index below {len(place)}", override)))
    return int(part)
