# The one task file: people, hooks and CI call these targets. PYTHON is the environment's python.
PYTHON ?= .venv/bin/python
BIN = $(dir $(PYTHON))

.PHONY: setup check lint format types contracts test test-fast

setup:            ## a development environment with everything
	python3 -m venv .venv
	$(PYTHON) -m pip install -q -e '.[jdtls,test]'

check: lint types contracts test  ## all that CI runs

lint:
	$(BIN)ruff check .
	$(BIN)ruff format --check .

format:
	$(BIN)ruff check --fix .
	$(BIN)ruff format .

types:
	$(BIN)mypy

contracts:        ## which room may import which, see docs/architecture.md
	$(BIN)lint-imports

test:             ## all tests, with the real jdt.ls
	$(PYTHON) -m pytest

test-fast:        ## without the real jdt.ls
	$(PYTHON) -m pytest -m "not jdtls"
