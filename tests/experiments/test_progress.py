"""The bar on a terminal counts children, and shows the last figures."""

import io
from types import SimpleNamespace

import pytest
from rich.console import Console

from experiments.progress import Bar, Lines, Silent, reporter


def generation(number, lost=0, stop=""):
    row = {"best_so_far": 0.75, "mean": 0.5, "diversity": 0.25, "non_finite": lost}
    return SimpleNamespace(number=number, statistics=row, stop=stop)


@pytest.fixture
def bar():
    file = io.StringIO()
    made = Bar(Console(file=file, force_terminal=True, width=110, color_system=None))
    yield made
    made.end()


def task(bar):
    return bar._progress.tasks[0]


def test_it_counts_evaluations_and_generations(bar):
    bar.begin(0, 4, 10)
    assert (task(bar).completed, task(bar).total) == (0, 50)
    bar.evaluated(3)
    bar.evaluated(4)
    assert task(bar).completed == 7
    bar.generation(generation(0))  # the three that needed no evaluation count too
    assert task(bar).completed == 10
    bar.evaluated(10)
    bar.generation(generation(1))
    assert task(bar).completed == 20
    assert task(bar).fields["number"] == 1


def test_it_goes_on_where_a_run_did(bar):
    bar.begin(3, 4, 10)
    assert task(bar).total == 20
    bar.generation(generation(3))
    assert task(bar).completed == 10
    bar.generation(generation(4))
    assert task(bar).percentage == 100


def test_what_it_shows(bar):
    bar.begin(0, 4, 10)
    bar.generation(generation(2, lost=3))
    bar.say("[red]as it is[/] :smile:")
    bar.end()
    text = bar._progress.console.file.getvalue()
    assert "generation 2/4" in text
    assert "best 0.7500  mean 0.5000  diversity 0.25  not finite 3" in text
    assert " 60 %" in text
    assert "[red]as it is[/] :smile:" in text


def test_who_reports():
    terminal = Console(file=io.StringIO(), force_terminal=True)
    assert type(reporter(terminal, quiet=False)) is Bar
    assert type(reporter(terminal, quiet=True)) is Silent
    assert type(reporter(Console(file=io.StringIO()), quiet=False)) is Lines


def test_of_very_many_generations_not_each_has_a_line():
    file = io.StringIO()
    lines = Lines(file)
    lines.begin(0, 19_900, 1)
    for number in range(12_346):
        lines.generation(generation(number, stop="target" if number == 12_345 else ""))
    said = [line.split("/")[0] for line in file.getvalue().splitlines()]
    assert said[:3] == ["generation 0", "generation 39", "generation 78"]
    assert said[-1] == "generation 12345"
    assert len(said) == 12_345 // 39 + 2
