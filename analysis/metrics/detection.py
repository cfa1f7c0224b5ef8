"""Detection: recall, false alarms, F1 and precision at a stated prevalence.

With r the recall and f the false-alarm rate, precision at prevalence p is
r·p / (r·p + f·(1 − p)); F1 is 2·TP / (2·TP + FP + FN) over the faults and clean
runs of the study, and so depends on their shares in it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ..data.columns import BoolArray, FloatArray, ratio
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, ReplicateSums, UnitColumns
from ..stats.clusters import FEW, is_borne
from ..stats.estimate import NO_INTERVAL, Estimate, point, undefined
from ..stats.intervals import delta_estimate, gap, share
from ..stats.joint import Rates, f1_ends, precision_ends
from ..stats.paired_difference import Clustered
from .groups import fault_groups
from .key import ALL, LOUD, SILENT, Group, NumberKey, Numbers

__all__ = [
    "F1",
    "FALSE_ALARMS",
    "OWN",
    "PREVALENCES",
    "STRATA",
    "accumulate",
    "difference_of_flags",
    "estimate",
    "group_rates",
    "precision",
    "rates",
    "replicate",
    "share_of",
]

PREVALENCES = (0.01, 0.05, 0.2)
OWN = NumberKey("precision", "own")
"""Precision at the share of faults among the judged runs of the set."""
STRATA = (ALL, SILENT, LOUD)
CLEAN = Group("clean")
FALSE_ALARMS = NumberKey("false-alarms")
GAP, F1 = NumberKey("gap/recall-loud-minus-silent"), NumberKey("f1")
JOINT = "square-and-add of clustered recall and false alarms"


def accumulate(columns: UnitColumns, study: StudyData, judge: int) -> None:
    """Add what detection counts for one judge."""
    scored, flagged = study.verdicts.scored[judge], study.verdicts.flagged[judge]
    groups = fault_groups(study.runs)
    for group in (*STRATA, CLEAN):
        rows = study.runs.clean if group == CLEAN else groups[group]
        columns.add((judge, "scored", group), rows & scored)
        columns.add((judge, "flagged", group), rows & flagged)


def replicate(sums: ReplicateSums, judge: int) -> dict[NumberKey, Replicates]:
    """Return recall, false alarms, F1 and precision under every resample."""
    rates = {group: _rate(sums, judge, group) for group in (*STRATA, CLEAN)}
    replicates = {NumberKey("recall", group): rates[group] for group in STRATA}
    replicates[FALSE_ALARMS] = rates[CLEAN]
    gap = rates[LOUD].values - rates[SILENT].values
    no_gap = "either no silent or no loud fault was judged"
    replicates[GAP] = Replicates(gap, rates[ALL].n, no_gap)
    caught, alarms = sums[judge, "flagged", ALL], sums[judge, "flagged", CLEAN]
    judged = rates[ALL].n + rates[CLEAN].n
    f1 = ratio(2 * caught, caught + alarms + sums[judge, "scored", ALL])
    replicates[F1] = Replicates(f1, judged, "nothing was judged")
    replicates[OWN] = Replicates(ratio(caught, caught + alarms), judged, "nothing was flagged")
    for prevalence in PREVALENCES:
        values = precision(rates[ALL].values, rates[CLEAN].values, prevalence)
        key = NumberKey("precision", str(prevalence))
        replicates[key] = Replicates(values, judged, "nothing was flagged")
    return replicates


def precision(recall: FloatArray, false_alarms: FloatArray, prevalence: float) -> FloatArray:
    """Return the share of flagged runs that are faulty, were this share of all runs so."""
    right = recall * prevalence
    return ratio(right, right + false_alarms * (1 - prevalence))


def rates(study: StudyData, judge: int) -> Numbers:
    """Return recall of all faults, of silent and of loud ones, and the false-alarm rate."""
    scored, flagged = study.verdicts.scored[judge], study.verdicts.flagged[judge]
    groups = fault_groups(study.runs)
    numbers: Numbers = {}
    for group in (*STRATA, CLEAN):
        rows = study.runs.clean if group == CLEAN else groups[group]
        key = FALSE_ALARMS if group == CLEAN else NumberKey("recall", group)
        counts = study.by_instance(rows & scored & flagged), study.by_instance(rows & scored)
        numbers[key] = share(*counts, f"no {_kind(group)} was judged")
    return numbers


def estimate(study: StudyData, judge: int, replicates: dict[NumberKey, Replicates]) -> Numbers:
    """Return rates, their gap, F1 and precision, the runs clustered by instance.

    ``precision/p/floor`` is the low end of precision: neither recall nor false alarms are
    taken as known.
    """
    scored, flagged = study.verdicts.scored[judge], study.verdicts.flagged[judge]
    groups = fault_groups(study.runs) | {CLEAN: study.runs.clean}
    sums = {
        group: (study.by_instance(rows & flagged), study.by_instance(rows))
        for group, rows in ((group, groups[group] & scored) for group in (*STRATA, CLEAN))
    }
    numbers = rates(study, judge)
    loud, silent = (numbers[NumberKey("recall", group)] for group in (LOUD, SILENT))
    reason = replicates[GAP].undefined_reason
    numbers[GAP] = gap(loud, silent, (sums[LOUD], sums[SILENT]), reason)
    both = Rates(*sums[ALL], *sums[CLEAN])
    numbers[F1] = _joint(replicates[F1], both, f1_ends)
    faults, clean = (int(sums[group][1].sum()) for group in (ALL, CLEAN))
    own = faults / max(faults + clean, 1)
    known = {NumberKey("precision", str(prevalence)): prevalence for prevalence in PREVALENCES}
    for key, prevalence in ({OWN: own} | known).items():
        ends = partial(precision_ends, prevalence=prevalence)
        numbers[key] = _joint(replicates[key], both, ends)
        numbers[key._replace(part="floor")] = _floor(numbers[key])
    return numbers


def share_of(study: StudyData, rows: BoolArray, yes: BoolArray, reason: str) -> Estimate:
    """Return the share of these runs for which something is true; undefined without a run."""
    return share(study.by_instance(rows & yes), study.by_instance(rows), reason)


def difference_of_flags(
    study: StudyData, rows: BoolArray, one: BoolArray, other: BoolArray, reason: str
) -> Estimate:
    """Return the share for which one thing is true minus that of another, on the same runs."""
    difference = one.astype(np.int64) - other
    instance = study.runs.instance
    pairs = Clustered.of(instance.codes[rows], difference[rows], len(instance.names))
    return delta_estimate(pairs, reason)


def group_rates(study: StudyData, judge: int) -> Numbers:
    """Return recall in every group of faults, and false alarms in every scenario."""
    runs = study.runs
    numbers = {
        NumberKey("recall", group): _share(study, judge, rows, "no such fault was judged")
        for group, rows in fault_groups(runs).items()
        if group not in STRATA
    }
    for name in runs.scenario.names:
        rows = runs.clean & runs.scenario.where(name)
        share = _share(study, judge, rows, "no clean run of it was judged")
        numbers[FALSE_ALARMS._replace(group=Group("scenario", name))] = share
    return numbers


def _rate(sums: ReplicateSums, judge: int, group: Group) -> Replicates:
    scored = sums[judge, "scored", group]
    flagged = sums[judge, "flagged", group]
    return Replicates(ratio(flagged, scored), int(scored[0]), f"no {_kind(group)} was judged")


def _kind(group: Group) -> str:
    return "clean run" if group == CLEAN else "fault" if group == ALL else f"{group} fault"


def _joint(
    number: Replicates, rates: Rates, ends: Callable[[Rates], tuple[FloatArray, FloatArray]]
) -> Estimate:
    value, n = float(number.values[0]), number.n
    if np.isnan(value) or not rates.faults.any() or not rates.clean.any():
        return undefined(number.undefined_reason, n)
    sides = (rates.faults[rates.faults > 0], rates.clean[rates.clean > 0])
    if not all(bool(is_borne(size)) or bool((size == 1).all()) for size in sides):
        return point(value, n, NO_INTERVAL, FEW)
    low, high = ends(rates)
    return Estimate(value, float(low), float(high), n, JOINT)


def _floor(precision: Estimate) -> Estimate:
    if precision.estimate is None:
        return undefined("nothing was flagged, so precision is undefined")
    if precision.ci_low is None:
        return undefined(precision.reason or "precision has no interval", precision.n)
    return point(precision.ci_low, precision.n, f"low end, {JOINT}", "a bound")


def _share(study: StudyData, judge: int, rows: BoolArray, reason: str) -> Estimate:
    scored, flagged = study.verdicts.scored[judge], study.verdicts.flagged[judge]
    return share_of(study, rows & scored, flagged, reason)
