"""Tables of pairs: recall beside Δ, and the outcomes of the pairs, group by group."""

from __future__ import annotations

from collections.abc import Callable

from ..data.study_data import StudyData
from ..metrics.baselines import baseline_names, of_coin
from ..metrics.detection import FALSE_ALARMS
from ..metrics.key import ALL, Group, NumberKey, Numbers, design_key
from ..metrics.pairs import OUTCOMES
from ..metrics.variants import BY_WORDING
from .table import Cell, Column, Style, Table

__all__ = ["cells", "policies", "reach", "scenarios", "strata", "types", "wordings"]

STRATA = ("all", "silent", "loud", "unchanged", "changed")
COLUMNS = (
    Column("Group"),
    Column("Judge"),
    Column("Faults", Style.COUNT),
    Column("Pairs", Style.COUNT),
    Column("Recall", Style.RATE),
    Column("Coin", Style.RATE),
    Column("Δ", Style.SIGNED),
    *(Column(outcome.capitalize(), Style.COUNT) for outcome in OUTCOMES),
    Column("Worst case", Style.SIGNED),
)
NOTES = (
    "Hit: only the fault is flagged; reversed: only its parent; dropped: a side is unscored.",
    "Coin: recall of a blind coin that flags as often as the judge; its Δ is 0.",
    "Worst case: Δ whatever the dropped pairs were.",
)


Row = tuple[Cell, ...]
Last = Callable[[Group, str], Cell]
"""What the last column says of a group and a judge."""


def cells(study: StudyData, numbers: Numbers) -> Table:
    """Group by cell: reply unchanged or changed, required outcome reached or lost."""
    rows = _rows(study, numbers, "cell")
    return _table(study, "cells", "Recall and Δ by cell", rows)


def strata(study: StudyData, numbers: Numbers) -> Table:
    """Group all faults; silent and loud; reply unchanged and changed."""
    rows = _rows(study, numbers, *STRATA)
    return _table(study, "strata", "Recall and Δ by stratum", rows)


def types(study: StudyData, numbers: Numbers) -> Table:
    """Group by fault type, with the exact McNemar test of each."""

    def test(group: Group, judge: str) -> Cell:
        return numbers.get(NumberKey("mcnemar", group, judge=judge))

    rows = _rows(study, numbers, "type", last=test)
    column = Column("McNemar p", Style.P)
    return _table(study, "types", "Recall and Δ by fault type", rows, column)


def scenarios(study: StudyData, numbers: Numbers) -> Table:
    """Group by scenario, with the false alarms there."""

    def alarms(group: Group, judge: str) -> Cell:
        return numbers.get(FALSE_ALARMS._replace(group=group, judge=judge))

    rows = _rows(study, numbers, "scenario", last=alarms)
    column = Column("False alarms", Style.RATE)
    return _table(study, "scenarios", "Recall and Δ by scenario", rows, column)


def reach(study: StudyData, numbers: Numbers) -> Table:
    """Group by whether a fault changes what a view shows."""
    rows = _rows(study, numbers, "reaches", "blind")
    return _table(study, "reach", "Δ by reach: does the fault change what the view shows?", rows)


def policies(study: StudyData, numbers: Numbers) -> Table:
    """Group by reply policy inside each cell."""
    rows = _rows(study, numbers, "policy")
    return _table(study, "policies", "Recall and Δ by reply policy inside a cell", rows)


def wordings(study: StudyData, numbers: Numbers) -> Table:
    """Group by wording of a fault, and its type with the wording as the unit of sampling."""
    clustered: list[Row] = [
        (f"{key.group}, resampled by wording", key.judge, *[None] * 4, number, *[None] * 6)
        for key, number in numbers.items()
        if key.stat == BY_WORDING
    ]
    rows = (*_rows(study, numbers, "variant"), *clustered)
    return _table(study, "wordings", "Recall and Δ by wording", rows)


def _table(study: StudyData, name: str, title: str, rows: tuple[Row, ...], *more: Column) -> Table:
    return Table(name, f"{title}, {study.name}", (*COLUMNS, *more), rows, NOTES)


def _rows(
    study: StudyData, numbers: Numbers, *factors: str, last: Last | None = None
) -> tuple[Row, ...]:
    groups = [
        key.group
        for key in numbers
        if (key.family, key.stat) == ("design", "pairs")
        and isinstance(key.group, Group)
        and key.group.factor in factors
    ]
    return tuple(
        (*_row(numbers, group, judge), *(() if last is None else (last(group, judge),)))
        for group in groups
        for judge in (*study.judges, *baseline_names(study.judges))
    )


def _row(numbers: Numbers, group: Group, judge: str) -> Row:
    bound = numbers.get(NumberKey("bounds", group, judge=judge))
    outcomes = [numbers.get(NumberKey("pairs", group, name, judge)) for name in OUTCOMES]
    dropped = outcomes[-1]
    return (
        str(group),
        judge,
        numbers.get(design_key("faults", group)),
        numbers.get(design_key("pairs", group)),
        numbers.get(NumberKey("recall", group, judge=judge)),
        numbers.get(of_coin(NumberKey("recall", ALL, judge=judge))),
        numbers.get(NumberKey("delta", group, judge=judge)),
        *outcomes,
        bound if dropped is not None and dropped.estimate else None,
    )
