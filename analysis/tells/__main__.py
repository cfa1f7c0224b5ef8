"""`python -m analysis.tells`: how well a classifier tells faults by what a page shows.

Writes ``counts.json``; `python -m analysis.rebuild` makes the tables from it. Needs
scikit-learn, the extra ``tells``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import typer

from faultpair.analysis.command_line import Results, run
from faultpair.analysis.tells.features import GROUPS
from faultpair.analysis.tells.floor import mean_delta
from faultpair.analysis.tells.orders import ORDERS
from faultpair.analysis.tells.parts import (
    DIGITS,
    DIGITS_ALONE,
    ORDER,
    Part,
    Source,
    count,
    start,
)
from faultpair.analysis.tells.sets import paired_set
from faultpair.studies.files import write_bytes
from faultpair.studies.folder import open_study

__all__ = ["main", "tells"]

STUDIES = {"desk": ("balanced-2", 1 / 6), "plans": ("tells/plans.toml", 1 / 16)}
"""The studies, below the folder of results, and the share of one that is built for each seed."""

N_REPEATS = 200
"""The number of seeds, and of orders, that a judge is asked under."""

CHUNK = 20
N_PROCESSES = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return run(tells, "analysis.tells", arguments)


def tells(
    results: Results = Path("results"),
    repeats: Annotated[
        int, typer.Option(help="Seeds and orders of a judge; fewer are a quick look.")
    ] = N_REPEATS,
) -> None:
    """Classify runs by what their pages show beside the fault; keep the AUCs."""
    sources = dict(_sources(results))
    parts = [part for name in sources for part in _parts(name, repeats)]
    with ProcessPoolExecutor(N_PROCESSES, get_context("spawn"), start, (sources,)) as pool:
        counted = dict(zip(parts, _reported(parts, pool.map(count, parts)), strict=True))
    path = results / "tells" / "counts.json"
    write_bytes(path, _text(counted, sources).encode())
    sys.stdout.write(f"Wrote {path}.\n")


def _sources(results: Path) -> Iterator[tuple[str, Source]]:
    for name, (place, share) in STUDIES.items():
        sys.stderr.write(f"{name}: building the set of {place}\n")
        folder = open_study(results / place)
        yield name, Source(paired_set(name, folder), folder.study, share)


def _parts(name: str, repeats: int) -> Iterator[Part]:
    """Yield the parts of a set, of equal size on every machine."""
    yield from (Part(name, group.name) for group in GROUPS)
    yield Part(name, DIGITS)
    for first in range(0, repeats, CHUNK):
        seeds = range(first, min(first + CHUNK, repeats))
        yield from (Part(name, judge, seeds) for judge in (DIGITS_ALONE, ORDER))


def _reported(parts: Sequence[Part], results: Iterator[list[Any]]) -> Iterator[list[Any]]:
    for number, (part, result) in enumerate(zip(parts, results, strict=True), 1):
        sys.stderr.write(f"{part.source}: {part.what} ({number} of {len(parts)})\n")
        yield result


def _text(counted: dict[Part, list[Any]], sources: dict[str, Source]) -> str:
    """Return all counts as JSON, one cell a line."""
    names = {group.name for group in GROUPS}
    cells = [cell for part, own in counted.items() if part.what in names for cell in own]
    judges = [row for name, source in sources.items() for row in _judges(name, source, counted)]
    sets = [
        {"set": name, "study": STUDIES[name][0], "sha256": source.runs.sha256}
        for name, source in sources.items()
    ]
    sections = (("sets", sets), ("cells", cells), ("judges", judges))
    return "{\n" + ",\n".join(_section(name, rows) for name, rows in sections) + "\n}\n"


def _judges(name: str, source: Source, counted: dict[Part, list[Any]]) -> Iterator[dict[str, Any]]:
    def of(judge: str) -> list[Any]:
        return [row for part, own in counted.items() if part[:2] == (name, judge) for row in own]

    n_pairs = len(source.runs.faults)
    yield {"set": name, "judge": DIGITS, "of": "digits permuted"} | of(DIGITS)[0]
    gains = of(DIGITS_ALONE)
    deltas, pairs = [total / n for total, n in gains], sum(n for _, n in gains)
    yield {"set": name, "judge": DIGITS_ALONE, "of": "0, by seed"} | mean_delta(deltas, pairs)
    for order, found in zip(ORDERS, zip(*of(ORDER), strict=True), strict=True):
        yield {"set": name, "judge": ORDER, "of": f"0, {order}"} | mean_delta(found, n_pairs)


def _section(name: str, rows: Sequence[dict[str, Any]]) -> str:
    lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    return f' "{name}": [\n{lines}\n ]'


if __name__ == "__main__":
    sys.exit(main())
