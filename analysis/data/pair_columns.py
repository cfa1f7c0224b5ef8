"""The columns of plain data: verdicts of any origin."""

from faultpair.env.records import Cell

__all__ = ["COLUMNS", "ONE_JUDGE", "REQUIRED"]

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
