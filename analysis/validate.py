"""`python -m analysis.validate`: simulate judges of known behaviour and keep the counts.

Writes ``counts.json``; `python -m analysis.rebuild` makes the tables from it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from faultpair.analysis.command_line import run, say
from faultpair.analysis.simulation.coverage import (
    BASE_RATES,
    GRID,
    INSTANCES,
    calibration_counts,
    cell_counts,
    error_counts,
)
from faultpair.studies.files import write_bytes
from faultpair.studies.overwriting import refuse_to_overwrite

__all__ = ["counts_text", "main", "validate"]

SIMULATIONS = 4_000
RESAMPLES = 2_000
CALIBRATED = 1_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return run(validate, "analysis.validate", arguments)


def validate(
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("results/validity"),
    simulations: Annotated[
        int, typer.Option(help="Judges in a cell; fewer are a quick look.")
    ] = SIMULATIONS,
    resamples: Annotated[int, typer.Option(help="Resamples of each study.")] = RESAMPLES,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing counts.")] = False,
) -> None:
    """Simulate judges of known behaviour; count how often each interval covers."""
    path = out / "counts.json"
    refuse_to_overwrite(path, force=force)
    write_bytes(path, counts_text(simulations, resamples).encode())
    say(f"Wrote {path}.\n")


def counts_text(n_simulations: int, n_resamples: int) -> str:
    """Return all counts as JSON, one cell a line."""
    parts = [
        f' "simulations": {n_simulations}',
        f' "resamples": {n_resamples}',
        _section("coverage", _coverage(n_simulations, n_resamples)),
        _section("errors", _errors(n_simulations)),
        _section("calibration", _calibration(min(n_simulations, CALIBRATED))),
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _coverage(n_simulations: int, n_resamples: int) -> Iterator[dict[str, Any]]:
    for place, (n, model) in enumerate(GRID):
        sys.stderr.write(f"coverage: cell {place + 1} of {len(GRID)}\n")
        yield cell_counts(n, model, n_simulations, n_resamples)


def _errors(n_simulations: int) -> Iterator[dict[str, Any]]:
    for n in INSTANCES:
        for rate in BASE_RATES:
            sys.stderr.write(f"errors of tests: {n} instances, base rate {rate}\n")
            yield error_counts(n, rate, n_simulations)


def _calibration(n_simulations: int) -> Iterator[dict[str, Any]]:
    for n in INSTANCES:
        sys.stderr.write(f"calibration: {n} instances\n")
        yield calibration_counts(n, n_simulations)


def _section(name: str, cells: Iterator[dict[str, Any]]) -> str:
    lines = ",\n".join(f"  {json.dumps(cell, ensure_ascii=False)}" for cell in cells)
    return f' "{name}": [\n{lines}\n ]'


if __name__ == "__main__":
    sys.exit(main())
