"""Experiments: configs, runs, their directories, and the command line.

The modules are imported when a name is asked for, so that the command line hears signals first.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_HOMES = {
    "Config": "config",
    "ConfigError": "config",
    "Result": "runner",
    "RunError": "rundir",
    "dump_config": "config_file",
    "load_config": "config_file",
    "parse_config": "config_file",
    "resume": "runner",
    "run": "runner",
    "verify": "proof",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
