"""The table of late parents: what changes when unjudged clean parents are added."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..metrics.key import ALL, NumberKey, Numbers, design_key
from ..stats.estimate import point
from .table import Row, Table, counts, signed, words

__all__ = ["late_parents"]


def late_parents(study: StudyData, before: Numbers, after: Numbers) -> Table:
    """Give Δ over the judged pairs, and the Δ that all pairs allow once every fault has a parent.

    A pair that a judge's view cannot tell apart is a structural zero and needs no
    verdict; of the others the unjudged side is taken at its worst and at its best.
    """
    rows: list[Row] = []
    pairs = design_key("pairs")
    for judge in study.judges:
        delta = before[NumberKey("delta", ALL, judge=judge)]
        dropped = after[NumberKey("pairs", ALL, "dropped", judge)]
        bound = after[NumberKey("bounds", ALL, judge=judge)]
        least, most = (
            point(end, bound.n, bound.method, bound.reason) for end in (bound.ci_low, bound.ci_high)
        )
        rows.append((judge, before[pairs], delta, after[pairs], dropped, least, most))
    columns = words("Judge") + counts("Pairs") + signed("Δ")
    columns += counts("Pairs with late parents", "Of them unjudged")
    columns += signed("Least Δ", "Largest Δ")
    notes = ("Recall, false alarms, step, type and calibration rest on judged runs alone.",)
    title = f"What late parents change, {study.name}"
    return Table("late-parents", title, columns, tuple(rows), notes)
