"""Tables of cost: seconds, tokens and calls, what is unscored, and flips under controls."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..metrics.controls import CONTROL_DELTA
from ..metrics.key import ALL, Group, NumberKey, Numbers
from .rows import of_judge
from .table import Column, Style, Table, rates, signed, words

__all__ = ["controls", "cost"]

NUMBERS = {
    NumberKey("runs/judged"): Column("Judged", Style.COUNT),
    NumberKey("runs/unscored"): Column("Unscored", Style.COUNT),
    NumberKey("runs/errors"): Column("Errors", Style.COUNT),
    NumberKey("runs/flagged"): Column("Flagged", Style.COUNT),
    NumberKey("rationales/distinct"): Column("Distinct rationales", Style.COUNT),
    NumberKey("cost/seconds"): Column("Seconds a run", Style.AMOUNT),
    NumberKey("cost/prompt-tokens"): Column("Prompt tokens", Style.AMOUNT),
    NumberKey("cost/completion-tokens"): Column("Completion tokens", Style.AMOUNT),
}
CALLS = {
    NumberKey("calls/made"): Column("Calls made", Style.COUNT),
    NumberKey("calls/shared"): Column("Answers shared", Style.COUNT),
    NumberKey("calls/not-sent"): Column("Not sent", Style.COUNT),
    NumberKey("calls/errors"): Column("Calls failed", Style.COUNT),
    NumberKey("calls/seconds"): Column("Seconds in all", Style.AMOUNT),
    NumberKey("calls/prompt-tokens"): Column("Prompt tokens in all", Style.COUNT),
    NumberKey("calls/completion-tokens"): Column("Completion tokens in all", Style.COUNT),
}
NOTES = (
    "Seconds and tokens a run are over runs that were asked about; an answer that several runs "
    "share is one. Calls and what they took in all are over all passes.",
    "A vote makes no call; what it costs a run is what its passes cost.",
)


def cost(study: StudyData, numbers: Numbers) -> Table:
    """Give the view, the task and the cost of each judge, and how varied its rationales are."""
    verdicts = study.verdicts
    shown = NUMBERS | CALLS if study.models else NUMBERS
    rows = tuple(
        (judge, view or "not told", task or "not told", *of_judge(numbers, shown, judge))
        for judge, view, task in zip(study.judges, verdicts.view, verdicts.task, strict=True)
    )
    columns = (*words("Judge", "View", "Task"), *shown.values())
    notes = NOTES if study.models else ()
    return Table("conduct", f"Conduct and cost, {study.name}", columns, rows, notes)


def controls(study: StudyData, numbers: Numbers) -> Table:
    """Give how often an edit that must change nothing changes the decision."""
    kinds: tuple[Group | str, ...] = study.runs.control.names
    rows = tuple(
        (
            str(kind),
            judge,
            numbers.get(NumberKey("flips", kind, judge=judge)),
            numbers[NumberKey(CONTROL_DELTA, kind, judge=judge)],
        )
        for kind in (*kinds, *([ALL] if kinds else []))
        for judge in study.judges
    )
    columns = words("Control", "Judge") + rates("Flips") + signed("Control-Δ")
    notes = (
        "Blind baselines never flip, a coin aside.",
        "Control-Δ: flag rate on controls minus flag rate on their clean parents. A judge that "
        "reacts to edits rather than to faults has one above 0.",
    )
    return Table("controls", f"Flips under controls, {study.name}", columns, rows, notes)
