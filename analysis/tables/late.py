"""The table of late parents: what changes when unjudged clean parents are added."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..metrics.key import ALL, NumberKey, Numbers, design_key
from ..stats.estimate import Estimate, point
from .table import Column, Style, Table

__all__ = ["late_parents"]


def late_parents(study: StudyData, before: Numbers, after: Numbers) -> Table:
    """Give Δ over the judged pairs, and the Δ that all pairs allow once every fault has a parent.

    A pair that a judge's view cannot tell apart is a structural zero and needs no
    verdict; of the others the unjudged side is taken at its worst and at its best.
    """
    rows = tuple(
        (
            judge,
            before[design_key("pairs")],
            before[NumberKey("delta", ALL, judge=judge)],
            after[design_key("pairs")],
            after[NumberKey("pairs", ALL, "dropped", judge)],
            _end(after[NumberKey("bounds", ALL, judge=judge)], least=True),
            _end(after[NumberKey("bounds", ALL, judge=judge)], least=False),
        )
        for judge in study.judges
    )
    columns = (
        Column("Judge"),
        Column("Pairs", Style.COUNT),
        Column("Δ", Style.SIGNED),
        Column("Pairs with late parents", Style.COUNT),
        Column("Of them unjudged", Style.COUNT),
        Column("Least Δ", Style.SIGNED),
        Column("Largest Δ", Style.SIGNED),
    )
    notes = ("Recall, false alarms, step, type and calibration rest on judged runs alone.",)
    title = f"What late parents change, {study.name}"
    return Table("late-parents", title, columns, rows, notes)


def _end(bound: Estimate, *, least: bool) -> Estimate:
    end = bound.ci_low if least else bound.ci_high
    return point(end, bound.n, bound.method, bound.reason)
