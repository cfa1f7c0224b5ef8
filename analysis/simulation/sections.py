"""What `python -m analysis.validate` simulates: sections of cells, each counted by itself.

A section is a question. Its cells are declared, one cell is counted in one process, and its
counts are one line of ``counts.json``. A new kind of interval, test or rule that must hold
before it is published is a new section here, with its tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from ..tables.table import Table
from .coverage import cell_counts
from .design import Cell, covering_cells, study_cells
from .errors import ErrorCell, Hypothesis, calibration_counts, error_cells, error_counts
from .rules import LOOKS, PLANNED, STOPS
from .samples import PASSES, TYPES
from .section import EVERY, Counts, Section
from .silence import KINDS as SILENT_KINDS
from .silence import silence_counts
from .tables import calibration_table, coverage_tables, error_table, silence_tables
from .unequal import unequal_cells, unequal_counts, unequal_table

__all__ = ["SECTIONS", "TIMES", "validity_tables"]

FAMILIES, CALIBRATED, TIMES = 500, 1_000, 3
INSTANCES = (20, 50, 100, 300)


def validity_tables(counts: Counts) -> dict[str, Table]:
    """Return every table of the counts, by name."""
    return {
        table.name: table
        for section in SECTIONS
        if section.name in counts["simulations"]
        for table in section.tables(counts)
    }


def _every_cell() -> Sequence[Cell]:
    return (*study_cells(), *covering_cells())


def _count_coverage(cell: Cell, studies: int, kinds: Sequence[str] = ()) -> Counts:
    return {**asdict(cell), "counts": list(cell_counts(cell, studies, kinds).values())}


def _coverage_tables(counts: Counts) -> list[Table]:
    n = counts["simulations"]["studies"]
    return coverage_tables(counts["kinds"], counts["studies"], counts["design"], n)


def _count_unequal(cell: Cell, studies: int) -> Counts:
    return {**asdict(cell), "counts": list(unequal_counts(cell, studies).values())}


def _unequal_tables(counts: Counts) -> list[Table]:
    return [unequal_table(counts["unequal"], counts["simulations"]["unequal"])]


def _count_silence(cell: Cell, studies: int) -> Counts:
    return {**asdict(cell), "counts": silence_counts(cell, studies)}


def _silence_tables(counts: Counts) -> list[Table]:
    n = TIMES * counts["simulations"]["silence"]
    return silence_tables(counts["silence"], [*SILENT_KINDS], n)


def _count_errors(cell: ErrorCell, studies: int) -> Counts:
    return {**asdict(cell), "simulations": studies, "rejected": error_counts(cell, studies)}


def _studies_of_test(cell: ErrorCell, wanted: int) -> int:
    return min(wanted, FAMILIES) if cell.test is Hypothesis.FAMILY else wanted


SECTIONS = (
    Section("studies", study_cells, _count_coverage, every=EVERY, of_kinds=_count_coverage),
    Section(
        "design",
        covering_cells,
        _count_coverage,
        _coverage_tables,
        every=EVERY,
        of_kinds=_count_coverage,
    ),
    Section("unequal", unequal_cells, _count_unequal, _unequal_tables, every=EVERY),
    Section(
        "errors",
        error_cells,
        _count_errors,
        lambda counts: [error_table(counts["errors"])],
        _studies_of_test,
    ),
    Section(
        "calibration",
        lambda: INSTANCES,
        calibration_counts,
        lambda counts: [calibration_table(counts["calibration"])],
        lambda _, wanted: min(wanted, CALIBRATED),
    ),
    # One side of the adjusted Δ is missed nearly as often as is allowed, so that its share has
    # to be known better.
    Section(
        "silence",
        _every_cell,
        _count_silence,
        _silence_tables,
        lambda _, wanted: TIMES * wanted,
        every=EVERY,
    ),
    TYPES,
    PASSES,
    STOPS,
    LOOKS,
    PLANNED,
)
