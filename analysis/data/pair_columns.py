"""The columns of plain data: verdicts of any origin."""

from __future__ import annotations

from dataclasses import dataclass

from faultpair.env.records import Cell

from .columns import Coded, FloatArray, IntArray

__all__ = ["COLUMNS", "ONE_JUDGE", "REQUIRED", "PairColumns"]

COLUMNS = {
    "judge": "the judge; may be left out if there is one",
    "unit": "what the runs of a cluster share, such as the task they solve",
    "run": "the run, by an id that no other run of the file has",
    "parent": "of a fault or a control: the clean run that it was made from; else empty",
    "flagged": "1 or true, 0 or false; empty or null if the judge gave no verdict",
    "score": "P(faulty) from 0 to 1, empty if there is none",
    "type": "of a fault: its type",
    "cell": f"of a fault: one of {', '.join(Cell)}",
    "scenario": "any other group that a run is in",
    "control": "of a control: its kind",
    "weight": "of a pair: how much it counts, 0 or more",
    "repeat": "the pass, from 0; 0 if left out",
    "seconds": "how long the verdict took",
}
"""The columns of plain data, and what each holds."""

REQUIRED = ("unit", "run", "parent")

ONE_JUDGE = "judge"
"""The name of the judge of data without a column of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairColumns:
    """Verdicts, and the runs that they are on, as columns.

    Attributes
    ----------
    judge, run : Coded, shape (verdicts,)
        The judge, and the run, whose names are those of the columns below, in their order.
    repeat, flagged : array of int, shape (verdicts,)
        The pass; 1 if flagged, 0 if not, -1 without a verdict.
    score, seconds : array of float, shape (verdicts,)
        P(faulty) and seconds, NaN where there is none.
    unit, type, cell, scenario, control : Coded, shape (runs,)
    parent : array of int, shape (runs,)
        The place of the parent among the runs, -1 for a clean run.
    weight : array of float, shape (runs,)
        1 where none is given.
    """

    name: str
    judge: Coded
    run: Coded
    repeat: IntArray
    flagged: IntArray
    score: FloatArray
    seconds: FloatArray
    unit: Coded
    parent: IntArray
    type: Coded
    cell: Coded
    scenario: Coded
    control: Coded
    weight: FloatArray
