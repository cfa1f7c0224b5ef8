"""The part of a report on graded plans: alignment with the reference, and specificity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from faultpair.analysis.data.study_data import StudyData
from faultpair.analysis.plans.catalog import plan_results
from faultpair.analysis.plans.data import Plans
from faultpair.analysis.stats.bootstrap import N_RESAMPLES
from faultpair.analysis.tables.catalog import plan_tables as tables_of_plans
from faultpair.analysis.tables.table import Table

from .table_layout import without_ends

__all__ = ["plan_tables", "without_empty"]

OF_REPLIES = ("cells",)
OF_PAIRS = ("types",)

WITH_ENDS = {"alignment": "Cells alike", "plan-aim": "Harmed minus unharmed"}
"""The tables of graded plans in a report, and the column of each whose interval has room."""


def without_empty(tables: Iterable[Table], study: StudyData) -> Iterator[Table]:
    """Leave out the tables that plans leave empty: by reply and, without pairs, by fault type."""
    left_out = OF_REPLIES if len(study.fault) else (*OF_REPLIES, *OF_PAIRS)
    return (table for table in tables if table.name not in left_out)


def plan_tables(study: StudyData, plans: Plans | None) -> Iterator[Table]:
    """Yield the tables of graded plans; that of specificity if there are planted faults."""
    if plans is None:
        return
    tables = tables_of_plans(plan_results(study, plans, N_RESAMPLES))
    for name, kept in WITH_ENDS.items():
        if name in tables:
            has_room = [column.title == kept for column in tables[name].columns]
            rows = tuple(
                tuple(
                    cell if whole else without_ends(cell)
                    for cell, whole in zip(row, has_room, strict=True)
                )
                for row in tables[name].rows
            )
            yield replace(tables[name], rows=rows)
