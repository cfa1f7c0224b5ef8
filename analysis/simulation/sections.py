"""What `python -m analysis.validate` simulates: sections of cells, each counted by itself.

A section is a question. Its cells are declared, one cell is counted in one process, and its
counts are one line of ``counts.json``. A new kind of interval, test or rule that must hold
before it is published is a new section here, with its table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..tables.table import Table
from .coverage import cell_counts
from .design import Cell, covering_cells, study_cells
from .errors import ErrorCell, Hypothesis, calibration_counts, error_cells, error_counts
from .tables import calibration_table, coverage_tables, error_table

__all__ = ["SECTIONS", "Counts", "Section", "validity_tables"]

Counts = dict[str, Any]

FAMILIES, CALIBRATED = 500, 1_000
INSTANCES = (20, 50, 100, 300)
EVERY = 6
"""Of coverage cells, which ones the quick form takes."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the counts.

    Attributes
    ----------
    name : str
        Its name in ``counts.json`` and for ``--only``.
    cells : callable
        Returns all cells, in the order of the counts; the slowest ones last.
    count : callable
        Takes a cell and the number of studies, and returns what JSON can hold.
    studies : callable
        Takes a cell and the number of studies asked for, and returns that of this cell.
    every : int
        The quick form takes one cell of so many.
    """

    name: str
    cells: Callable[[], Sequence[Any]]
    count: Callable[[Any, int], Counts]
    studies: Callable[[Any, int], int] = lambda _, wanted: wanted
    every: int = 1
    of_kinds: Callable[[Any, int, Sequence[str]], Counts] | None = None


def _count_coverage(cell: Cell, studies: int, kinds: Sequence[str] = ()) -> Counts:
    return {**asdict(cell), "counts": list(cell_counts(cell, studies, kinds).values())}


def _count_errors(cell: ErrorCell, studies: int) -> Counts:
    return {**asdict(cell), "simulations": studies, "rejected": error_counts(cell, studies)}


def _studies_of_test(cell: ErrorCell, wanted: int) -> int:
    return min(wanted, FAMILIES) if cell.test is Hypothesis.FAMILY else wanted


SECTIONS = (
    Section("studies", study_cells, _count_coverage, every=EVERY, of_kinds=_count_coverage),
    Section("design", covering_cells, _count_coverage, every=EVERY, of_kinds=_count_coverage),
    Section("errors", error_cells, _count_errors, _studies_of_test),
    Section(
        "calibration",
        lambda: INSTANCES,
        calibration_counts,
        lambda _, wanted: min(wanted, CALIBRATED),
    ),
)


def validity_tables(counts: Counts) -> dict[str, Table]:
    """Return every table of the counts, by name."""
    tables: Iterable[Table] = (
        *coverage_tables(
            counts["kinds"], counts["studies"], counts["design"], counts["simulations"]["studies"]
        ),
        error_table(counts["errors"]),
        calibration_table(counts["calibration"]),
    )
    return {table.name: table for table in tables}
