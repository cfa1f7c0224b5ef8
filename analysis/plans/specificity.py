"""Aim: does a judge take down the metrics that a fault has harmed, and leave the others?

Harm is what the corrected reference takes down. A judge that only smells that something
is wrong lowers all four grades, and its two means come out alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from faultpair.judges.plan_metrics.metrics import METRICS

from ..data.columns import BoolArray, FloatArray
from ..metrics.pairs import NO_PAIR
from ..stats.bootstrap import Replicates
from ..stats.estimate import Estimate
from ..stats.intervals import from_draws
from .alignment.marginals import number_name
from .alignment.match_score import SLACK
from .alignment.record_bootstrap import BY_RECORD
from .data import Plans
from .graders import GraderPass, first_passes
from .metric_drops import Falls, resampled_falls
from .pairs import A_FACT, OF_THE_SET, REFERENCES, PlanPairs

__all__ = ["AIMS", "aim_numbers"]

AIMS = ("harmed", "unharmed", "beyond", "controls")
"""Grades that a fault harms; the others on the same plans; all where nothing is harmed that a
reference could see; all of plans in which nothing is wrong."""


def aim_numbers(
    pairs: PlanPairs, plans: Plans, seats: Sequence[GraderPass], n_resamples: int
) -> dict[str, Estimate]:
    """Return the mean fall of the grades of each kind, and harmed minus unharmed."""
    kinds = _kinds(pairs, plans.references["corrected"])
    first = first_passes(seats)
    falls = {
        (place, aim): _falls(pairs, grades, seat.values)
        for place, seat in enumerate(first)
        for aim, grades in kinds.items()
    }
    drawn = resampled_falls(falls, n_resamples)
    found = _of_references(pairs, plans, kinds)
    for place, seat in enumerate(first):
        for aim in kinds:
            number = falls[place, aim].estimates(drawn[place, aim])["delta"]
            found[number_name(f"aim/{aim}", **seat.place)] = number
        harmed, unharmed = drawn[place, "harmed"], drawn[place, "unharmed"]
        difference = Replicates(harmed.values - unharmed.values, harmed.n, NO_PAIR)
        found[number_name("aim/difference", **seat.place)] = from_draws(difference, BY_RECORD)
    return found


def _kinds(pairs: PlanPairs, reference: FloatArray) -> dict[str, BoolArray]:
    """Say of every grade, of shape (pairs, 4), which kind it is of."""
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
    return dict(zip(AIMS, kinds, strict=True))


def _falls(pairs: PlanPairs, grades: BoolArray, values: FloatArray) -> Falls:
    drop = pairs.drop(values)[:, : len(METRICS)]
    row, column = np.nonzero(grades & ~np.isnan(drop))
    return Falls.of(drop[row, column], pairs.record[row], pairs.n_records)


def _of_references(
    pairs: PlanPairs, plans: Plans, kinds: dict[str, BoolArray]
) -> dict[str, Estimate]:
    found: dict[str, Estimate] = {}
    for variant in REFERENCES:
        drop = pairs.drop(plans.references[variant])[:, : len(METRICS)]
        for aim, grades in kinds.items():
            if grades.any():
                mean = float(drop[grades].mean())
                number = Estimate(mean, None, None, int(grades.sum()), OF_THE_SET, A_FACT)
                found[f"aim/{aim}/reference={variant}"] = number
    return found
