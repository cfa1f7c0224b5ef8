"""Metric drops: how far a planted fault lowers each metric, by judge and by reference.

The drop of a metric in a pair is value(clean plan) − value(planted plan), and Δ its mean:
above zero where the judge sees the fault. A grade on 0, ½, 1 is the mean of two binary
answers (is the plan below 1? is it below ½?), so that Δ is a difference of paired
proportions with two answers a pair, and has their intervals. The correlation of the two
answers of a pair, and of the pairs of a record, is part of the design effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeVar

import numpy as np

from faultpair.judges.plan_metrics.metrics import METRICS

from ..data.columns import BoolArray, Coded, FloatArray, IntArray, ratio
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, UnitColumns
from ..stats.clusters import IN_PARTS
from ..stats.estimate import NO_PAIR, Estimate, count, point, undefined
from ..stats.intervals import BY_INSTANCE, delta_estimate, from_replicates
from ..stats.paired_difference import Clustered
from ..stats.tests import sign_flip
from .alignment.key import OVERALL, PlanKey, PlanNumbers
from .data import Plans
from .graders import GraderPass, first_passes

__all__ = [
    "A_FACT",
    "COLUMNS",
    "OF_THE_SET",
    "REFERENCES",
    "MetricDrops",
    "PlanPairs",
    "drop_numbers",
    "resampled_drops",
]

COLUMNS = (*METRICS, OVERALL)
REFERENCES = ("printed", "corrected")
"""The variants of the reference that are shown beside the judges."""

OF_THE_SET = "mean over pairs"
A_FACT = "a fact of the plans, without chance"

STEPS = 2
"""Steps of the scale 0, ½, 1."""

FINE_STEPS = 1_000
"""Steps of other grades, which are rounded to thousandths."""

PURPOSE = "plan pairs"

K = TypeVar("K", bound=tuple[object, ...])


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
        names = [runs.control.name(r) or runs.failure_type.name(r) or "" for r in planted.tolist()]
        order = {name: place for place, name in enumerate(plans.origin.names)}
        # In the order of the catalog; a variant of a fault is the fault.
        kinds = sorted(set(names), key=lambda name: (order.get(name, len(order)), name))
        codes = np.array([kinds.index(name) for name in names], np.int64)
        return cls(
            planted=planted,
            parent=runs.parent[planted],
            kind=Coded(tuple(kinds), codes),
            is_control=is_control[planted],
            record=plans.record.codes[planted],
            n_records=len(plans.record.names),
        )

    def __len__(self) -> int:
        return len(self.planted)

    def drop(self, values: FloatArray) -> FloatArray:
        """Return the drops of the four metrics and of their mean.

        ``values`` has shape (runs, 4), the result (pairs, 5); NaN where a side has none.
        """
        drop = values[self.parent] - values[self.planted]
        return np.column_stack((drop, drop.mean(axis=1)))


@dataclass(frozen=True, slots=True)
class MetricDrops:
    """Drops of some grades, in steps of their scale, summed by record.

    The tiers of a record have one plan and one fault, so records are resampled.

    Attributes
    ----------
    gain, loss, size : int, shape (records,)
        The sums of the drops and of the rises, and the largest that either could be.
    n : int
        The number of pairs of grades.
    """

    gain: IntArray
    loss: IntArray
    size: IntArray
    n: int

    @classmethod
    def of(cls, drop: FloatArray, record: IntArray, n_records: int, parts: int = 1) -> Self:
        """Sum drops in [-1, 1]; ``parts`` is how many grades each of them is the mean of."""
        # In whole steps sums are exact, and each step is one of the binary answers of a pair.
        is_on_scale = bool((drop * parts * STEPS == np.rint(drop * parts * STEPS)).all())
        steps = parts * (STEPS if is_on_scale else FINE_STEPS)
        moved = np.rint(drop * steps).astype(np.int64)
        gain, loss = (
            np.bincount(record, np.maximum(side, 0), minlength=n_records).astype(np.int64)
            for side in (moved, -moved)
        )
        return cls(gain, loss, np.bincount(record, minlength=n_records) * steps, len(drop))

    @property
    def total(self) -> IntArray:
        """Return the sum of the drops of each record."""
        return self.gain - self.loss

    def estimates(self, delta: Replicates) -> dict[str, Estimate]:
        """Return Δ, the bootstrap interval beside it, and the two-sided p of sign flips."""
        some = self.size > 0
        pairs = Clustered(self.gain[some], self.loss[some], self.size[some], IN_PARTS)
        numbers = {
            "delta": replace(delta_estimate(pairs, delta.undefined_reason), n=self.n),
            "delta/percentile": replace(from_replicates(delta, BY_INSTANCE), n=self.n),
            "p": sign_flip(self.total[some]) if some.any() else undefined(NO_PAIR),
        }
        return {name: _over_records(number) for name, number in numbers.items()}


def resampled_drops(drops: Mapping[K, MetricDrops], n_resamples: int) -> dict[K, Replicates]:
    """Return the mean of each under the same resamples of the records."""
    n_records = max((len(drop.total) for drop in drops.values()), default=0)
    columns = UnitColumns(n_records)
    for key, drop in drops.items():
        columns.add((*key, "total"), drop.total)
        columns.add((*key, "size"), drop.size)
    sums = columns.sums(purpose=PURPOSE, n_resamples=n_resamples)
    return {
        key: Replicates(ratio(sums[*key, "total"], sums[*key, "size"]), drop.n, NO_PAIR)
        for key, drop in drops.items()
    }


def drop_numbers(
    pairs: PlanPairs, plans: Plans, passes: Sequence[GraderPass], n_resamples: int
) -> PlanNumbers:
    """Return Δ of every metric by kind of fault, judge and condition, and that of references.

    With each Δ come its intervals, the p of sign flips over records, the dropped pairs, and
    the bounds that they leave.
    """
    first = first_passes(passes)
    drops = dict(_drops(pairs, first))
    replicates = resampled_drops(drops, n_resamples)
    numbers = dict(_of_references(pairs, plans))
    for (place, kind, metric), drop in drops.items():
        key = PlanKey("pairs", kind, **first[place].place, metric=metric)
        own = drop.estimates(replicates[place, kind, metric])
        own |= _missing(pairs, first[place], kind, COLUMNS.index(metric), drop.n)
        numbers |= {key._replace(part=name): number for name, number in own.items()}
    return numbers


def _drops(
    pairs: PlanPairs, graders: Sequence[GraderPass]
) -> Iterator[tuple[tuple[int, str, str], MetricDrops]]:
    for place, grader in enumerate(graders):
        drop = pairs.drop(grader.values)
        for kind in pairs.kind.names:
            own = pairs.kind.where(kind) & ~np.isnan(drop).any(axis=1)
            record = pairs.record[own]
            for column, metric in enumerate(COLUMNS):
                parts = len(METRICS) if metric == OVERALL else 1
                drops = MetricDrops.of(drop[own, column], record, pairs.n_records, parts)
                yield (place, kind, metric), drops


def _missing(
    pairs: PlanPairs, grader: GraderPass, kind: str, column: int, n_known: int
) -> dict[str, Estimate]:
    """Return the pairs without a grade on one side, and the bounds that they leave."""
    meant = pairs.kind.where(kind) & grader.meant[pairs.planted]
    n = int(meant.sum())
    numbers = {"n": count(n_known, n), "dropped": count(n - n_known, n)}
    if n == 0:
        return numbers | {"bounds": undefined(NO_PAIR)}
    known = pairs.drop(grader.values)[meant]
    dropped = np.isnan(known).any(axis=1)
    # The least Δ has missing grades of clean plans at 0 and of planted plans at 1, the largest
    # the other way round. A clean plan may have several faults: its grade is one in both.
    low, high = (
        float(pairs.drop(_filled(grader.values, parent, planted, pairs))[meant, column].mean())
        for parent, planted in ((0.0, 1.0), (1.0, 0.0))
    )
    value = float(known[~dropped, column].mean()) if n_known else None
    reason = f"{n - n_known} of {n} pairs have a side without grades"
    return numbers | {"bounds": Estimate(value, low, high, n, "worst-case bounds", reason=reason)}


def _filled(values: FloatArray, parent: float, planted: float, pairs: PlanPairs) -> FloatArray:
    """Return the grades with the missing ones of parents and of planted plans put in."""
    filled = values.copy()
    for rows, value in ((pairs.parent, parent), (pairs.planted, planted)):
        filled[rows] = np.where(np.isnan(filled[rows]), value, filled[rows])
    return filled


def _of_references(pairs: PlanPairs, plans: Plans) -> Iterator[tuple[PlanKey, Estimate]]:
    for variant in REFERENCES:
        drop = pairs.drop(plans.references[variant])
        for kind in pairs.kind.names:
            own = drop[pairs.kind.where(kind)]
            for column, metric in enumerate(COLUMNS):
                mean = float(own[:, column].mean())
                key = PlanKey("pairs", kind, f"reference={variant}", metric=metric)
                yield key, point(mean, len(own), OF_THE_SET, A_FACT)


def _over_records(number: Estimate) -> Estimate:
    """Name the resampled units: the instances of `stats.intervals` are records here."""
    reason = number.reason and number.reason.replace("instance", "record")
    return replace(number, method=number.method.replace("instances", "records"), reason=reason)
