"""The command line."""

from experiments.cli.app import main

__all__ = ["main"]
