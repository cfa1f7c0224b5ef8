"""The AUC of a judge's P(faulty): against the clean parent of a fault, and against any clean run.

Paired AUC is the mean over pairs of [s(fault) > s(parent)] + ½ [s(fault) = s(parent)]:
the chance that a pair is ranked rightly, ties half. It is (1 + Δ)/2 for a judge that
flags exactly the better-ranked side, and so it has the interval of Δ
(docs/decisions/0036-intervals-that-cover.md), with that of the bootstrap beside it.

Unpaired AUC is U / (faults × clean runs), with U the Mann-Whitney count. Faults and clean
runs of one instance are alike, so instances are resampled; with more than `MANY` of them
the interval is that of the standard error between instances, which then is the same.

References
----------
Hanley and McNeil (1982), Radiology 143, 29-36, for the AUC as the chance of a right
ranking; Grissom and Kim (2012), Effect Sizes for Research, chapter 5, for pairs; Mann and
Whitney (1947), Ann. Math. Statist. 18, 50-60; Obuchowski (1997), Biometrics 53, 567-578,
for clusters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..data.columns import BoolArray, FloatArray, IntArray, ratio
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, ReplicateSums, UnitColumns, draws, raw_words
from ..stats.estimate import Estimate, count, point, without_interval
from ..stats.intervals import BY_INSTANCE, delta_estimate, from_replicates
from ..stats.paired_difference import Clustered
from .calibration import SCALE, Stated
from .key import Group, NumberKey, Numbers
from .pairs import BLIND, PairDesign

__all__ = [
    "accumulate",
    "estimate",
    "graded_groups",
    "is_graded",
    "ranks_of",
    "replicate",
    "stated_score",
    "unpaired_aucs",
]

FACTORS = ("all", "silent", "loud", "cell", "type")
NO_PAIR = "no such pair has both scores"

MANY = 1_000
"""Instances above which none are resampled for the unpaired AUC."""

BY_ERROR = "standard error between instances"
Z = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""
MILLION = 1_000_000
CONSTANT = "no interval: every instance adds the same"
NO_RUN = "no such fault, or no clean run, has a score"


@dataclass(frozen=True, slots=True)
class Ranks:
    """The two scores of every pair, compared, for one judge.

    ``rank`` is 1 where the fault has the higher score, -1 where its parent has, else 0;
    ``gap`` is score(fault) − score(parent) in units of 10⁻¹⁰. Both are 0 outside ``both``.
    """

    both: BoolArray
    rank: IntArray
    gap: IntArray


def is_graded(study: StudyData, judge: int) -> bool:
    """Return whether a judge gives any score."""
    return bool((~np.isnan(study.verdicts.score[judge])).any())


def graded_groups(design: PairDesign) -> dict[Group, BoolArray]:
    """Return the groups of pairs that get an AUC."""
    return {group: rows for group, rows in design.groups.items() if group.factor in FACTORS}


def ranks_of(study: StudyData, judge: int) -> Ranks:
    """Compare the two scores of every pair."""
    score = study.verdicts.score[judge]
    both = ~np.isnan(score[study.fault]) & ~np.isnan(score[study.parent])
    units = np.round(np.where(np.isnan(score), 0.0, score) * SCALE).astype(np.int64)
    # Ranks are those of the scores themselves: two that differ by less than a unit are no tie.
    above = score[study.fault] > score[study.parent]
    below = score[study.fault] < score[study.parent]
    gap = np.where(both, units[study.fault] - units[study.parent], 0)
    return Ranks(both, above.astype(np.int64) - below, gap)


def stated_score(study: StudyData, judge: int) -> Stated:
    """Return the scores over faults and clean runs, and whether each run is faulty."""
    runs, score = study.runs, study.verdicts.score[judge]
    rows = ~np.isnan(score) & (runs.faulty | runs.clean)
    return Stated(rows, score, runs.faulty)


def accumulate(columns: UnitColumns, design: PairDesign, ranks: Ranks, judge: int) -> None:
    """Add, for one judge, the sums of ranks and gaps of each instance."""
    for group, members in graded_groups(design).items():
        rows = members & ranks.both
        for what, values in (("ranked", rows), ("rank", ranks.rank), ("gap", ranks.gap)):
            columns.add((judge, what, group), design.by_unit(values, rows))


def replicate(sums: ReplicateSums, design: PairDesign, judge: int) -> dict[NumberKey, Replicates]:
    """Return paired AUC and mean gap of every group under every resample."""
    replicates: dict[NumberKey, Replicates] = {}
    for group in graded_groups(design):
        n = sums[judge, "ranked", group]
        auc = (1 + ratio(sums[judge, "rank", group], n)) / 2
        gap = ratio(sums[judge, "gap", group] / SCALE, n)
        replicates[NumberKey("auc", group)] = Replicates(auc, int(n[0]), NO_PAIR)
        replicates[NumberKey("score-gap", group)] = Replicates(gap, int(n[0]), NO_PAIR)
    return replicates


def estimate(
    replicates: dict[NumberKey, Replicates],
    design: PairDesign,
    ranks: Ranks,
    reach: BoolArray | None,
) -> Numbers:
    """Return paired AUC and gap; a group that never reaches the view has 0.5 by structure."""
    numbers: Numbers = {}
    for group, members in graded_groups(design).items():
        rows = members & ranks.both
        auc, gap = replicates[NumberKey("auc", group)], replicates[NumberKey("score-gap", group)]
        own = {
            NumberKey("auc", group): _paired_auc(design, ranks, rows),
            NumberKey("auc", group, "percentile"): from_replicates(auc, BY_INSTANCE),
            NumberKey("score-gap", group): _gap(design, ranks, rows, gap),
        }
        if reach is not None and rows.any() and not reach[rows].any():
            own = {k: without_interval(e, "structural zero", BLIND) for k, e in own.items()}
        own[NumberKey("score-pairs", group)] = count(int(rows.sum()), int(members.sum()))
        numbers |= own
    return numbers


@dataclass(frozen=True, slots=True)
class Field:
    """The runs that are ranked against each other.

    ``fault_unit`` and ``clean_unit`` are the resampled instances, clean runs in the order of
    their scores. ``below`` and ``level`` count, for each fault, the clean runs with a
    lower score, and with one that is no higher. ``members`` are the groups of the faults.
    """

    fault_unit: IntArray
    clean_unit: IntArray
    below: IntArray
    level: IntArray
    members: FloatArray
    n_units: int

    def aucs(self, times: FloatArray) -> FloatArray:
        """Return the AUC of each group, each instance taken so many times; shape (…, groups)."""
        fault, clean = times[:, self.fault_unit], times[:, self.clean_unit]
        # Clean runs are in the order of their scores, so that how many of those drawn lie
        # below a fault is one entry of a running sum; the mean of the sums up to `below` and
        # up to `level` counts ties half.
        upto = np.zeros((len(times), clean.shape[1] + 1))
        np.cumsum(clean, axis=1, out=upto[:, 1:])
        won = fault * (upto[:, self.below] + upto[:, self.level]) / 2
        return ratio(won @ self.members, (fault @ self.members) * upto[:, -1:])


def unpaired_aucs(
    study: StudyData, judge: int, groups: dict[Group, BoolArray], n_resamples: int
) -> Numbers:
    """Return the unpaired AUC of the faults of each group of runs against all clean runs."""
    field = _field(study, judge, groups)
    n_clean, size = len(field.clean_unit), field.members.sum(axis=0).astype(np.int64)
    values = np.full((1 + n_resamples, len(groups)), np.nan)
    if field.n_units:
        values[0] = field.aucs(np.ones((1, field.n_units)))[0]
    is_drawn = 0 < field.n_units <= MANY
    if is_drawn:
        words = raw_words("bootstrap", "auc")
        for block, times in draws(words, np.arange(field.n_units), n_resamples):
            values[1:][block] = field.aucs(times)
    numbers: Numbers = {}
    for place, group in enumerate(groups):
        own = Replicates(values[:, place], int(size[place]) + n_clean, NO_RUN)
        is_known = is_drawn or np.isnan(own.values[0])
        numbers[NumberKey("auc-unpaired", group)] = (
            from_replicates(own, BY_INSTANCE) if is_known else _by_standard_error(field, place, own)
        )
    return numbers


def _by_standard_error(field: Field, group: int, number: Replicates) -> Estimate:
    """Return AUC ± z · standard error, each instance adding what its runs add to the AUC.

    An instance adds Σ (below − A) over its faults, of the clean runs the share with a
    lower score, and Σ (above − A) over its clean runs, each over the runs of its kind.
    """
    auc, n_clean = float(number.values[0]), len(field.clean_unit)
    own = field.members[:, group] > 0
    unit, twice_below = field.fault_unit[own], (field.below + field.level)[own]
    n_fault = len(unit)
    # Clean run j has fault i above it if j < below, and beside it if below <= j < level.
    # So the faults above j, ties half, are those whose `below` is past j and those whose
    # `level` is, halved: counted from the distributions of both ends, never pair by pair.
    ends = [np.bincount(end[own], minlength=n_clean + 1) for end in (field.below, field.level)]
    twice_above = sum(n_fault - np.cumsum(end)[:n_clean] for end in ends)
    won = np.bincount(unit, twice_below, minlength=field.n_units)
    won += np.bincount(field.clean_unit, twice_above, minlength=field.n_units)
    faults = np.bincount(unit, minlength=field.n_units) / n_fault
    cleans = np.bincount(field.clean_unit, minlength=field.n_units) / n_clean
    added = won / (2 * n_fault * n_clean) - auc * (faults + cleans)
    n = field.n_units
    reach = Z * math.sqrt(n / (n - 1) * math.fsum(added**2))
    if reach == 0:
        return point(auc, number.n, BY_ERROR, CONSTANT)
    return Estimate(auc, max(0.0, auc - reach), min(1.0, auc + reach), number.n, BY_ERROR)


def _paired_auc(design: PairDesign, ranks: Ranks, rows: BoolArray) -> Estimate:
    pairs = Clustered.of(design.unit[rows], ranks.rank[rows], design.n_units)
    number = delta_estimate(pairs, NO_PAIR)
    value, low, high = (
        None if part is None else (1 + part) / 2
        for part in (number.estimate, number.ci_low, number.ci_high)
    )
    return replace(number, estimate=value, ci_low=low, ci_high=high)


def _gap(design: PairDesign, ranks: Ranks, rows: BoolArray, mean: Replicates) -> Estimate:
    """Return the mean gap, in [-1, 1]; its interval is made from gaps in millionths."""
    gap = np.rint(ranks.gap[rows] * (MILLION / SCALE)).astype(np.int64)
    pairs = Clustered.of(design.unit[rows], gap, design.n_units, MILLION)
    number = delta_estimate(pairs, NO_PAIR, MILLION)
    if number.estimate is None:
        return number
    low, high = (None if end is None else end / MILLION for end in (number.ci_low, number.ci_high))
    return replace(number, estimate=float(mean.values[0]), ci_low=low, ci_high=high)


def _field(study: StudyData, judge: int, groups: dict[Group, BoolArray]) -> Field:
    runs, score = study.runs, study.verdicts.score[judge]
    known = ~np.isnan(score)
    fault, clean = np.flatnonzero(runs.faulty & known), np.flatnonzero(runs.clean & known)
    # Ordered by score, the clean runs below a fault are a prefix, which `aucs` looks up.
    clean = clean[np.argsort(score[clean], kind="stable")]
    rows = np.concatenate([fault, clean])
    units, unit = np.unique(runs.instance.codes[rows], return_inverse=True)
    return Field(
        fault_unit=unit[: len(fault)],
        clean_unit=unit[len(fault) :],
        below=np.searchsorted(score[clean], score[fault], side="left"),
        level=np.searchsorted(score[clean], score[fault], side="right"),
        members=np.array([members[fault] for members in groups.values()], np.float64).T,
        n_units=len(units),
    )
