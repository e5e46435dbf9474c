"""Picking by hand: a config that goes on from some plants of a run's hall of fame."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import tomli_w

from evo.checks import must, whole
from experiments.ancestors import ancestors
from experiments.config import Config
from experiments.config_file import parse_config
from experiments.rundir import RunDirectory
from render import read_genome

__all__ = ["picked"]


def picked(
    run: str | Path,
    ranks: Sequence[int],
    seed: int | None = None,
    overrides: Sequence[str] = (),
) -> Config:
    """Return the config of a run that begins with some plants of another one.

    It is the earlier run's config, but for its founders: the picked plants, and their children
    in the places left over. Its seed is the next one, so that chance and growth seeds are new
    ones: with the same seed every pick would be varied in the same way.

    Parameters
    ----------
    run : path
        A run directory.
    ranks : sequence of int
        Ranks in its hall of fame, the best being 1; at least one, none twice.
    seed : int, optional
    overrides : sequence of str
        As in `load_config`.

    Raises
    ------
    RunError, ConfigError
        When it is not a run directory, or the config cannot be.
    ValueError
        For a rank that is not there or given twice, or a picture that is not the entry's.
    """
    directory = RunDirectory(run)
    config = directory.config()
    genomes = ancestors([str(directory.path)])
    if not genomes:
        raise must("run", "have a plant in its hall of fame", str(run))
    if not ranks:
        raise must("rank", "be given at least once", list(ranks))
    files: list[str] = []
    for rank in ranks:
        index = whole("rank", rank, 1, len(genomes)) - 1
        path = (directory.path / "hall_of_fame" / f"{rank:03d}.png").absolute()
        if str(path) in files:
            raise must("rank", "be given once each", rank)
        if bytes(read_genome(path).genome) != genomes[index]:
            raise must(str(path), f"hold the genome of entry {rank}", "another one")
        files.append(str(path))
    if len(files) > config.evolution.population:
        most = config.evolution.population
        raise must("rank", f"be given at most {most} times, the population", len(files))
    after = (config.seed + 1) % 2**64 if seed is None else whole("seed", seed, 0, 2**64 - 1)
    tables = config.model_dump()
    tables["seed"] = after
    tables["evolution"] |= {"founders": files, "fill": "children"}
    return parse_config(tomli_w.dumps(tables), "pick", overrides)
