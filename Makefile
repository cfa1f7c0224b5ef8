# The front door. `make run PYTHON=python3.13` picks the Python; see .ci/venv.
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help venv run test check rebuild bench validate clean

help: ## say what there is
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile

venv:
	@.ci/venv .venv dev,figures $(PYTHON)

run: venv ## build the set of the paper, judge it without a model, show the table
	@$(BIN)/faultpair run results/paper --out build/paper

test: venv ## the whole suite, slow tests included
	@$(BIN)/pytest -n 2

check: venv ## lint, format, types, imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

rebuild: venv ## write every table under results/ again
	@$(BIN)/python -m analysis.rebuild

bench: venv ## how fast, how much memory
	@$(BIN)/python -m bench

validate: venv ## simulate judges of known behaviour; count how often each interval covers
	@$(BIN)/python -m analysis.validate

clean: ## remove environments, caches and built files
	@rm -rf .venv .venv-* build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
