"""The spreadsheet of a human sample: lines stay lines, and no cell is a formula."""

import csv
import io
from types import SimpleNamespace

from faultpair.analysis.output.human_sheet import COLUMNS, plan_cells, sheet
from faultpair.env.plain_text import plain_lines
from faultpair.env.records import Call

from ...hostile import HOSTILE


def test_a_hostile_request_or_tool_is_text_in_each_cell():
    for text in HOSTILE:
        plan = (Call(text, {text: text}),)
        instance = SimpleNamespace(goal=f"{text}\nmore", tools=(), plan=plan)
        cells = plan_cells(instance, plan)
        (row,) = csv.DictReader(io.StringIO(sheet([cells]).removeprefix("\ufeff")))
        assert tuple(row) == COLUMNS
        assert "more" in row["request"].split("\n")
        for cell in row.values():
            assert plain_lines(cell) == cell
            assert not cell.strip().startswith(tuple("=+-@"))
