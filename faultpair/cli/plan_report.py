"""What a reader wants first of graded plans: alignment with the reference, and aim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from faultpair.analysis.data.study_data import StudyData
from faultpair.analysis.plans.catalog import plan_results
from faultpair.analysis.plans.data import Plans
from faultpair.analysis.stats.bootstrap import N_RESAMPLES
from faultpair.analysis.stats.estimate import Estimate
from faultpair.analysis.tables.catalog import plan_tables as tables_of_plans
from faultpair.analysis.tables.table import Cell, Table
from faultpair.env.catalog import DOMAINS

__all__ = ["are_plans", "plan_tables", "without_empty"]

OF_REPLIES = ("cells",)
OF_PAIRS = ("types",)

WITH_ENDS = {"alignment": "Cells alike", "plan-aim": "Harmed minus unharmed"}
"""The tables that a report has of plans, and the column of each whose interval has room."""


def are_plans(domain: str) -> bool:
    """Return whether the runs of a domain are plans, which nobody observes or replies in."""
    return DOMAINS[domain].plans is not None


def without_empty(tables: Iterable[Table], study: StudyData) -> Iterator[Table]:
    """Leave out what plans leave empty: what a reply tells apart and, without pairs, their Δ."""
    gone = OF_REPLIES if len(study.fault) else (*OF_REPLIES, *OF_PAIRS)
    return (table for table in tables if table.name not in gone)


def plan_tables(study: StudyData, plans: Plans | None) -> Iterator[Table]:
    """Yield the tables of a study whose plans have grades, as a terminal has room for them.

    There are none where every judge only says whether a plan is faulty, and there is no
    table of aim where no fault is planted.
    """
    if plans is None:
        return
    tables = tables_of_plans(plan_results(study, plans, N_RESAMPLES))
    for name, kept in WITH_ENDS.items():
        if name in tables:
            yield _short(tables[name], kept)


def _short(table: Table, kept: str) -> Table:
    has_room = [column.title == kept for column in table.columns]
    rows = tuple(
        tuple(cell if whole else _bare(cell) for cell, whole in zip(row, has_room, strict=True))
        for row in table.rows
    )
    return replace(table, rows=rows)


def _bare(cell: Cell) -> Cell:
    return replace(cell, ci_low=None, ci_high=None) if isinstance(cell, Estimate) else cell
