"""Flips: how often the second verdict of a judge on the same plan differs from the first."""

from __future__ import annotations

import numpy as np

from faultpair.judges.plan_metrics.metrics import METRICS

from ...data.columns import ratio
from ...stats.bootstrap import Replicates
from .grid import Grid, joined
from .key import PlanKey, PlanNumbers
from .marginals import estimated
from .record_bootstrap import EVERY, Resample

__all__ = ["ANY", "flip_numbers"]

ANY = "any"
"""In place of a metric: at least one of the four differs."""

NO_SECOND = "no plan was judged twice"
SAME = ("record", "generator", "judge", "tier", "condition")


def flip_numbers(grid: Grid, resample: Resample) -> PlanNumbers:
    """Return the share of verdicts that differ between the first pass and the second."""
    first, second = grid.pass_of(0), grid.pass_of(1)
    one, other = joined(first, second, SAME)
    if not len(one):
        return {}
    plans = first.take(one)
    differs = plans.verdict != second.verdict[other]
    values = np.column_stack((np.ones(len(plans)), differs, differs.any(axis=1))).astype(np.int64)
    group = plans.key("condition", "judge")
    n_groups = len(plans.condition.names) * len(plans.judge.names)
    sums = resample.sums(plans.record.codes, group, values, n_groups)[:, EVERY]
    numbers: PlanNumbers = {}
    for code in np.unique(group).tolist():
        # `Grid.key` numbers a combination as condition · judges + judge.
        condition, judge = divmod(code, len(plans.judge.names))
        names = {"condition": plans.condition.names[condition], "judge": plans.judge.names[judge]}
        n = sums[:, code, 0]
        for place, metric in enumerate((*METRICS, ANY), start=1):
            share = Replicates(ratio(sums[:, code, place], n), int(n[0]), NO_SECOND)
            numbers[PlanKey("flips", **names, metric=metric)] = estimated(share)
    return numbers
