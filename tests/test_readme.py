"""What the README says is true: its program runs, its config loads, its files are there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from experiments import load_config, parse_config
from experiments.cli.app import app
from render import read_genome

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language):
    return re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)[1]


def test_the_program_runs(tmp_path):
    (tmp_path / "program.py").write_text(block("python"))
    subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        timeout=240,
    )
    assert read_genome(tmp_path / "best.png").oversample == 4


def test_the_config_is_the_starter_without_its_comments():
    config = parse_config(block("toml"))
    meadow = load_config(ROOT / "experiments/configs/meadow.toml")
    assert config == meadow


def test_the_table_has_every_command():
    listed = set(re.findall(r"\| `evogarden (\w+)", README))
    assert listed == {command.name for command in app.registered_commands}


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))],
    ids=lambda page: page.name,
)  # fmt: skip
def test_local_links_lead_somewhere(page):
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose)
    for link in links:
        assert (page.parent / link).exists(), link


def test_contributing_is_short():
    assert len((ROOT / "CONTRIBUTING.md").read_text().splitlines()) < 60
