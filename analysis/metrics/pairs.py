"""Pairs: a fault and its clean parent under one judge, and the paired discrimination Δ.

Δ is the mean over judged pairs of flag(fault) − flag(parent). One parent serves
several faults, so instances are what is drawn, and Δ is a ratio of sums over them.

References
----------
trajectory-judge (Mohammadi), section 5; McNemar (1947), Psychometrika 12, 153-157.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr

from ..data.columns import BoolArray, IntArray
from ..data.study_data import StudyData
from ..data.verdicts import Verdicts
from ..stats.bootstrap import Replicates, ReplicateSums, UnitColumns, ratio
from ..stats.delta import BY_INSTANCE, delta_estimates
from ..stats.estimate import Estimate, count, undefined, without_interval
from ..stats.intervals import from_draws
from ..stats.paired_difference import Clustered
from .groups import fault_groups
from .reach import reached

__all__ = [
    "BLIND",
    "NO_PAIR",
    "PairDesign",
    "PairOutcomes",
    "bounds",
    "clustered",
    "drawn",
    "enter",
    "estimates",
    "fates_in",
    "fates_of",
    "mcnemar",
    "outcome_counts",
    "resampled",
]

NO_PAIR = "no such pair was judged"
BLIND = "structural zero: the view of every fault is that of its parent"


@dataclass(frozen=True, slots=True)
class PairDesign:
    """The pairs of a study, the groups they fall into, and the instances to resample.

    ``unit`` is the resampled instance of each pair; an instance without a pair
    that some judge judged is no unit, and its pairs have unit -1.
    """

    fault: IntArray
    parent: IntArray
    groups: dict[str, BoolArray]
    unit: IntArray
    n_units: int

    @classmethod
    def of(cls, study: StudyData) -> PairDesign:
        """List pairs, groups and units of a study."""
        fault, parent = study.fault, study.parent
        groups = {name: rows[fault] for name, rows in fault_groups(study.runs).items()}
        for view in sorted({view for view in study.verdicts.view if view is not None}):
            reach = reached(study.runs, view, fault, parent)
            if reach is not None:
                groups |= {f"reaches={view}": reach, f"blind={view}": ~reach}
        scored = study.verdicts.scored
        judged = (scored[:, fault] & scored[:, parent]).any(axis=0)
        instance = study.runs.instance.codes[fault]
        units, place = np.unique(instance[judged], return_inverse=True)
        unit = np.full(len(fault), -1, np.int64)
        unit[judged] = place
        return cls(fault, parent, groups, unit, len(units))


@dataclass(frozen=True, slots=True)
class PairOutcomes:
    """What one judge did with every pair: exactly one of the five is true of each."""

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


def fates_of(study: StudyData, judge: int) -> PairOutcomes:
    """Say of every pair what one judge did with it in its first pass."""
    return fates_in(study, study.verdicts, judge)


def fates_in(study: StudyData, verdicts: Verdicts, series: int) -> PairOutcomes:
    """Say of every pair what one judge did with it in one pass."""
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


def clustered(design: PairDesign, fates: PairOutcomes, members: BoolArray) -> Clustered:
    """Sum, for one judge, the judged pairs of a group by instance."""
    rows = members & fates.judged
    size = np.bincount(design.unit[rows], minlength=design.n_units)
    total = np.bincount(design.unit[rows], fates.difference[rows], minlength=design.n_units)
    some = size > 0
    return Clustered(
        total[some].astype(np.int64),
        size[some].astype(np.int64),
        int((rows & fates.hit).sum()),
        int((rows & fates.reversed).sum()),
    )


def enter(ledger: UnitColumns, design: PairDesign, fates: PairOutcomes, judge: int) -> None:
    """Enter, for one judge, the sum of differences and the pairs of each instance."""
    for name, members in design.groups.items():
        rows = members & fates.judged
        unit = design.unit[rows]
        total = np.bincount(unit, fates.difference[rows], minlength=design.n_units)
        pairs = np.bincount(unit, minlength=design.n_units)
        ledger.add((judge, "difference", name), total.astype(np.int64))
        ledger.add((judge, "pairs", name), pairs)


def resampled(ledger: UnitColumns, n_resamples: int) -> ReplicateSums:
    """Sum what was entered under resamples of the instances."""
    one_stratum = np.zeros(ledger.n_units, np.int64)
    return ledger.sums(one_stratum, purpose="instances", n_resamples=n_resamples)


def drawn(sums: ReplicateSums, design: PairDesign, judge: int) -> dict[str, Replicates]:
    """Return Δ of every group under every resample."""
    found: dict[str, Replicates] = {}
    for name in design.groups:
        pairs = sums[judge, "pairs", name]
        values = ratio(sums[judge, "difference", name], pairs)
        found[f"delta/{name}"] = Replicates(values, int(pairs[0]), NO_PAIR)
    if "silent" in design.groups and "loud" in design.groups:
        loud, silent = found["delta/loud"], found["delta/silent"]
        found["gap/delta-loud-minus-silent"] = Replicates(
            loud.values - silent.values, loud.n + silent.n, "no silent or no loud pair was judged"
        )
    return found


def estimates(
    numbers: dict[str, Replicates], design: PairDesign, fates: PairOutcomes, reach: BoolArray | None
) -> dict[str, Estimate]:
    """Return Δ with its intervals; a group that never reaches the view is a structural zero."""
    found: dict[str, Estimate] = {}
    for name, number in numbers.items():
        group = name.removeprefix("delta/")
        if group not in design.groups:
            found[name] = from_draws(number, BY_INSTANCE)
            continue
        rows = design.groups[group] & fates.judged
        deltas = delta_estimates(clustered(design, fates, rows), number)
        if reach is not None and rows.any() and not reach[rows].any():
            deltas = {kind: _structural_zero(d, fates, rows) for kind, d in deltas.items()}
        found |= {f"{name}{kind}": delta for kind, delta in deltas.items()}
        if group.startswith("type="):
            hits, reverses = (int((rows & fate).sum()) for fate in (fates.hit, fates.reversed))
            found[f"mcnemar/{group}"] = mcnemar(hits, reverses)
    return found


def mcnemar(hits: int, reverses: int) -> Estimate:
    """Return the exact two-sided p on the discordant pairs; null without any.

    p = min(1, 2·P(X ≤ min(hits, reverses))), X binomial with chance one half.
    """
    n = hits + reverses
    if n == 0:
        return undefined("no discordant pair")
    p = min(1.0, 2 * float(bdtr(min(hits, reverses), n, 0.5)))
    return Estimate(p, None, None, n, "exact McNemar", "a p-value")


def outcome_counts(design: PairDesign, fates: PairOutcomes) -> dict[str, Estimate]:
    """Count hits, reversed, both, neither and dropped pairs of every group."""
    found: dict[str, Estimate] = {}
    for name, members in design.groups.items():
        for fate in ("hit", "reversed", "both", "neither", "dropped"):
            rows = members & getattr(fates, fate)
            found[f"pairs/{name}/{fate}"] = count(int(rows.sum()), int(members.sum()))
    return found


def bounds(
    study: StudyData, design: PairDesign, fates: PairOutcomes, judge: int, reach: BoolArray | None
) -> dict[str, Estimate]:
    """Return the least and the largest Δ that the dropped pairs leave possible.

    A dropped pair whose two views are identical is a structural zero, and adds one.
    """
    scored, flagged = study.verdicts.scored[judge], study.verdicts.flagged[judge]
    fault_low, fault_high = _possible(scored, flagged, design.fault)
    parent_low, parent_high = _possible(scored, flagged, design.parent)
    least, most = fault_low - parent_high, fault_high - parent_low
    if reach is not None:
        least, most = (np.where(fates.dropped & ~reach, 0, side) for side in (least, most))
    found: dict[str, Estimate] = {}
    for name, rows in design.groups.items():
        n, dropped = int(rows.sum()), int((rows & fates.dropped).sum())
        if n == 0:
            found[f"bounds/{name}"] = undefined("there is no such pair")
            continue
        delta = int(fates.difference[rows].sum()) / (n - dropped) if dropped < n else None
        low, high = int(least[rows].sum()) / n, int(most[rows].sum()) / n
        reason = f"{dropped} of {n} pairs have an unscored side"
        found[f"bounds/{name}"] = Estimate(delta, low, high, n, "worst-case bounds", reason)
    return found


def _structural_zero(delta: Estimate, fates: PairOutcomes, rows: BoolArray) -> Estimate:
    unequal = int((rows & (fates.hit | fates.reversed)).sum())
    reason = BLIND
    if unequal:
        reason += f"; {unequal} of {delta.n} verdicts differ all the same, so the judge is unsteady"
    return without_interval(delta, "structural zero", reason)


def _possible(scored: BoolArray, flagged: BoolArray, rows: IntArray) -> tuple[IntArray, IntArray]:
    low = (scored & flagged)[rows].astype(np.int64)
    high = (~scored | flagged)[rows].astype(np.int64)
    return low, high
