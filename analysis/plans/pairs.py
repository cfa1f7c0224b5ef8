"""Pairs of plans: how far a planted fault takes each metric down, by judge and by reference.

Δ of a metric is the mean over pairs of value(parent) − value(fault), so that it is above
zero where the judge sees a fault. `falls` has its intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from faultpair.judges.plan_metrics.metrics import METRICS

from ..data.columns import BoolArray, Coded, FloatArray, IntArray
from ..data.study_data import StudyData
from ..metrics.pairs import NO_PAIR
from ..stats.estimate import Estimate, count, undefined
from .alignment.marginals import number_name
from .data import Plans
from .graders import GraderPass, first_passes
from .metric_drops import Falls, resampled_falls

__all__ = ["OVERALL", "PLANTED", "REFERENCES", "PlanPairs", "pair_numbers"]

OVERALL = "overall"
"""In place of a metric: the mean of the four."""

PLANTED = (*METRICS, OVERALL)
REFERENCES = ("printed", "corrected")
"""The variants of the reference that stand beside the judges."""

OF_THE_SET = "mean over pairs"
A_FACT = "a fact of the plans, without chance"


@dataclass(frozen=True, slots=True)
class PlanPairs:
    """The planted plans of a study, faults first, and their clean parents.

    Attributes
    ----------
    planted, parent : int, shape (pairs,)
        Rows of the runs.
    kind : Coded, shape (pairs,)
        The name of the fault or control.
    is_control : bool, shape (pairs,)
    record : int, shape (pairs,)
    """

    planted: IntArray
    parent: IntArray
    kind: Coded
    is_control: BoolArray
    record: IntArray
    n_records: int

    @classmethod
    def of(cls, study: StudyData, plans: Plans) -> PlanPairs:
        """List the pairs of a study; there are none where models planned."""
        runs = study.runs
        is_control = runs.control.codes >= 0
        planted = np.flatnonzero((runs.parent >= 0) & (runs.faulty | is_control))
        names = [
            runs.control.name(row) or runs.failure_type.name(row) or "" for row in planted.tolist()
        ]
        order = {name: place for place, name in enumerate(plans.origin.names)}
        # In the order of the catalog; a variant of a fault is the fault.
        kinds = sorted(set(names), key=lambda name: (order.get(name, len(order)), name))
        codes = np.array([kinds.index(name) for name in names], np.int64)
        return cls(
            planted,
            runs.parent[planted],
            Coded(tuple(kinds), codes),
            is_control[planted],
            plans.record.codes[planted],
            len(plans.record.names),
        )

    def __len__(self) -> int:
        return len(self.planted)

    def drop(self, values: FloatArray) -> FloatArray:
        """Return value(parent) − value(fault) of the four metrics and of their mean.

        ``values`` has shape (runs, 4), what is returned (pairs, 5); NaN where a side has none.
        """
        drop = values[self.parent] - values[self.planted]
        return np.column_stack((drop, drop.mean(axis=1)))


def pair_numbers(
    pairs: PlanPairs, plans: Plans, seats: Sequence[GraderPass], n_resamples: int
) -> dict[str, Estimate]:
    """Return Δ of every metric by kind of fault, judge and condition, and that of references.

    With each Δ come its intervals, the p of sign flips over records, the pairs that were
    dropped, and the bounds that they leave.
    """
    first = first_passes(seats)
    falls = dict(_falls(pairs, first))
    drawn = resampled_falls(falls, n_resamples)
    found = dict(_of_references(pairs, plans))
    for (place, kind, metric), fall in falls.items():
        named = first[place].place
        own = fall.estimates(drawn[place, kind, metric])
        own |= _lost(pairs, first[place], kind, PLANTED.index(metric), fall.n)
        found |= {
            number_name(f"pairs/{kind}/{name}", **named, metric=metric): number
            for name, number in own.items()
        }
    return found


def _falls(
    pairs: PlanPairs, seats: Sequence[GraderPass]
) -> Iterator[tuple[tuple[int, str, str], Falls]]:
    for place, seat in enumerate(seats):
        drop = pairs.drop(seat.values)
        for kind in pairs.kind.names:
            own = pairs.kind.where(kind) & ~np.isnan(drop).any(axis=1)
            for column, metric in enumerate(PLANTED):
                parts = len(METRICS) if metric == OVERALL else 1
                falls = Falls.of(drop[own, column], pairs.record[own], pairs.n_records, parts)
                yield (place, kind, metric), falls


def _lost(
    pairs: PlanPairs, seat: GraderPass, kind: str, column: int, n_known: int
) -> dict[str, Estimate]:
    """Return the pairs that the judge was to grade and did not, and the bounds that they leave."""
    meant = pairs.kind.where(kind) & seat.meant[pairs.planted]
    n = int(meant.sum())
    found = {"n": count(n_known, n), "dropped": count(n - n_known, n)}
    if n == 0:
        return found | {"bounds": undefined(NO_PAIR)}
    known = pairs.drop(seat.values)[meant]
    dropped = np.isnan(known).any(axis=1)
    low, high = (
        float(pairs.drop(_filled(seat.values, parent, planted, pairs))[meant, column].mean())
        for parent, planted in ((0.0, 1.0), (1.0, 0.0))
    )
    value = float(known[~dropped, column].mean()) if n_known else None
    reason = f"{n - n_known} of {n} pairs have a side without grades"
    return found | {"bounds": Estimate(value, low, high, n, "worst-case bounds", reason)}


def _filled(values: FloatArray, parent: float, planted: float, pairs: PlanPairs) -> FloatArray:
    """Return the grades with the missing ones of parents and of planted plans put in."""
    found = values.copy()
    for rows, value in ((pairs.parent, parent), (pairs.planted, planted)):
        found[rows] = np.where(np.isnan(found[rows]), value, found[rows])
    return found


def _of_references(pairs: PlanPairs, plans: Plans) -> Iterator[tuple[str, Estimate]]:
    for variant in REFERENCES:
        drop = pairs.drop(plans.references[variant])
        for kind in pairs.kind.names:
            own = drop[pairs.kind.where(kind)]
            for column, metric in enumerate(PLANTED):
                mean = float(own[:, column].mean())
                name = number_name(f"pairs/{kind}/reference={variant}", metric=metric)
                yield name, Estimate(mean, None, None, len(own), OF_THE_SET, A_FACT)
