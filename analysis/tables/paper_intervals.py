"""The numbers of the paper with both intervals: the one that we publish, and the paper's own.

The paper has percentile bootstraps, over design cells or over instances, and the exact
interval for a recall or false-alarm rate of exactly 0 or 1. Ours are those of
docs/decisions/0036-intervals-that-cover.md.
"""

from __future__ import annotations

from ..metrics.catalog import Computed
from ..metrics.detection import FALSE_ALARMS
from ..metrics.key import ALL, LOUD, SILENT, Group, NumberKey, Numbers
from ..stats.bootstrap import Replicates
from ..stats.estimate import Estimate
from ..stats.intervals import BY_INSTANCE, clopper_pearson, from_replicates
from .table import Row, Table, rates, words

__all__ = ["of_paper", "paper_intervals"]

CELLS = ("unchanged-survives", "unchanged-lost", "changed-survives", "changed-lost")
SHOWN = {
    NumberKey("recall", ALL): "recall",
    NumberKey("recall", SILENT): "recall, silent",
    NumberKey("recall", LOUD): "recall, loud",
    FALSE_ALARMS: "false alarms",
    NumberKey("gap/recall-loud-minus-silent"): "recall, loud minus silent",
    NumberKey("delta", ALL): "Δ",
    NumberKey("delta", SILENT): "Δ, silent",
    NumberKey("delta", LOUD): "Δ, loud",
    **{NumberKey("delta", Group("cell", cell)): f"Δ, {cell}" for cell in CELLS},
    NumberKey("gap/delta-loud-minus-silent"): "Δ, loud minus silent",
    NumberKey("localisation/detected"): "step, of detected",
    NumberKey("localisation/joint"): "step, of all",
    NumberKey("typing/macro-f1"): "type F1",
    NumberKey("typing/joint"): "type, of all",
    NumberKey("ece"): "ECE",
    NumberKey("brier"): "Brier",
    NumberKey("f1"): "F1",
    NumberKey("precision", "0.05"): "precision at 5 %",
}
"""The numbers of the paper that have an interval there."""


def paper_intervals(computed: Computed, numbers: Numbers) -> Table:
    """Give each number of the paper that has an interval, with ours and with the paper's."""
    rows: list[Row] = []
    for place, judge in enumerate(computed.study.judges):
        replicates = computed.replicates(place)
        for key, title in SHOWN.items():
            ours = numbers.get(key._replace(judge=judge))
            if ours is not None and key in replicates:
                rows.append((judge, title, ours, of_paper(key, replicates[key])))
    columns = words("Judge", "Number") + rates("Our interval", "The paper's interval")
    notes = (
        "Both are of the same number. The paper resamples runs inside the cells of the design, or "
        "instances where runs are paired; a recall or a false-alarm rate of 0 or 1 has the exact "
        "interval for independent runs.",
    )
    title = f"Our intervals beside those of the paper, {computed.study.name}"
    return Table("paper-intervals", title, columns, tuple(rows), notes)


def of_paper(key: NumberKey, number: Replicates) -> Estimate:
    """Return a number with the interval that the paper gives it."""
    found = from_replicates(number, BY_INSTANCE)
    is_rate = key.stat == "recall" or key == FALSE_ALARMS
    if is_rate and found.estimate in (0.0, 1.0):
        ends = clopper_pearson(round(found.estimate * found.n), found.n)
        return Estimate(found.estimate, *ends, found.n, "Clopper-Pearson")
    return found
