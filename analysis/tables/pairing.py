"""Tables of pairs: recall beside Δ, and the outcomes of the pairs, group by group."""

from __future__ import annotations

from dataclasses import replace

from ..data.study_data import StudyData
from ..metrics.baselines import baseline_names, of_coin
from ..metrics.detection import FALSE_ALARMS
from ..metrics.key import ALL, Group, NumberKey, Numbers, design_key
from ..metrics.pairs import MATCHED, OUTCOMES
from ..metrics.variants import BY_WORDING
from .rows import of_judge
from .table import Column, Row, Style, Table, counts, rates, signed, words

__all__ = ["cells", "policies", "reach", "scenarios", "strata", "types", "wordings"]

STRATA = ("all", "silent", "loud", "unchanged", "changed")
COLUMNS = (
    *(words("Group", "Judge") + counts("Faults", "Pairs") + rates("Recall", "Coin") + signed("Δ")),
    *(counts(*map(str.capitalize, OUTCOMES)) + signed("Worst case")),
)
NOTES = (
    "Hit: only the fault is flagged; reversed: only its parent; dropped: a side is unscored.",
    "Coin: recall of a blind coin that flags as often as the judge; its Δ is 0.",
    "Worst case: Δ whatever the dropped pairs were.",
)
TESTED = (Column("Matched sets p", Style.P), Column("Holm p", Style.P))
TEST_NOTE = (
    "Matched sets p: exact, two-sided; a blind judge flags any run of an instance, its clean run "
    "or a fault, as likely as any other. With one fault an instance it is McNemar's test."
)
HOLM_NOTE = "Holm p: adjusted over the {} tests of all types and judges."


def cells(study: StudyData, numbers: Numbers) -> Table:
    """Group by cell: reply unchanged or changed, required outcome reached or lost."""
    return _table(study, "cells", "Recall and Δ by cell", _rows(study, numbers, "cell"))


def strata(study: StudyData, numbers: Numbers) -> Table:
    """Group all faults; silent and loud; reply unchanged and changed."""
    return _table(study, "strata", "Recall and Δ by stratum", _rows(study, numbers, *STRATA))


def types(study: StudyData, numbers: Numbers) -> Table:
    """Group by fault type, with the exact test of matched sets of each."""
    tests = (NumberKey(MATCHED), NumberKey(MATCHED, part="p-holm"))
    rows = _rows(study, numbers, "type", last=tests)
    table = _table(study, "types", "Recall and Δ by fault type", rows, *TESTED)
    n_tests = sum(key.stat == MATCHED and not key.part for key in numbers)
    return replace(table, notes=(*table.notes, TEST_NOTE, HOLM_NOTE.format(n_tests)))


def scenarios(study: StudyData, numbers: Numbers) -> Table:
    """Group by scenario, with the false alarms there."""
    rows = _rows(study, numbers, "scenario", last=(FALSE_ALARMS,))
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
    study: StudyData, numbers: Numbers, *factors: str, last: tuple[NumberKey, ...] = ()
) -> tuple[Row, ...]:
    """Return a row a group and judge; ``last`` are further numbers of both."""
    groups = [
        key.group
        for key in numbers
        if (key.family, key.stat) == ("design", "pairs")
        and isinstance(key.group, Group)
        and key.group.factor in factors
    ]
    return tuple(
        _row(numbers, group, judge)
        + of_judge(numbers, (key._replace(group=group) for key in last), judge)
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
