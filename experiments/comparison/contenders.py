"""What is compared: searches, each with settings of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evo.checks import must
from experiments.config import Config, ConfigError
from experiments.config_file import dump_config, parse_config
from experiments.inputs import rooted
from experiments.searches import make_strategy

__all__ = ["Contender", "contenders"]


@dataclass(frozen=True)
class Contender:
    """A search in a comparison.

    Parameters
    ----------
    label : str
        What it is called: the search, and its settings where it has some.
    config : Config
        The problem and the search; its seed is the first trial's.
    """

    label: str
    config: Config

    @property
    def file_name(self) -> str:
        """The label as the beginning of a file name."""
        return re.sub(r"[^A-Za-z0-9.=]+", "-", self.label).strip("-")

    def with_seed(self, seed: int) -> Config:
        """Return the config of a trial."""
        return self.config.model_copy(update={"seed": seed})


def contenders(config: Config, searches: str | Sequence[str], evaluations: int) -> list[Contender]:
    """Return the contenders that a text names.

    Parameters
    ----------
    config : Config
        The problem, and what all searches share.
    searches : str or sequence of str
        "ga, ga crossover=0 population=30, cmaes": a name, and keys of the config's `evolution`
        that differ from `config`. A text is split at commas.
    evaluations : int
        The budget, which annealing is laid out for unless its `cooling` says otherwise.

    Raises
    ------
    ConfigError
        When there are fewer than one, two are alike, or one cannot be made.
    """
    if config.is_pareto:
        raise ConfigError(str(must("objectives", "be combined, to be compared", "pareto")))
    config = rooted(config)
    given = searches.split(",") if isinstance(searches, str) else searches
    made = [_contender(config, text.split(), evaluations) for text in given]
    labels = [one.label for one in made]
    twice = [label for label in labels if labels.count(label) > 1]
    names = [one.file_name.lower() for one in made]
    if not made or twice or len(set(names)) < len(names):
        got = twice[0] if twice else ", ".join(labels)
        raise ConfigError(str(must("searches", "be one or more that differ", got)))
    return made


def _contender(config: Config, words: Sequence[str], evaluations: int) -> Contender:
    if not words:
        raise ConfigError(str(must("searches", "be names, with commas between", "an empty one")))
    search, *settings = words
    for setting in settings:
        if not re.fullmatch(r"[a-z_]+=.+", setting):
            raise ConfigError(str(must("searches", "have settings of the form KEY=VALUE", setting)))
    common = [f"search={search}", f"cooling={evaluations}"]
    overrides = [f"evolution.{one}" for one in (*common, *settings)]
    alone = config.model_copy(
        update={"evolution": config.evolution.model_copy(update={"target": None, "patience": None})}
    )
    label = " ".join(words)
    made = parse_config(dump_config(alone), f"searches: {label}", overrides)
    make_strategy(made)  # refuses what a search cannot be
    return Contender(label, made)
