"""The file of a human sample: plans as cells of a spreadsheet, with empty cells for grades."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from faultpair.env.plans.page import tool_line
from faultpair.env.plans.records import PlanInstance
from faultpair.env.records import Call
from faultpair.judges.plans.page import numbered

from ..plans.alignment.human import HEADING, PlanName
from ..tables.escapes import csv_lines

__all__ = ["COLUMNS", "plan_cells", "sheet"]

SHOWN = ("request", "tools", "reference_plan", "plan")
"""Columns for the reader alone: no program reads them again."""

_N_NAMES = len(PlanName._fields)
COLUMNS = (*HEADING[:_N_NAMES], *SHOWN, *HEADING[_N_NAMES:])

BOM = "\ufeff"
"""A mark without which some spreadsheets do not read the text as UTF-8."""


def plan_cells(instance: PlanInstance, calls: Sequence[Call]) -> dict[str, str]:
    """Return the cells that show a request and a plan for it."""
    lines: tuple[Iterable[str], ...] = (
        instance.goal.split("\n"),
        map(tool_line, instance.tools),
        numbered(instance.plan),
        numbered(calls),
    )
    return dict(zip(SHOWN, map(csv_lines, lines), strict=True))


def sheet(rows: Iterable[Mapping[str, str]]) -> str:
    """Return rows as the text of a file."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    return BOM + text.getvalue()
