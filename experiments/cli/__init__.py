"""The command line."""

from __future__ import annotations

from experiments.cli.signals import Signals, Stopped

__all__ = ["main"]


def main() -> None:
    """Run the command line: exit 2 for a mistake of the user, 1 for a failure, 128 + signal.

    Signals are heard before the libraries are imported, which takes a second.
    """
    signals = Signals()
    try:
        with signals.heard():
            from experiments.cli import app

            try:
                app.run_command()
            except Exception as error:
                if not signals.number:  # else it may be the signal, wrapped in something
                    app.mistake_or_failure(error)
                raise
    except (Exception, Stopped, SystemExit):
        signals.end_if_heard()
        raise
