"""What a run says while it goes: a bar on a terminal, plain lines elsewhere, or nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from evo.loop import Generation

__all__ = ["Bar", "Lines", "Reporter", "Silent", "reporter"]


MOST_LINES = 500
"""Generations that have a line each; of more, as many lines."""


class Reporter(Protocol):
    """Someone who is told how a run goes."""

    def begin(self, first: int, n_generations: int, n_children: int) -> None:
        """Begin: the number of the next generation, the last one's, and children in each."""
        ...

    def evaluated(self, n: int) -> None:
        """Take note of so many more finished evaluations."""
        ...

    def generation(self, generation: Generation) -> None:
        """Take note of a finished generation."""
        ...

    def say(self, text: str) -> None:
        """Say something that a person should know."""
        ...

    def end(self) -> None:
        """Take note that the run stops, for whatever reason."""
        ...


class Silent:
    """Says nothing."""

    def begin(self, first: int, n_generations: int, n_children: int) -> None:
        """Nothing."""

    def evaluated(self, n: int) -> None:
        """Nothing."""

    def generation(self, generation: Generation) -> None:
        """Nothing."""

    def say(self, text: str) -> None:
        """Nothing."""

    def end(self) -> None:
        """Nothing."""


class Lines(Silent):
    """A plain line a generation, for logs and pipes; of very many generations about 500 lines."""

    def __init__(self, file: TextIO | None = None) -> None:
        self._file = file or sys.stdout
        self._last = 0
        self._every = 1

    def begin(self, first: int, n_generations: int, n_children: int) -> None:
        """Remember what the last generation will be."""
        self._last = n_generations
        self._every = max(1, n_generations // MOST_LINES)

    def generation(self, generation: Generation) -> None:
        """Print the line, of generations with a round number and of the last."""
        if generation.number % self._every and not generation.stop:
            return
        self.say(f"generation {generation.number}/{self._last}  {_figures(generation)}")

    def say(self, text: str) -> None:
        """Print the text."""
        print(text, file=self._file, flush=True)


class Bar(Silent):
    """A bar that counts finished evaluations."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            TextColumn("generation {task.fields[number]}/{task.fields[last]}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TextColumn("{task.fields[figures]}"),
            TimeRemainingColumn(),
            console=console,
        )
        self._task = self._progress.add_task("", number=0, last=0, figures="")
        self._children = self._done = 0
        self._first = 0

    def begin(self, first: int, n_generations: int, n_children: int) -> None:
        """Show the bar: every child counts, those that need no evaluation too."""
        self._first, self._children = first, n_children
        total = (n_generations - first + 1) * n_children
        self._progress.update(self._task, total=total, last=n_generations, number=first)
        self._progress.start()

    def evaluated(self, n: int) -> None:
        """Move on by n, to the end of the running generation at most."""
        self._progress.advance(self._task, n)

    def generation(self, generation: Generation) -> None:
        """Show the figures of the generation that has just ended."""
        done = (generation.number - self._first + 1) * self._children
        self._progress.update(
            self._task,
            completed=done,
            number=generation.number,
            figures=_figures(generation),
        )

    def say(self, text: str) -> None:
        """Print the text above the bar."""
        self._progress.console.print(
            text, markup=False, emoji=False, highlight=False, soft_wrap=True
        )

    def end(self) -> None:
        """Leave the bar as it stands."""
        self._progress.stop()


def _figures(generation: Generation) -> str:
    row = generation.statistics
    lost = int(row["non_finite"])
    if "front" in row:
        volume = f"  hypervolume {row['hypervolume']:.4f}" if "hypervolume" in row else ""
        figures = f"front {int(row['front'])}{volume}"
    else:
        figures = f"best {row['best_so_far']:.4f}  mean {row['mean']:.4f}"
    return f"{figures}  diversity {row['diversity']:.2f}" + (f"  not finite {lost}" if lost else "")


def reporter(console: Console, quiet: bool) -> Reporter:
    """Return the reporter for a console: silent, a bar on a terminal, or plain lines."""
    if quiet:
        return Silent()
    make: Callable[[], Reporter] = (lambda: Bar(console)) if console.is_terminal else Lines
    return make()
