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
from ..stats.estimate import Estimate, undefined, without_interval
from ..stats.intervals import clopper_pearson, from_draws, proportion
from .groups import fault_groups

__all__ = ["PREVALENCES", "STRATA", "drawn", "enter", "estimates", "group_rates", "precision"]

PREVALENCES = (0.01, 0.05, 0.2)
STRATA = ("all", "silent", "loud")
BY_CELLS = "percentile bootstrap over design cells"


def enter(ledger: UnitColumns, study: StudyData, judge: int) -> None:
    """Enter what detection counts for one judge."""
    scored, flagged = study.verdicts.scored[judge], study.verdicts.flagged[judge]
    for name, rows in _strata(study).items():
        ledger.add((judge, "scored", name), rows & scored)
        ledger.add((judge, "flagged", name), rows & flagged)


def drawn(sums: ReplicateSums, judge: int) -> dict[str, Replicates]:
    """Return recall, false alarms, F1 and precision under every resample."""
    rates = {name: _rate(sums, judge, name) for name in (*STRATA, "clean")}
    found = {f"recall/{name}": rates[name] for name in STRATA}
    found["false-alarms"] = rates["clean"]
    found["gap/recall-loud-minus-silent"] = Replicates(
        rates["loud"].values - rates["silent"].values,
        rates["all"].n,
        "either no silent or no loud fault was judged",
    )
    caught, alarms = sums[judge, "flagged", "all"], sums[judge, "flagged", "clean"]
    judged = rates["all"].n + rates["clean"].n
    f1 = ratio(2 * caught, caught + alarms + sums[judge, "scored", "all"])
    found["f1"] = Replicates(f1, judged, "nothing was judged")
    for prevalence in PREVALENCES:
        values = precision(rates["all"].values, rates["clean"].values, prevalence)
        found[f"precision/{prevalence}"] = Replicates(values, judged, "nothing was flagged")
    return found


def precision(recall: FloatArray, false_alarms: FloatArray, prevalence: float) -> FloatArray:
    """Return the share of flagged runs that are faulty, were this share of all runs so."""
    right = recall * prevalence
    return ratio(right, right + false_alarms * (1 - prevalence))


def estimates(numbers: dict[str, Replicates]) -> dict[str, Estimate]:
    """Return the estimates; rates of exactly 0 or 1 get their exact interval.

    ``precision/p/floor`` takes the upper exact bound of the false-alarm rate.
    """
    found = {name: _rate_estimate(name, number) for name, number in numbers.items()}
    recall, alarms = found["recall/all"], found["false-alarms"]
    for prevalence in PREVALENCES:
        found[f"precision/{prevalence}/floor"] = _floor(recall, alarms, prevalence)
    return found


def group_rates(study: StudyData, judge: int) -> dict[str, Estimate]:
    """Return recall in every group of faults, and false alarms in every scenario."""
    runs = study.runs
    found = {
        f"recall/{name}": _share(study, judge, rows, "no such fault was judged")
        for name, rows in fault_groups(runs).items()
        if name not in STRATA
    }
    for name in runs.scenario.names:
        rows = runs.clean & runs.scenario.where(name)
        found[f"false-alarms/scenario={name}"] = _share(
            study, judge, rows, "no clean run of it was judged"
        )
    return found


def _strata(study: StudyData) -> dict[str, BoolArray]:
    runs = study.runs
    silent = runs.faulty & runs.outcome_correct
    return {
        "all": runs.faulty,
        "silent": silent,
        "loud": runs.faulty & ~silent,
        "clean": runs.clean,
    }


def _rate(sums: ReplicateSums, judge: int, name: str) -> Replicates:
    scored = sums[judge, "scored", name]
    kind = "clean run" if name == "clean" else "fault" if name == "all" else f"{name} fault"
    return Replicates(
        ratio(sums[judge, "flagged", name], scored), int(scored[0]), f"no {kind} was judged"
    )


def _rate_estimate(name: str, number: Replicates) -> Estimate:
    value = float(number.values[0])
    if name.startswith(("recall/", "false-alarms")) and value in (0.0, 1.0):
        return proportion(round(value * number.n), number.n, number.nothing)
    return from_draws(number, BY_CELLS)


def _floor(recall: Estimate, alarms: Estimate, prevalence: float) -> Estimate:
    if recall.estimate is None or alarms.estimate is None:
        return undefined("recall or the false-alarm rate is undefined")
    _, upper = clopper_pearson(round(alarms.estimate * alarms.n), alarms.n)
    value = precision(np.array([recall.estimate]), np.array([upper]), prevalence)[0]
    floor = Estimate(float(value), None, None, alarms.n, "")
    return without_interval(floor, "precision at the upper exact bound of false alarms", "a bound")


def _share(study: StudyData, judge: int, rows: BoolArray, nothing: str) -> Estimate:
    scored = rows & study.verdicts.scored[judge]
    flagged = scored & study.verdicts.flagged[judge]
    return proportion(int(flagged.sum()), int(scored.sum()), nothing)
