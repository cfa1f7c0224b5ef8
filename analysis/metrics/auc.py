"""The AUC of a judge's P(faulty): against the clean parent of a fault, and against any clean run.

Paired AUC is the mean over pairs of [s(fault) > s(parent)] + ½ [s(fault) = s(parent)]:
the chance that a pair is ranked rightly, ties half. It is (1 + Δ)/2 for a judge that
flags exactly the better-ranked side, and so it has the interval of Δ
(docs/decisions/0036-intervals-that-cover.md), with that of the bootstrap beside it.

Unpaired AUC is U / (faults × clean runs), with U the Mann-Whitney count. Faults and clean
runs of one instance are alike, so what each instance adds to it makes its interval.

References
----------
Hanley and McNeil (1982), Radiology 143, 29-36, for the AUC as the chance of a right
ranking; Grissom and Kim (2012), Effect Sizes for Research, chapter 5, for pairs; Mann and
Whitney (1947), Ann. Math. Statist. 18, 50-60.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..data.columns import BoolArray, FloatArray, IntArray, ratio
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, ReplicateSums, UnitColumns
from ..stats.clusters import is_borne
from ..stats.estimate import NO_INTERVAL, Estimate, count, point, undefined, without_interval
from ..stats.intervals import BY_INSTANCE, delta_estimate, from_replicates
from ..stats.paired_difference import Clustered
from ..stats.ranked import FEW_RANKED, RANKED, Ranked
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

MILLION = 1_000_000
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


def unpaired_aucs(study: StudyData, judge: int, groups: dict[Group, BoolArray]) -> Numbers:
    """Return the unpaired AUC of the faults of each group of runs against all clean runs."""
    runs, score = study.runs, study.verdicts.score[judge]
    known = ~np.isnan(score)
    clean = runs.clean & known
    return {
        NumberKey("auc-unpaired", group): _unpaired(
            score, runs.instance.codes, rows & runs.faulty & known, clean
        )
        for group, rows in groups.items()
    }


def _unpaired(score: FloatArray, unit: IntArray, fault: BoolArray, clean: BoolArray) -> Estimate:
    n = int(fault.sum()) + int(clean.sum())
    if not fault.any() or not clean.any():
        return undefined(NO_RUN, n)
    ranked = Ranked.of(score[fault], score[clean], unit[fault], unit[clean])
    auc = float(ranked.auc)
    if not is_borne(ranked.size):
        return point(auc, n, NO_INTERVAL, FEW_RANKED)
    low, high = ranked.ends()
    return Estimate(auc, float(low), float(high), n, RANKED)


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
