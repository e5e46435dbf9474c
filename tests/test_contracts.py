"""The import contracts name every module of evo that they mean."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ALLOWED = {
    "render": {"evo.chance", "evo.checks", "evo.files", "evo.genome"},
    "fitness": {"evo.checks", "evo.genome"},
}


@pytest.mark.parametrize("package", ALLOWED)
def test_a_new_module_of_evo_is_forbidden_until_it_is_allowed(package):
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (contract,) = [one for one in contracts["contracts"] if one["source_modules"] == [package]]
    files = [
        *(ROOT / "evo").glob("*.py"),
        *(p.parent for p in (ROOT / "evo").glob("*/__init__.py")),
    ]
    modules = {f"evo.{path.stem}" for path in files} - {"evo.__init__"}
    named = {name for name in contract["forbidden_modules"] if name.startswith("evo.")}
    assert named == modules - ALLOWED[package]
