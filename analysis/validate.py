"""`python -m analysis.validate`: simulate judges of known behaviour and keep the counts.

Writes ``counts.json``; `python -m analysis.rebuild` makes the tables from it. Every cell that
is done is kept in ``cells.jsonl`` at once, and with ``--resume`` is not simulated again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import typer

from faultpair.analysis.command_line import run, say
from faultpair.analysis.simulation.coverage import KINDS, cell_counts
from faultpair.analysis.simulation.design import covering_cells, study_cells
from faultpair.analysis.simulation.errors import (
    Hypothesis,
    calibration_counts,
    error_cells,
    error_counts,
)
from faultpair.studies.files import write_bytes
from faultpair.studies.overwriting import refuse_to_overwrite

__all__ = ["main", "validate"]

SIMULATIONS = 2_000
FAMILIES = 500
CALIBRATED = 1_000
INSTANCES = (20, 50, 100, 300)
PROCESSES = 2

QUICK, EVERY = 100, 6
"""The studies of a cell in the quick form, and which cells it takes."""

Job = tuple[str, int, int]
"""The section of a cell, its place there, and how many studies are simulated."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return run(validate, "analysis.validate", arguments)


def validate(
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("results/validity"),
    simulations: Annotated[int, typer.Option(help="Studies of a cell.")] = SIMULATIONS,
    processes: Annotated[int, typer.Option(help="How many cells at once.")] = PROCESSES,
    quick: Annotated[
        bool, typer.Option("--quick", help="A sixth of the cells, 100 studies each.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep the cells that an earlier run finished.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing counts.")] = False,
) -> None:
    """Simulate judges of known behaviour; count how often each interval covers."""
    path = out / "counts.json"
    refuse_to_overwrite(path, force=force)
    studies, step = (QUICK, EVERY) if quick else (simulations, 1)
    wanted = _jobs(studies, step)
    kept_in = out / "cells.jsonl"
    done = _kept(kept_in) if resume else {}
    out.mkdir(parents=True, exist_ok=True)
    if not resume:
        kept_in.unlink(missing_ok=True)
    _simulate([job for job in wanted if job not in done], processes, kept_in, done)
    write_bytes(path, _counts_text(wanted, done, studies).encode())
    kept_in.unlink(missing_ok=True)
    say(f"Wrote {path}.\n")


def _jobs(studies: int, step: int) -> list[Job]:
    """Return what is simulated, the slowest cells first so that the processes end together."""
    families = {
        place: min(studies, FAMILIES)
        for place, cell in enumerate(error_cells())
        if cell.test is Hypothesis.FAMILY
    }
    return [
        *(("errors", at, families.get(at, studies)) for at in reversed(range(len(error_cells())))),
        *(("studies", at, studies) for at in range(0, len(study_cells()), step)),
        *(("design", at, studies) for at in range(0, len(covering_cells()), step)),
        *(("calibration", at, min(studies, CALIBRATED)) for at in range(len(INSTANCES))),
    ]


def _simulate(
    jobs: Sequence[Job], processes: int, kept_in: Path, done: dict[Job, dict[str, Any]]
) -> None:
    context = get_context("spawn")
    with (
        kept_in.open("a", encoding="utf-8") as kept,
        ProcessPoolExecutor(processes, mp_context=context) as pool,
    ):
        waiting = {pool.submit(counted, job): job for job in jobs}
        for place, finished in enumerate(as_completed(waiting)):
            job, found = waiting[finished], finished.result()
            done[job] = found
            kept.write(json.dumps([job, found], ensure_ascii=False) + "\n")
            kept.flush()
            sys.stderr.write(f"cell {place + 1} of {len(jobs)}\n")


def counted(job: Job) -> dict[str, Any]:
    """Simulate one cell."""
    section, place, studies = job
    if section == "calibration":
        return calibration_counts(INSTANCES[place], studies)
    if section == "errors":
        tested = error_cells()[place]
        return {**asdict(tested), "simulations": studies, "rejected": error_counts(tested, studies)}
    cell = (study_cells() if section == "studies" else covering_cells())[place]
    return {**asdict(cell), "counts": list(cell_counts(cell, studies).values())}


def _kept(path: Path) -> dict[Job, dict[str, Any]]:
    """Return the cells of an earlier run; one that was being written when it ended is left out."""
    done: dict[Job, dict[str, Any]] = {}
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.is_file() else []
    whole = [line for line in lines if line.endswith("\n")]
    for line in whole:
        job, found = json.loads(line)
        done[tuple(job)] = found
    if len(whole) < len(lines):
        write_bytes(path, "".join(whole).encode())
    return done


def _counts_text(jobs: Iterable[Job], done: dict[Job, dict[str, Any]], studies: int) -> str:
    """Return all counts as JSON, one cell a line."""
    sections: dict[str, list[str]] = {}
    for section, place, n in sorted(jobs):
        found = json.dumps(done[section, place, n], ensure_ascii=False)
        sections.setdefault(section, []).append(f"  {found}")
    parts = [f' "simulations": {studies}', f' "kinds": {json.dumps([*KINDS], ensure_ascii=False)}']
    parts += [
        f' "{name}": [\n' + ",\n".join(sections.get(name, [])) + "\n ]"
        for name in ("studies", "design", "errors", "calibration")
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main())
