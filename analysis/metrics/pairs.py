"""Pairs: a fault and its clean parent under one judge, and the paired discrimination Δ.

Δ is the mean over judged pairs of flag(fault) − flag(parent). One parent serves
several faults, so instances are resampled, and Δ is a ratio of sums over them.

References
----------
trajectory-judge (Mohammadi), section 5.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..data.columns import BoolArray, IntArray, ratio
from ..data.study_data import StudyData
from ..data.verdicts import Verdicts
from ..stats.bootstrap import Replicates, ReplicateSums, UnitColumns
from ..stats.estimate import NO_PAIR, Estimate, count, point, undefined, without_interval
from ..stats.intervals import BY_INSTANCE, delta_estimate, from_replicates, gap
from ..stats.paired_difference import Clustered
from ..stats.tests import holm, matched_sets
from .groups import fault_groups, reached
from .key import LOUD, SILENT, Group, NumberKey, Numbers

__all__ = [
    "BLIND",
    "MATCHED",
    "NO_PAIR",
    "OUTCOMES",
    "STRUCTURAL",
    "PairDesign",
    "PairOutcomes",
    "accumulate",
    "adjusted_tests",
    "bounds",
    "clustered",
    "deltas",
    "estimate",
    "outcome_counts",
    "outcomes_in",
    "outcomes_of",
    "replicate",
    "resampled",
    "structural_zero",
    "type_tests",
    "with_known_ends",
]

OUTCOMES = ("hit", "reversed", "both", "neither", "dropped")
MATCHED = "matched-sets"
DELTA_GAP = NumberKey("gap/delta-loud-minus-silent")
STRUCTURAL = "structural zero"
BLIND = "structural zero: the view of every fault is that of its parent"


@dataclass(frozen=True, slots=True)
class PairDesign:
    """The pairs of a study, the groups they fall into, and the instances to resample.

    ``unit`` is the resampled instance of each pair; an instance without a pair
    that some judge judged is no unit, and its pairs have unit -1.
    """

    fault: IntArray
    parent: IntArray
    groups: dict[Group, BoolArray]
    unit: IntArray
    n_units: int

    @classmethod
    def of(cls, study: StudyData) -> PairDesign:
        """List pairs, groups and units of a study."""
        fault, parent = study.fault, study.parent
        groups = {group: rows[fault] for group, rows in fault_groups(study.runs).items()}
        for view in sorted({view for view in study.verdicts.view if view is not None}):
            reach = reached(study.runs, view, fault, parent)
            if reach is not None:
                groups |= {Group("reaches", view): reach, Group("blind", view): ~reach}
        scored = study.verdicts.scored
        judged = (scored[:, fault] & scored[:, parent]).any(axis=0)
        instance = study.runs.instance.codes[fault]
        units, place = np.unique(instance[judged], return_inverse=True)
        unit = np.full(len(fault), -1, np.int64)
        unit[judged] = place
        return cls(fault, parent, groups, unit, len(units))

    def by_unit(self, values: IntArray | BoolArray, rows: BoolArray) -> IntArray:
        """Sum values of some of the pairs by resampled instance."""
        total = np.bincount(self.unit[rows], values[rows], minlength=self.n_units)
        return total.astype(np.int64)


@dataclass(frozen=True, slots=True)
class PairOutcomes:
    """The outcome of every pair under one judge: exactly one of the five is true of each."""

    hit: BoolArray
    reversed: BoolArray
    both: BoolArray
    neither: BoolArray
    dropped: BoolArray

    @property
    def judged(self) -> BoolArray:
        """Return the pairs of which both sides are scored."""
        return ~self.dropped

    @property
    def difference(self) -> IntArray:
        """Return flag(fault) − flag(parent), 0 where the pair is dropped."""
        return self.hit.astype(np.int64) - self.reversed


def outcomes_of(study: StudyData, judge: int) -> PairOutcomes:
    """Return the outcome of every pair in the first pass of one judge."""
    return outcomes_in(study, study.verdicts, judge)


def outcomes_in(study: StudyData, verdicts: Verdicts, series: int) -> PairOutcomes:
    """Return the outcome of every pair in one pass of one judge."""
    scored, flagged = verdicts.scored[series], verdicts.flagged[series]
    judged = scored[study.fault] & scored[study.parent]
    fault, parent = flagged[study.fault], flagged[study.parent]
    return PairOutcomes(
        hit=judged & fault & ~parent,
        reversed=judged & ~fault & parent,
        both=judged & fault & parent,
        neither=judged & ~fault & ~parent,
        dropped=~judged,
    )


def clustered(design: PairDesign, outcomes: PairOutcomes, members: BoolArray) -> Clustered:
    """Sum, for one judge, the judged pairs of a group by instance."""
    rows = members & outcomes.judged
    return Clustered.of(design.unit[rows], outcomes.difference[rows], design.n_units)


def accumulate(
    columns: UnitColumns, design: PairDesign, outcomes: PairOutcomes, judge: int
) -> None:
    """Add, for one judge, the sum of differences and the pairs of each instance."""
    for group, members in design.groups.items():
        rows = members & outcomes.judged
        columns.add((judge, "difference", group), design.by_unit(outcomes.difference, rows))
        columns.add((judge, "pairs", group), design.by_unit(rows, rows))


def resampled(columns: UnitColumns, n_resamples: int) -> ReplicateSums:
    """Sum the columns under resamples of the instances."""
    return columns.sums(purpose="instances", n_resamples=n_resamples)


def replicate(sums: ReplicateSums, design: PairDesign, judge: int) -> dict[NumberKey, Replicates]:
    """Return Δ of every group under every resample."""
    replicates: dict[NumberKey, Replicates] = {}
    for group in design.groups:
        pairs = sums[judge, "pairs", group]
        values = ratio(sums[judge, "difference", group], pairs)
        replicates[NumberKey("delta", group)] = Replicates(values, int(pairs[0]), NO_PAIR)
    if SILENT in design.groups and LOUD in design.groups:
        loud, silent = (replicates[NumberKey("delta", group)] for group in (LOUD, SILENT))
        replicates[DELTA_GAP] = Replicates(
            loud.values - silent.values, loud.n + silent.n, "no silent or no loud pair was judged"
        )
    return replicates


def deltas(design: PairDesign, outcomes: PairOutcomes, reach: BoolArray | None) -> Numbers:
    """Return Δ of every group; one that never reaches the view is a structural zero."""
    numbers: Numbers = {}
    for group, members in design.groups.items():
        rows = members & outcomes.judged
        delta = delta_estimate(clustered(design, outcomes, rows), NO_PAIR)
        if reach is not None and rows.any() and not reach[rows].any():
            unequal = int((rows & (outcomes.hit | outcomes.reversed)).sum())
            delta = structural_zero(delta, unequal)
        numbers[NumberKey("delta", group)] = delta
    return numbers


def estimate(
    replicates: dict[NumberKey, Replicates],
    design: PairDesign,
    outcomes: PairOutcomes,
    reach: BoolArray | None,
) -> Numbers:
    """Return Δ of every group, that of the bootstrap beside it, and the gap of loud and silent."""
    numbers: Numbers = {}
    for key, number in deltas(design, outcomes, reach).items():
        beside = from_replicates(replicates[key], BY_INSTANCE)
        is_known = number.method == STRUCTURAL
        beside = without_interval(beside, STRUCTURAL, number.reason or "") if is_known else beside
        numbers |= {key: number, key._replace(part="percentile"): beside}
    if DELTA_GAP in replicates:
        numbers[DELTA_GAP] = _gap(design, outcomes, numbers, replicates[DELTA_GAP])
    return numbers


def type_tests(design: PairDesign, outcomes: PairOutcomes) -> Numbers:
    """Return the exact test of matched sets for each fault type: a parent and its faults."""
    numbers: Numbers = {}
    for group, members in design.groups.items():
        if group.factor == "type":
            rows = members & outcomes.judged
            _, first, place = np.unique(design.parent[rows], return_index=True, return_inverse=True)
            fault, parent = (outcomes.both | side for side in (outcomes.hit, outcomes.reversed))
            flagged = np.bincount(place, fault[rows], minlength=len(first)).astype(np.int64)
            size = np.bincount(place, minlength=len(first))
            numbers[NumberKey(MATCHED, group)] = matched_sets(flagged, size, parent[rows][first])
    return numbers


def adjusted_tests(tests: Numbers) -> Numbers:
    """Return Holm-adjusted p of the tests of all types and judges, one family."""
    method = f"Holm over {len(tests)} tests, of each type and judge"
    adjusted = holm([test.estimate for test in tests.values()])
    return {
        key._replace(part="p-holm"): raw if p is None else point(p, raw.n, method, "a p-value")
        for (key, raw), p in zip(tests.items(), adjusted, strict=True)
    }


def outcome_counts(design: PairDesign, outcomes: PairOutcomes) -> Numbers:
    """Count hits, reversed, both, neither and dropped pairs of every group."""
    numbers: Numbers = {}
    for group, members in design.groups.items():
        for outcome in OUTCOMES:
            rows = members & getattr(outcomes, outcome)
            key = NumberKey("pairs", group, outcome)
            numbers[key] = count(int(rows.sum()), int(members.sum()))
    return numbers


def bounds(
    study: StudyData,
    design: PairDesign,
    outcomes: PairOutcomes,
    judge: int,
    reach: BoolArray | None,
) -> Numbers:
    """Return the least and the largest Δ that the dropped pairs leave possible.

    A dropped pair whose two views are identical is a structural zero, and adds one.
    """
    scored, flagged = study.verdicts.scored[judge], study.verdicts.flagged[judge]
    fault_low, fault_high = _possible(scored, flagged, design.fault)
    parent_low, parent_high = _possible(scored, flagged, design.parent)
    least, most = fault_low - parent_high, fault_high - parent_low
    if reach is not None:
        least, most = (np.where(outcomes.dropped & ~reach, 0, side) for side in (least, most))
    numbers: Numbers = {}
    for group, rows in design.groups.items():
        key = NumberKey("bounds", group)
        n, dropped = int(rows.sum()), int((rows & outcomes.dropped).sum())
        if n == 0:
            numbers[key] = undefined("there is no such pair")
            continue
        delta = int(outcomes.difference[rows].sum()) / (n - dropped) if dropped < n else None
        low, high = int(least[rows].sum()) / n, int(most[rows].sum()) / n
        reason = f"{dropped} of {n} pairs have an unscored side"
        numbers[key] = Estimate(delta, low, high, n, "worst-case bounds", reason=reason)
    return numbers


def _gap(
    design: PairDesign, outcomes: PairOutcomes, numbers: Numbers, delta: Replicates
) -> Estimate:
    """Return Δ of loud faults minus Δ of silent ones, which share parents."""
    groups = (design.groups[group] & outcomes.judged for group in (LOUD, SILENT))
    loud, silent = (
        (design.by_unit(outcomes.difference, rows), design.by_unit(rows, rows)) for rows in groups
    )
    one, other = (with_known_ends(numbers[NumberKey("delta", group)]) for group in (LOUD, SILENT))
    return gap(one, other, (loud, silent), delta.undefined_reason)


def with_known_ends(number: Estimate) -> Estimate:
    """Return a structural zero with ends: it has no error."""
    if number.method != STRUCTURAL:
        return number
    return replace(number, ci_low=number.estimate, ci_high=number.estimate)


def structural_zero(delta: Estimate, unequal: int) -> Estimate:
    """Return a Δ that is 0 by structure, with how many pairs have unequal verdicts all the same."""
    reason = BLIND
    if unequal:
        reason += f"; {unequal} of {delta.n} verdicts differ all the same, so the judge is unsteady"
    return without_interval(delta, STRUCTURAL, reason)


def _possible(scored: BoolArray, flagged: BoolArray, rows: IntArray) -> tuple[IntArray, IntArray]:
    low = (scored & flagged)[rows].astype(np.int64)
    high = (~scored | flagged)[rows].astype(np.int64)
    return low, high
