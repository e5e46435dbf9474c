"""Starter configs that the package ships, and the images that they name."""

from __future__ import annotations

import os
import tomllib
from importlib import resources
from pathlib import Path

from evo.checks import must
from evo.files import write_atomic

__all__ = ["starters", "write_starter"]

_FOLDER = resources.files("experiments") / "configs"


def starters() -> dict[str, str]:
    """Return the starter configs: name -> TOML text with comments."""
    files = sorted((f for f in _FOLDER.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    return {f.name.removesuffix(".toml"): f.read_text(encoding="utf-8") for f in files}


def write_starter(name: str, file: Path) -> list[Path]:
    """Write a starter config, and beside it the images that it names; return what was made.

    An image that is there already, as it should be, is left alone.

    Raises
    ------
    ValueError
        When the file, or another one by the name of an image, exists.
    OSError
        When something cannot be written; then nothing was.
    """
    text = starters()[name]
    if os.path.lexists(file):  # a link to nothing, too
        raise must("FILE", "not exist yet", str(file))
    files = {file.parent / image: (_FOLDER / image).read_bytes() for image in _images(text)}
    missing = {path: content for path, content in files.items() if not _is(path, content)}
    for path in missing:
        if os.path.lexists(path):
            raise must(path.name, "not be another image beside FILE", str(path))
    made: list[Path] = []
    try:
        for path, content in {**missing, file: text.encode()}.items():
            write_atomic(path, content)
            made.append(path)
    except BaseException:
        for path in made:
            path.unlink()
        raise
    return made


def _images(text: str) -> list[str]:
    """Return the names of the images in a config."""
    return [term["image"] for term in tomllib.loads(text)["fitness"] if "image" in term]


def _is(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content
