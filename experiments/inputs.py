"""Files that a config names: where they are, and whether they are what they were.

In a config file a relative path starts at the folder of that file; in a config that a program
makes, at the working directory. A run keeps absolute paths and the files' SHA-256.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from experiments.config import Config, ConfigError

__all__ = ["anchor", "changed_files", "digests", "rooted"]


def anchor(tables: Any, folder: Path) -> None:
    """Make relative paths in a config's tables absolute, in place; what has a wrong type stays."""
    base = folder.absolute()

    def absolute(table: Any, key: str) -> None:
        if isinstance(table, dict) and isinstance(table.get(key), str) and table[key]:
            table[key] = os.path.normpath(base / table[key])

    if not isinstance(tables, dict):
        return
    absolute(tables.get("terrain"), "file")
    for terms in (tables.get("fitness"), tables.get("guide")):
        for term in terms if isinstance(terms, list) else []:
            if isinstance(term, dict) and ":" not in str(term.get("name")):
                absolute(term, "image")
    evolution = tables.get("evolution")
    if isinstance(evolution, dict) and isinstance(founders := evolution.get("founders"), list):
        evolution["founders"] = [
            os.path.normpath(base / place) if isinstance(place, str) and place else place
            for place in founders
        ]


def rooted(config: Config) -> Config:
    """Return a config whose relative paths start at the root instead of the working directory."""
    tables = config.model_dump()
    anchor(tables, Path.cwd())
    return config if tables == config.model_dump() else Config.model_validate(tables)


def digests(config: Config) -> dict[str, str]:
    """Return the SHA-256 of each file that the evaluation reads, by dotted key.

    Raises
    ------
    ConfigError
        When one cannot be read.
    """
    return {key: _digest(key, path) for key, path in _files(config)}


def changed_files(config: Config, before: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each file that is not what it was, by the digests of an earlier time."""
    for key, path in _files(config):
        if key in before and before[key] != _digest(key, path):
            yield f"{key} must be the file that the run began with, got another content: {path}"


def _files(config: Config) -> Iterator[tuple[str, str]]:
    if config.terrain is not None and config.terrain.file is not None:
        yield "terrain.file", config.terrain.file
    for section, terms in (("fitness", config.fitness), ("guide", config.guides)):
        for index, term in enumerate(terms):
            image: Any = term.parameters.get("image")
            if term.is_ours and isinstance(image, str):
                yield f"{section}.{index}.image", image


def _digest(key: str, path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(f"{key} must be a readable file, got {path!r} ({reason})") from error
