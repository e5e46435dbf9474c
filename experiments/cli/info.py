"""The commands that tell: new, fitness and schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from evo.checks import choice
from experiments.cli.common import console, user_input
from experiments.config import Config
from experiments.starters import starters, write_starter
from fitness import SCORES, parameters

__all__ = ["fitness", "new", "schema"]


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    starter: Annotated[
        str, typer.Option("--from", metavar="NAME", help="Starter config to begin with.")
    ] = "meadow",
) -> None:
    """Write a commented starter config."""
    with user_input("FILE"):
        made = write_starter(choice("--from", starter, tuple(starters())), file)
    beside = f" and {', '.join(str(path) for path in made[:-1])}" if made[1:] else ""
    print(f"wrote {file}{beside}; run it with: evogarden run {file}")


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
