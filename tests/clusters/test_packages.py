"""Backends without their package, and a scheduler without its backend."""

import importlib.util

import pytest

from evo import Pool
from experiments import ConfigError, parse_config, run
from tests.evo.scorers import table

CONFIG = "seed = 1\nname = 'x'\n[[fitness]]\nname = 'coverage'\n[parallel]\nbackend = '{}'\n{}"


@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_a_missing_package_names_its_extra(backend, monkeypatch, tmp_path):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    words = rf"backend must have its package installed \(pip install 'evogarden\[{backend}\]'\)"
    with pytest.raises(ValueError, match=words):
        Pool(table, 1, backend)
    with pytest.raises(ConfigError, match=words):
        run(parse_config(CONFIG.format(backend, "")), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_scheduler_goes_with_a_cluster():
    with pytest.raises(ConfigError, match="scheduler must be given with the backend dask or ray"):
        parse_config(CONFIG.format("loky", "scheduler = 'tcp://here:8786'"))
    with pytest.raises(ValueError, match="scheduler must be given with one of"):
        Pool(table, 2, "loky", scheduler="tcp://here:8786")
