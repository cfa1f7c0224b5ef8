"""The graded readout: does a judge's P(faulty) rank a fault above its clean parent?

Paired AUC is the mean over pairs of [s(fault) > s(parent)] + ½ [s(fault) = s(parent)]:
the chance that a pair is ranked rightly, ties half. It is (1 + Δ)/2 for a judge that
flags exactly the better-ranked side, and so it has the interval of Δ
(docs/decisions/0005-interval-of-delta.md), with that of the bootstrap beside it.

References
----------
Hanley and McNeil (1982), Radiology 143, 29-36, for the AUC as the chance of a right
ranking; Grissom and Kim (2012), Effect Sizes for Research, chapter 5, for pairs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, ReplicateSums, UnitColumns, ratio
from ..stats.delta import BY_INSTANCE, SCORE
from ..stats.estimate import Estimate, count, undefined, without_interval
from ..stats.intervals import from_draws
from ..stats.paired_difference import Clustered, score_interval
from .calibration import SCALE, Stated
from .pairs import BLIND, PairDesign

__all__ = [
    "Ranks",
    "drawn",
    "enter",
    "estimates",
    "graded_groups",
    "is_graded",
    "ranks_of",
    "stated_score",
]

NO_PAIR = "no such pair has both scores"
GROUPS = ("all", "silent", "loud", "cell=", "type=")


@dataclass(frozen=True, slots=True)
class Ranks:
    """What one judge's scores say of every pair.

    ``rank`` is 1 where the fault has the higher score, -1 where its parent has, else 0;
    ``gap`` is score(fault) − score(parent) in units of 10⁻¹⁰. Both are 0 outside ``both``.
    """

    both: BoolArray
    rank: IntArray
    gap: IntArray


def is_graded(study: StudyData, judge: int) -> bool:
    """Return whether a judge gives any score."""
    return bool((~np.isnan(study.verdicts.score[judge])).any())


def graded_groups(design: PairDesign) -> dict[str, BoolArray]:
    """Return the groups of pairs that get graded numbers."""
    return {name: rows for name, rows in design.groups.items() if name.startswith(GROUPS)}


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


def enter(ledger: UnitColumns, design: PairDesign, ranks: Ranks, judge: int) -> None:
    """Enter, for one judge, the sums of ranks and gaps of each instance."""
    for name, members in graded_groups(design).items():
        rows = members & ranks.both
        unit = design.unit[rows]
        ledger.add((judge, "ranked", name), np.bincount(unit, minlength=design.n_units))
        for what, values in (("rank", ranks.rank), ("gap", ranks.gap)):
            total = np.bincount(unit, values[rows], minlength=design.n_units)
            ledger.add((judge, what, name), total.astype(np.int64))


def drawn(sums: ReplicateSums, design: PairDesign, judge: int) -> dict[str, Replicates]:
    """Return paired AUC and mean gap of every group under every resample."""
    found: dict[str, Replicates] = {}
    for name in graded_groups(design):
        n = sums[judge, "ranked", name]
        auc = (1 + ratio(sums[judge, "rank", name], n)) / 2
        gap = ratio(sums[judge, "gap", name] / SCALE, n)
        found[f"auc/{name}"] = Replicates(auc, int(n[0]), NO_PAIR)
        found[f"score-gap/{name}"] = Replicates(gap, int(n[0]), NO_PAIR)
    return found


def estimates(
    numbers: dict[str, Replicates], design: PairDesign, ranks: Ranks, reach: BoolArray | None
) -> dict[str, Estimate]:
    """Return paired AUC and gap; a group that never reaches the view has 0.5 by structure."""
    found: dict[str, Estimate] = {}
    for name, members in graded_groups(design).items():
        rows = members & ranks.both
        auc = numbers[f"auc/{name}"]
        own = {
            f"auc/{name}": _auc(auc, design, ranks, rows),
            f"auc/{name}/percentile": from_draws(auc, BY_INSTANCE),
            f"score-gap/{name}": from_draws(numbers[f"score-gap/{name}"], BY_INSTANCE),
        }
        if reach is not None and rows.any() and not reach[rows].any():
            own = {n: without_interval(e, "structural zero", BLIND) for n, e in own.items()}
        found |= own
        found[f"score-pairs/{name}"] = count(int(rows.sum()), int(members.sum()))
    return found


def _auc(number: Replicates, design: PairDesign, ranks: Ranks, rows: BoolArray) -> Estimate:
    if number.n == 0:
        return undefined(number.nothing)
    low, high = score_interval(_clustered(design, ranks, rows))
    return Estimate(float(number.values[0]), (1 + low) / 2, (1 + high) / 2, number.n, SCORE)


def _clustered(design: PairDesign, ranks: Ranks, rows: BoolArray) -> Clustered:
    unit = design.unit[rows]
    size = np.bincount(unit, minlength=design.n_units)
    total = np.bincount(unit, ranks.rank[rows], minlength=design.n_units)
    some = size > 0
    return Clustered(
        total[some].astype(np.int64),
        size[some].astype(np.int64),
        int((ranks.rank[rows] > 0).sum()),
        int((ranks.rank[rows] < 0).sum()),
    )
