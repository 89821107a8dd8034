PYTHON = .venv/bin/python
PYTEST = $(PYTHON) -m pytest
.PHONY: setup test smoke full fuzz lint types bench size

setup: ; python3 -m venv .venv && .venv/bin/pip install -q -e '.[test,dev]'
test: ; $(PYTEST) -n auto --dist worksteal
smoke: ; $(PYTEST) -n auto -m smoke
full: ; $(PYTEST) -n auto --dist worksteal --full
fuzz: ; $(PYTEST) -n auto --dist worksteal -m "fuzz or sanitize"
lint: ; $(PYTHON) -m ruff check . && $(PYTHON) -m ruff format --check .
types: ; $(PYTEST) tests/unit/project/test_style.py -k pyright
bench: ; .venv/bin/pip install -q -e '.[bench]' && $(PYTHON) -m benchmarks --json benchmarks/results.json
size: ; $(PYTHON) -m tests.size
