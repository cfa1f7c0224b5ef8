"""Specificity: does a judge lower the metrics that a fault harms, and leave the others?

A fault harms the metrics that it lowers by the corrected reference. A judge that lowers all
four grades of a faulty plan alike has the same mean drop on harmed and unharmed metrics.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from faultpair.judges.plan_metrics.metrics import METRICS

from ..data.columns import BoolArray, FloatArray
from ..stats.bootstrap import Replicates
from ..stats.estimate import NO_PAIR, point
from .alignment.key import PlanKey, PlanNumbers
from .alignment.marginals import estimated
from .alignment.match_score import SLACK
from .data import Plans
from .graders import GraderPass, first_passes
from .metric_drops import A_FACT, OF_THE_SET, REFERENCES, MetricDrops, PlanPairs, resampled_drops

__all__ = ["KINDS", "specificity_numbers"]

KINDS = ("harmed", "unharmed", "beyond", "controls")
"""Grades that a fault harms; the others of the same plans; all of plans with a fault that no
reference sees; all of plans without a fault."""


def specificity_numbers(
    pairs: PlanPairs, plans: Plans, passes: Sequence[GraderPass], n_resamples: int
) -> PlanNumbers:
    """Return the mean drop of the grades of each kind, and harmed minus unharmed."""
    kinds = _kinds(pairs, plans.references["corrected"])
    first = first_passes(passes)
    drops = {
        (place, kind): _drops(pairs, grades, grader.values)
        for place, grader in enumerate(first)
        for kind, grades in kinds.items()
    }
    replicates = resampled_drops(drops, n_resamples)
    numbers = _of_references(pairs, plans, kinds)
    for place, grader in enumerate(first):
        key = PlanKey("aim", **grader.place)
        for kind in kinds:
            delta = drops[place, kind].estimates(replicates[place, kind])["delta"]
            numbers[key._replace(of=kind)] = delta
        harmed, unharmed = replicates[place, "harmed"], replicates[place, "unharmed"]
        difference = Replicates(harmed.values - unharmed.values, harmed.n, NO_PAIR)
        numbers[key._replace(of="difference")] = estimated(difference)
    return numbers


def _kinds(pairs: PlanPairs, reference: FloatArray) -> dict[str, BoolArray]:
    """Return the grades of each kind, of shape (pairs, 4)."""
    harm = pairs.drop(reference)[:, : len(METRICS)] > SLACK
    is_harmed = harm.any(axis=1, keepdims=True)
    is_control = pairs.is_control[:, np.newaxis]
    every = np.ones_like(harm)
    kinds = (
        harm & ~is_control,
        ~harm & is_harmed & ~is_control,
        every & ~is_harmed & ~is_control,
        every & is_control,
    )
    return dict(zip(KINDS, kinds, strict=True))


def _drops(pairs: PlanPairs, grades: BoolArray, values: FloatArray) -> MetricDrops:
    drop = pairs.drop(values)[:, : len(METRICS)]
    row, column = np.nonzero(grades & ~np.isnan(drop))
    return MetricDrops.of(drop[row, column], pairs.record[row], pairs.n_records)


def _of_references(pairs: PlanPairs, plans: Plans, kinds: dict[str, BoolArray]) -> PlanNumbers:
    numbers: PlanNumbers = {}
    for variant in REFERENCES:
        drop = pairs.drop(plans.references[variant])[:, : len(METRICS)]
        for kind, grades in kinds.items():
            if grades.any():
                mean = float(drop[grades].mean())
                number = point(mean, int(grades.sum()), OF_THE_SET, A_FACT)
                numbers[PlanKey("aim", kind, f"reference={variant}")] = number
    return numbers
