# Two commands for a new machine: `make run` evolves plants, `make test` tests everything.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
ROUNDS ?= 4
TIMES ?= 50
CONFIG ?= experiments/configs/meadow.toml

.PHONY: run test check lint contracts types tests bench docs clean fuzz kills

run: $(VENV)/.run
	@$(BIN)/evogarden run $(CONFIG)

test: $(VENV)/.dev tests

check: $(VENV)/.dev lint contracts types tests

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

contracts: $(VENV)/.dev
	$(BIN)/lint-imports

types: $(VENV)/.dev
	$(BIN)/mypy

tests: $(VENV)/.dev
	$(BIN)/python -m pytest

fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.faults.fuzz --rounds $(ROUNDS)

kills: $(VENV)/.dev
	$(BIN)/python -m tests.faults.kills --times $(TIMES)

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache build dist site *.egg-info

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

$(VENV)/.docs: $(VENV)/.run pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

$(VENV)/.bench: $(VENV)/.run pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@
