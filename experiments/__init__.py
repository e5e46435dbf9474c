"""Experiments: configs, runs, their directories, and the command line."""

from experiments.config import Config, ConfigError
from experiments.config_file import dump_config, load_config, parse_config
from experiments.proof import verify
from experiments.rundir import RunError
from experiments.runner import Result, resume, run

__all__ = [
    "Config",
    "ConfigError",
    "Result",
    "RunError",
    "dump_config",
    "load_config",
    "parse_config",
    "resume",
    "run",
    "verify",
]
