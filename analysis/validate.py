"""`python -m analysis.validate`: simulate judges of known behaviour and keep the counts.

Writes ``counts.json``; `python -m analysis.rebuild` makes the tables from it. Every cell that
is done is kept in ``cells.jsonl`` at once, and with ``--resume`` is not simulated again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import typer

from faultpair.analysis.command_line import run, say
from faultpair.analysis.simulation.coverage import KINDS
from faultpair.analysis.simulation.section import Counts
from faultpair.analysis.simulation.sections import SECTIONS
from faultpair.env.errors import RecordError, UsageError
from faultpair.studies.files import write_bytes
from faultpair.studies.overwriting import refuse_to_overwrite

__all__ = ["main", "validate"]

SIMULATIONS, QUICK = 2_000, 100
"""The studies of a cell, and those of the quick form."""

PROCESSES = 2
BY_NAME = {section.name: section for section in SECTIONS}

Job = tuple[str, int, int, tuple[str, ...]]
"""The section of a cell, its place there, how many studies are simulated, and of which kinds of
interval; none is all of them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return run(validate, "analysis.validate", arguments)


def validate(
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("results/validity"),
    simulations: Annotated[int, typer.Option(help="Studies of a cell.")] = SIMULATIONS,
    processes: Annotated[int, typer.Option(help="How many cells at once.")] = PROCESSES,
    only: Annotated[
        list[str] | None,
        typer.Option(
            help=f"A section to simulate, of {', '.join(BY_NAME)}; may be given again. The counts "
            "of other sections stay as they are."
        ),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            help="A kind of interval to count, as the table names it; may be given again. The "
            "counts of other kinds and sections stay as they are."
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help=f"A part of the cells, {QUICK} studies each.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep the cells that an earlier run finished.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing counts.")] = False,
) -> None:
    """Simulate judges of known behaviour; count how often each interval covers."""
    path, kept_in = out / "counts.json", out / "cells.jsonl"
    kinds = _kinds(kind)
    names = [name for name in _sections(only) if not kinds or BY_NAME[name].of_kinds]
    refuse_to_overwrite(path, force=force)
    others = _counts_in(path) if (only or kinds) and path.is_file() else {}
    wanted = [(*job, kinds) for name in names for job in _jobs(name, simulations, quick=quick)]
    done = _kept(kept_in) if resume else {}
    out.mkdir(parents=True, exist_ok=True)
    if not resume:
        kept_in.unlink(missing_ok=True)
    _simulate([job for job in wanted if job not in done], processes, kept_in, done)
    found: dict[str, list[Counts]] = {name: [] for name in names}
    for job in wanted:
        found[job[0]].append(done[job])
    if kinds:
        found = {name: _with_others(others, name, cells, kinds) for name, cells in found.items()}
    n = dict.fromkeys(names, QUICK if quick else simulations)
    write_bytes(path, _counts_text(others, found, n).encode())
    kept_in.unlink(missing_ok=True)
    say(f"Wrote {path}.\n")


def _sections(only: Sequence[str] | None) -> list[str]:
    for name in only or ():
        if name not in BY_NAME:
            raise UsageError(f"--only {name}: expected one of {', '.join(BY_NAME)}.")
    return [name for name in BY_NAME if not only or name in only]


def _kinds(kind: Sequence[str] | None) -> tuple[str, ...]:
    for name in kind or ():
        if name not in KINDS:
            raise UsageError(f"--kind {name}: expected one of {', '.join(KINDS)}.")
    return tuple(name for name in KINDS if name in (kind or ()))


def _with_others(
    others: Mapping[str, Any], name: str, cells: Sequence[Counts], kinds: Sequence[str]
) -> list[Counts]:
    """Put new counts of some kinds beside the counts of the others."""
    before, n = others.get(name, []), others.get("kinds", [])
    if [_place(cell) for cell in before] != [_place(cell) for cell in cells]:
        raise RecordError(f"The counts have other cells of {name} than now. Leave out --kind.")
    if missing := [kind for kind in KINDS if kind not in kinds and kind not in n]:
        raise RecordError(f"The counts lack {', '.join(missing)}: give --kind for each, too.")
    return [
        {
            **_place(cell),
            "counts": [
                cell["counts"][kinds.index(kind)] if kind in kinds else old["counts"][n.index(kind)]
                for kind in KINDS
            ],
        }
        for old, cell in zip(before, cells, strict=True)
    ]


def _place(cell: Counts) -> Counts:
    return {part: value for part, value in cell.items() if part != "counts"}


def _jobs(name: str, simulations: int, *, quick: bool) -> list[tuple[str, int, int]]:
    """Return the cells of a section that are simulated."""
    section = BY_NAME[name]
    wanted, step = (QUICK, section.every) if quick else (simulations, 1)
    cells = section.cells()
    return [
        (name, place, section.studies(cells[place], wanted)) for place in range(0, len(cells), step)
    ]


def _simulate(jobs: Sequence[Job], processes: int, kept_in: Path, done: dict[Job, Counts]) -> None:
    context = get_context("spawn")
    with (
        kept_in.open("a", encoding="utf-8") as kept,
        ProcessPoolExecutor(processes, mp_context=context) as pool,
    ):
        # The last cells of a section are its slowest: they go first, so that all processes
        # end together.
        waiting = {pool.submit(counted, job): job for job in reversed(jobs)}
        for place, finished in enumerate(as_completed(waiting)):
            job, found = waiting[finished], finished.result()
            done[job] = found
            kept.write(json.dumps([job, found], ensure_ascii=False) + "\n")
            kept.flush()
            sys.stderr.write(f"cell {place + 1} of {len(jobs)}\n")


def counted(job: Job) -> Counts:
    """Simulate one cell."""
    name, place, studies, kinds = job
    section = BY_NAME[name]
    cell = section.cells()[place]
    if kinds and section.of_kinds:
        return section.of_kinds(cell, studies, kinds)
    return section.count(cell, studies)


def _counts_in(path: Path) -> dict[str, Any]:
    try:
        counts = json.loads(path.read_text(encoding="utf-8"))
        return {name: counts[name] for name in ("simulations", "kinds", *BY_NAME) if name in counts}
    except (ValueError, LookupError, TypeError) as error:
        raise RecordError(f"{path} holds no counts: {error!r}. Leave out --only.") from error


def _kept(path: Path) -> dict[Job, Counts]:
    """Return the cells of an earlier run; one that was being written when it ended is left out."""
    done: dict[Job, Counts] = {}
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.is_file() else []
    whole = [line for line in lines if line.endswith("\n")]
    for line in whole:
        (*job, kinds), found = json.loads(line)
        done[(*job, tuple(kinds))] = found
    if len(whole) < len(lines):
        write_bytes(path, "".join(whole).encode())
    return done


def _counts_text(
    others: Mapping[str, Any], found: Mapping[str, Sequence[Counts]], studies: Mapping[str, int]
) -> str:
    """Return all counts as JSON, one cell a line."""
    cells, n = {**others, **found}, {**others.get("simulations", {}), **studies}
    names = [name for name in BY_NAME if name in cells]
    parts = [
        f' "simulations": {json.dumps({name: n[name] for name in names})}',
        f' "kinds": {json.dumps([*KINDS], ensure_ascii=False)}',
    ]
    for name in names:
        lines = ",\n".join(f"  {json.dumps(cell, ensure_ascii=False)}" for cell in cells[name])
        parts.append(f' "{name}": [\n{lines}\n ]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main())
