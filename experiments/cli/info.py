"""The commands that tell: new, fitness and schema."""

from __future__ import annotations

import json
import os
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from evo.checks import choice, must
from evo.files import write_atomic
from experiments.cli.common import UserError, console, user_input
from experiments.config import Config
from fitness import SCORES, parameters

__all__ = ["fitness", "new", "schema", "starters"]


def starters() -> dict[str, str]:
    """Return the starter configs that the package ships: name -> TOML text with comments."""
    folder = resources.files("experiments") / "configs"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    return {f.name.removesuffix(".toml"): f.read_text(encoding="utf-8") for f in files}


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    starter: Annotated[
        str, typer.Option("--from", metavar="NAME", help="Starter config to begin with.")
    ] = "meadow",
) -> None:
    """Write a commented starter config."""
    known = starters()
    with user_input():
        text = known[choice("--from", starter, known)]
    if os.path.lexists(file):  # a link to nothing, too
        raise UserError(str(must("FILE", "not exist yet", str(file))))
    with user_input("FILE"):
        write_atomic(file, text.encode())
    print(f"wrote {file}; run it with: evogarden run {file}")


def fitness() -> None:
    """List the scores and their parameters."""
    out = console()
    for name, score in SCORES.items():
        out.print(Text(name, "bold"), (score.__doc__ or "").strip().splitlines()[0], sep="  ")
        for parameter in parameters(score):
            default = "" if parameter.required else f" (default {parameter.default!r})"
            out.print(f"    {parameter.name}: {parameter.description}{default}")
    out.print("package.module:attribute  a function of your own on a fitness.Scene")


def schema() -> None:
    """Print the JSON schema of a config, for editors."""
    print(json.dumps(Config.model_json_schema(), indent=2))
