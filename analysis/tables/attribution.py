"""Tables of attribution: the step and the type that judges name."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..metrics.key import NumberKey, Numbers
from .rows import judge_rows
from .table import Table, counts, rates, words

__all__ = ["confusion", "localisation"]

NUMBERS = {
    NumberKey("localisation/detected"): "Step, of detected",
    NumberKey("localisation/named"): "Step, of named",
    NumberKey("localisation/joint"): "Step, of all",
    NumberKey("localisation/detected", part="acted"): "Step, of detected, no omissions",
    NumberKey("localisation/joint", part="acted"): "Step, of all, no omissions",
    NumberKey("typing/macro-f1"): "Type F1",
    NumberKey("typing/joint"): "Type, of all",
}


def localisation(study: StudyData, numbers: Numbers) -> Table:
    """Give exact steps and types, with and without faults whose action was never taken."""
    rows = judge_rows(study.judges, numbers, NUMBERS)
    columns = words("Judge") + rates(*NUMBERS.values())
    notes = (
        "Blind baselines name neither step nor type.",
        "Of named: of the detected faults for which the judge names some step of the run.",
        "Omission: the run stops short of its parent at the failure step.",
    )
    return Table("attribution", f"Step and type, {study.name}", columns, rows, notes)


def confusion(study: StudyData, numbers: Numbers) -> Table:
    """Give a row a true type, and a column for each type that the judge may name."""
    types = study.runs.failure_type.names
    answers = (*types, "another type", "no type", "missed")
    rows = tuple(
        (judge, true, *(numbers.get(NumberKey("confusion", true, name, judge)) for name in answers))
        for judge in study.judges
        for true in types
    )
    columns = words("Judge", "True type") + counts(*answers)
    return Table("confusion", f"Type named, by true type, {study.name}", columns, rows)
