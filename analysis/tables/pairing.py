"""Tables of pairs: recall beside Δ, and what became of every pair, group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..data.study_data import StudyData
from ..metrics.baselines import baseline_names
from ..stats.estimate import Estimate
from .table import Column, Style, Table

__all__ = ["cells", "policies", "reach", "scenarios", "strata", "types", "wordings"]

Numbers = dict[str, Estimate]

FATES = ("hit", "reversed", "both", "neither", "dropped")
COLUMNS = (
    Column("Group"),
    Column("Judge"),
    Column("Faults", Style.COUNT),
    Column("Pairs", Style.COUNT),
    Column("Recall", Style.RATE),
    Column("Coin", Style.RATE),
    Column("Δ", Style.SIGNED),
    *(Column(fate.capitalize(), Style.COUNT) for fate in FATES),
    Column("Worst case", Style.SIGNED),
)
NOTES = (
    "Hit: only the fault is flagged; reversed: only its parent; dropped: a side is unscored.",
    "Coin: recall of a blind coin that flags as often as the judge; its Δ is 0.",
    "Worst case: Δ whatever the dropped pairs were.",
)


def cells(study: StudyData, numbers: Numbers) -> Table:
    """Group by cell: reply unchanged or changed, required outcome reached or lost."""
    return _groups(study, numbers, "cells", "Recall and Δ by cell", lambda g: g.startswith("cell="))


def strata(study: StudyData, numbers: Numbers) -> Table:
    """Group all faults; silent and loud; reply unchanged and changed."""
    names = ("all", "silent", "loud", "unchanged", "changed")
    return _groups(study, numbers, "strata", "Recall and Δ by stratum", names.__contains__)


def types(study: StudyData, numbers: Numbers) -> Table:
    """Group by fault type, with the exact McNemar test of each."""
    table = _groups(
        study, numbers, "types", "Recall and Δ by fault type", lambda g: g.startswith("type=")
    )
    rows = tuple((*row, numbers.get(f"{row[1]}/mcnemar/{row[0]}")) for row in table.rows)
    columns = (*table.columns, Column("McNemar p", Style.P))
    return Table(table.name, table.title, columns, rows, table.notes)


def scenarios(study: StudyData, numbers: Numbers) -> Table:
    """Group by scenario, with the false alarms there."""
    table = _groups(
        study, numbers, "scenarios", "Recall and Δ by scenario", lambda g: g.startswith("scenario=")
    )
    rows = tuple((*row, numbers.get(f"{row[1]}/false-alarms/{row[0]}")) for row in table.rows)
    columns = (*table.columns, Column("False alarms", Style.RATE))
    return Table(table.name, table.title, columns, rows, table.notes)


def reach(study: StudyData, numbers: Numbers) -> Table:
    """Group by whether a fault changes what a view shows."""
    return _groups(
        study,
        numbers,
        "reach",
        "Δ by reach: does the fault change what the view shows?",
        lambda group: group.startswith(("reaches=", "blind=")),
    )


def policies(study: StudyData, numbers: Numbers) -> Table:
    """Group by reply policy inside each cell."""
    return _groups(
        study,
        numbers,
        "policies",
        "Recall and Δ by reply policy inside a cell",
        lambda group: group.startswith("policy="),
    )


def wordings(study: StudyData, numbers: Numbers) -> Table:
    """Group by wording of a fault, and its type with the wording as the unit of sampling."""
    table = _groups(
        study,
        numbers,
        "wordings",
        "Recall and Δ by wording",
        lambda group: group.startswith("variant="),
    )
    clustered: list[tuple[Estimate | str | None, ...]] = []
    for name, estimate in numbers.items():
        judge, found, group = name.partition("/delta-by-wording/")
        if found:
            clustered.append(
                (f"{group}, resampled by wording", judge, *[None] * 4, estimate, *[None] * 6)
            )
    return Table(table.name, table.title, table.columns, (*table.rows, *clustered), table.notes)


def _groups(
    study: StudyData, numbers: Numbers, name: str, title: str, chosen: Callable[[str], bool]
) -> Table:
    rows = tuple(
        _row(numbers, group, judge)
        for group in _names(numbers)
        if chosen(group)
        for judge in (*study.judges, *baseline_names(study.judges))
    )
    return Table(name, f"{title}, {study.name}", COLUMNS, rows, NOTES)


def _names(numbers: Numbers) -> Iterable[str]:
    start = "design/pairs/"
    return [name.removeprefix(start) for name in numbers if name.startswith(start)]


def _row(numbers: Numbers, group: str, judge: str) -> tuple[Estimate | str | None, ...]:
    bound = numbers.get(f"{judge}/bounds/{group}")
    dropped = numbers.get(f"{judge}/pairs/{group}/dropped")
    return (
        group,
        judge,
        numbers.get(f"design/faults/{group}"),
        numbers.get(f"design/pairs/{group}"),
        numbers.get(f"{judge}/recall/{group}"),
        numbers.get(f"{judge}/coin/recall/all"),
        numbers.get(f"{judge}/delta/{group}"),
        *(numbers.get(f"{judge}/pairs/{group}/{fate}") for fate in FATES),
        bound if dropped is not None and dropped.estimate else None,
    )
