"""Flips: how often a judge that is asked again about a plan says something else."""

from __future__ import annotations

import numpy as np

from faultpair.judges.plan_metrics.metrics import METRICS

from ...stats.bootstrap import Replicates, ratio
from ...stats.estimate import Estimate
from .grid import Grid, joined
from .marginals import estimated, number_name
from .record_bootstrap import EVERY, Resample

__all__ = ["ANY", "flip_numbers"]

ANY = "any"
"""In place of a metric: at least one of the four differs."""

NO_SECOND = "no plan was judged twice"
SAME = ("record", "generator", "judge", "tier", "condition")


def flip_numbers(grid: Grid, resample: Resample) -> dict[str, Estimate]:
    """Return the share of verdicts that differ between the first pass and the second."""
    first, second = grid.pass_of(0), grid.pass_of(1)
    one, other = joined(first, second, *SAME)
    if not len(one):
        return {}
    plans = first.take(one)
    differs = plans.verdict != second.verdict[other]
    values = np.column_stack((np.ones(len(plans)), differs, differs.any(axis=1))).astype(np.int64)
    group = plans.key("condition", "judge")
    n_groups = len(plans.condition.names) * len(plans.judge.names)
    sums = resample.sums(plans.record.codes, group, values, n_groups)[:, EVERY]
    found: dict[str, Estimate] = {}
    for code in np.unique(group).tolist():
        condition, judge = divmod(code, len(plans.judge.names))
        names = {"condition": plans.condition.names[condition], "judge": plans.judge.names[judge]}
        n = sums[:, code, 0]
        for place, metric in enumerate((*METRICS, ANY), start=1):
            drawn = Replicates(ratio(sums[:, code, place], n), int(n[0]), NO_SECOND)
            found[number_name("flips", **names, metric=metric)] = estimated(drawn)
    return found
