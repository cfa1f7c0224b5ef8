# The front door. `make run PYTHON=python3.13` picks the Python; see .ci/venv.
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help venv run test test-all check rebuild bench validate validate-quick tells clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile

venv:
	@.ci/venv .venv dev,figures,local,distributed,tells $(PYTHON)

run: venv ## judge the set of the paper without a model, then a sample with a small one
	@$(BIN)/faultpair run results/paper --out build/paper --limit 0
	@echo
	@echo "Now the smallest model, smollm2-135m, judges 24 runs inside this process."
	@$(BIN)/faultpair models get smollm2-135m >/dev/null
	@$(BIN)/faultpair run docs/examples/first-run --out build/first-run
	@echo "smollm2-135m judges poorly: it shows that everything works. To use a better model:"
	@echo "  $(BIN)/faultpair run docs/examples/first-run --out build/mine --judge ollama:qwen2.5:14b"
	@echo "Likewise openai:MODEL, local:FILE.gguf, python:MODULE:FUNCTION, or a URL; see docs/judges.md."

test: venv ## the whole suite of what a plain machine can run, slow tests included
	@$(BIN)/pytest -n 2 -m "not extra"

test-all: venv ## the same, and what needs a browser, foreign libraries or many minutes
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
	@$(BIN)/python -m analysis.validate --force

tells: venv ## classify runs by what their pages show beside the fault
	@$(BIN)/python -m analysis.tells

validate-quick: venv ## the same on a sixth of the cells, into a folder of its own
	@$(BIN)/python -m analysis.validate --quick --out build/validity --force

clean: ## remove environments, caches and built files
	@rm -rf .venv .venv-* build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
