"""Detection: recall, false alarms, F1 and precision at a stated prevalence.

With r the recall and f the false-alarm rate, precision at prevalence p is
r·p / (r·p + f·(1 − p)); F1 is 2·TP / (2·TP + FP + FN) over the faults and clean
runs of the study, and so depends on their shares in it.
"""

from __future__ import annotations

import numpy as np

from ..data.columns import BoolArray, FloatArray
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, ReplicateSums, UnitColumns, ratio
from ..stats.estimate import Estimate, point, undefined
from ..stats.intervals import clopper_pearson, from_replicates, proportion
from .groups import fault_groups
from .key import ALL, LOUD, SILENT, Group, NumberKey, Numbers

__all__ = [
    "BY_CELLS",
    "FALSE_ALARMS",
    "PREVALENCES",
    "STRATA",
    "accumulate",
    "estimate",
    "group_rates",
    "precision",
    "replicate",
]

PREVALENCES = (0.01, 0.05, 0.2)
STRATA = (ALL, SILENT, LOUD)
CLEAN = Group("clean")
RECALL, FALSE_ALARMS = NumberKey("recall", ALL), NumberKey("false-alarms")
GAP, F1 = NumberKey("gap/recall-loud-minus-silent"), NumberKey("f1")
KEYS = (
    *(NumberKey("recall", group) for group in STRATA),
    *(FALSE_ALARMS, GAP, F1),
    *(NumberKey("precision", str(prevalence)) for prevalence in PREVALENCES),
)
BY_CELLS = "percentile bootstrap over design cells"


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
    for prevalence in PREVALENCES:
        values = precision(rates[ALL].values, rates[CLEAN].values, prevalence)
        key = NumberKey("precision", str(prevalence))
        replicates[key] = Replicates(values, judged, "nothing was flagged")
    return replicates


def precision(recall: FloatArray, false_alarms: FloatArray, prevalence: float) -> FloatArray:
    """Return the share of flagged runs that are faulty, were this share of all runs so."""
    right = recall * prevalence
    return ratio(right, right + false_alarms * (1 - prevalence))


def estimate(replicates: dict[NumberKey, Replicates]) -> Numbers:
    """Return the estimates; rates of exactly 0 or 1 get their exact interval.

    ``precision/p/floor`` takes the upper exact bound of the false-alarm rate.
    """
    numbers = {key: _rate_estimate(key, replicates[key]) for key in KEYS}
    recall, alarms = numbers[RECALL], numbers[FALSE_ALARMS]
    for prevalence in PREVALENCES:
        key = NumberKey("precision", str(prevalence), "floor")
        numbers[key] = _floor(recall, alarms, prevalence)
    return numbers


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
    kind = "clean run" if group == CLEAN else "fault" if group == ALL else f"{group} fault"
    return Replicates(
        ratio(sums[judge, "flagged", group], scored), int(scored[0]), f"no {kind} was judged"
    )


def _rate_estimate(key: NumberKey, number: Replicates) -> Estimate:
    value = float(number.values[0])
    if key.stat in (RECALL.stat, FALSE_ALARMS.stat) and value in (0.0, 1.0):
        return proportion(round(value * number.n), number.n, number.undefined_reason)
    return from_replicates(number, BY_CELLS)


def _floor(recall: Estimate, alarms: Estimate, prevalence: float) -> Estimate:
    if recall.estimate is None or alarms.estimate is None:
        return undefined("recall or the false-alarm rate is undefined")
    _, upper = clopper_pearson(round(alarms.estimate * alarms.n), alarms.n)
    value = precision(np.array([recall.estimate]), np.array([upper]), prevalence)[0]
    method = "precision at the upper exact bound of false alarms"
    return point(float(value), alarms.n, method, "a bound")


def _share(study: StudyData, judge: int, rows: BoolArray, reason: str) -> Estimate:
    scored = rows & study.verdicts.scored[judge]
    flagged = scored & study.verdicts.flagged[judge]
    return proportion(int(flagged.sum()), int(scored.sum()), reason)
