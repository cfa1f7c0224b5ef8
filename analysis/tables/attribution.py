"""Tables of attribution: the step and the type that judges name."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..stats.estimate import Estimate
from .table import Column, Style, Table

__all__ = ["confusion", "localisation"]

NUMBERS = (
    ("localisation/detected", "Step, of detected"),
    ("localisation/joint", "Step, of all"),
    ("localisation/detected/acted", "Step, of detected, no omissions"),
    ("localisation/joint/acted", "Step, of all, no omissions"),
    ("typing/macro-f1", "Type F1"),
    ("typing/joint", "Type, of all"),
)


def localisation(study: StudyData, numbers: dict[str, Estimate]) -> Table:
    """Give exact steps and types, with and without faults whose action was never taken."""
    rows = tuple(
        (judge, *(numbers.get(f"{judge}/{number}") for number, _ in NUMBERS))
        for judge in study.judges
    )
    columns = (Column("Judge"), *(Column(title, Style.RATE) for _, title in NUMBERS))
    notes = (
        "Blind baselines name neither step nor type.",
        "Omission: the run stops short of its parent at the failure step.",
    )
    return Table("attribution", f"Step and type, {study.name}", columns, rows, notes)


def confusion(study: StudyData, numbers: dict[str, Estimate]) -> Table:
    """Set the true type in rows, what the judge said in columns."""
    types = study.runs.failure_type.names
    answers = (*types, "another type", "no type", "missed")
    rows = tuple(
        (judge, true, *(numbers.get(f"{judge}/confusion/{true}/{name}") for name in answers))
        for judge in study.judges
        for true in types
    )
    columns = (
        Column("Judge"),
        Column("True type"),
        *(Column(name, Style.COUNT) for name in answers),
    )
    return Table("confusion", f"Type named, by true type, {study.name}", columns, rows)
