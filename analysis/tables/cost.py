"""Tables of cost: seconds, tokens and calls, what is unscored, and flips under controls."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..metrics.key import NumberKey, Numbers
from .table import Column, Style, Table

__all__ = ["controls", "cost"]

NUMBERS = (
    ("runs/judged", Column("Judged", Style.COUNT)),
    ("runs/unscored", Column("Unscored", Style.COUNT)),
    ("runs/errors", Column("Errors", Style.COUNT)),
    ("runs/flagged", Column("Flagged", Style.COUNT)),
    ("rationales/distinct", Column("Distinct rationales", Style.COUNT)),
    ("cost/seconds", Column("Seconds a run", Style.AMOUNT)),
    ("cost/prompt-tokens", Column("Prompt tokens", Style.AMOUNT)),
    ("cost/completion-tokens", Column("Completion tokens", Style.AMOUNT)),
)
CALLS = (
    ("calls/made", Column("Calls made", Style.COUNT)),
    ("calls/shared", Column("Answers shared", Style.COUNT)),
    ("calls/not-sent", Column("Not sent", Style.COUNT)),
    ("calls/errors", Column("Calls failed", Style.COUNT)),
    ("calls/seconds", Column("Seconds in all", Style.AMOUNT)),
    ("calls/prompt-tokens", Column("Prompt tokens in all", Style.COUNT)),
    ("calls/completion-tokens", Column("Completion tokens in all", Style.COUNT)),
)
NOTES = (
    "Seconds and tokens a run are over runs that were asked about; an answer that several runs "
    "share is one. Calls and what they took in all are over all passes.",
    "A vote makes no call; what it costs a run is what its passes cost.",
)


def cost(study: StudyData, numbers: Numbers) -> Table:
    """Give the view, the task and the cost of each judge, and how varied its rationales are."""
    verdicts = study.verdicts
    shown = (*NUMBERS, *CALLS) if study.models else NUMBERS
    rows = tuple(
        (
            judge,
            view or "not told",
            task or "not told",
            *(numbers.get(NumberKey(stat, judge=judge)) for stat, _ in shown),
        )
        for judge, view, task in zip(study.judges, verdicts.view, verdicts.task, strict=True)
    )
    columns = (Column("Judge"), Column("View"), Column("Task"), *(c for _, c in shown))
    notes = NOTES if study.models else ()
    return Table("conduct", f"Conduct and cost, {study.name}", columns, rows, notes)


def controls(study: StudyData, numbers: Numbers) -> Table:
    """Give how often an edit that must change nothing changes the decision."""
    rows = tuple(
        (control, judge, numbers[NumberKey("flips", control, judge=judge)])
        for control in study.runs.control.names
        for judge in study.judges
    )
    columns = (Column("Control"), Column("Judge"), Column("Flips", Style.RATE))
    notes = ("Blind baselines never flip, a coin aside.",)
    return Table("controls", f"Flips under controls, {study.name}", columns, rows, notes)
