# Tasks for people and hooks; `check` is what CI runs (.ci/run, without make; a test compares the two).
# PYTHON is the environment's python.
PYTHON ?= .venv/bin/python
BIN = $(dir $(PYTHON))

.PHONY: setup check lint format types contracts docs test test-fast soak fuzz

setup:            ## a development environment with everything
	python3 -m venv .venv
	$(PYTHON) -m pip install -q -e '.[jdtls,test]'

check: lint types contracts test  ## all that must pass

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

docs:             ## write anew what pages say of commands, tools and schema; tests compare
	$(PYTHON) -m tests.support.reference

test:             ## all tests, with the real jdt.ls
	$(PYTHON) -m pytest

test-fast:        ## without the real jdt.ls
	$(PYTHON) -m pytest -m "not jdtls"

SECONDS ?= 600

soak:             ## a repository changed at random, answers compared with a new index; SECONDS=600
	$(PYTHON) -m tests.soak --seconds $(SECONDS)

fuzz:             ## JSON-RPC, jdt.ls' answers and the tools' inputs, a tenth of SECONDS each
	$(PYTHON) -m tests.fuzz --seconds $$(($(SECONDS) / 10))
