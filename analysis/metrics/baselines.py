"""Baselines: what judges that read nothing, and a perfect check of the end state, would score.

*Flag all* and *flag none* decide without looking; a *coin* flags at a judge's own
rate over all runs, blindly; the *state check* flags exactly the loud faults.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..data.columns import BoolArray
from ..data.study_data import StudyData
from ..stats.estimate import Estimate, undefined
from .detection import PREVALENCES, precision
from .pairs import PairDesign

__all__ = ["STATE_CHECK", "baseline_names", "baseline_numbers", "coin_of"]

STATE_CHECK = "state check"
STATE_JUDGE = "state-check"
METHOD = "by definition"


def baseline_names(judges: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the baselines that have a row in tables beside these judges.

    A judge's coin stands in its own row, and the state check is left to the judge
    of that name where a study asks it.
    """
    blind = ("flag all", "flag none")
    return blind if STATE_JUDGE in judges else (*blind, STATE_CHECK)


def coin_of(judge: str) -> str:
    """Return the name of the coin that flags at the rate of a judge."""
    return f"{judge}/coin"


def baseline_numbers(
    study: StudyData, design: PairDesign, groups: dict[str, BoolArray]
) -> dict[str, Estimate]:
    """Return recall, false alarms, precision and Δ of every baseline, by full name."""
    rates: dict[str, float | None] = {"flag all": 1.0, "flag none": 0.0, STATE_CHECK: None}
    scored, flagged = study.verdicts.scored, study.verdicts.flagged
    for judge, name in enumerate(study.judges):
        n = int(scored[judge].sum())
        rates[coin_of(name)] = int(flagged[judge].sum()) / n if n else float("nan")
    found: dict[str, Estimate] = {}
    for name, rate in rates.items():
        own = _of_rate(study, design, groups, rate) if rate is not None else {}
        own = own or _of_state_check(study, design, groups)
        found |= {f"{name}/{number}": estimate for number, estimate in own.items()}
    return found


def _of_rate(
    study: StudyData, design: PairDesign, groups: dict[str, BoolArray], rate: float
) -> dict[str, Estimate]:
    found = {f"recall/{group}": _known(rate, rows) for group, rows in groups.items()}
    found |= {f"delta/{group}": _known(0.0, rows) for group, rows in design.groups.items()}
    found["false-alarms"] = _known(rate, study.runs.clean)
    return found | _precisions(rate, rate)


def _of_state_check(
    study: StudyData, design: PairDesign, groups: dict[str, BoolArray]
) -> dict[str, Estimate]:
    loud = ~study.runs.outcome_correct
    found = {f"recall/{group}": _share(loud, rows) for group, rows in groups.items()}
    difference = loud[design.fault].astype(np.int64) - loud[design.parent]
    for group, rows in design.groups.items():
        found[f"delta/{group}"] = _share(difference, rows)
    found["false-alarms"] = _share(loud, study.runs.clean)
    recall, alarms = found["recall/all"].estimate, found["false-alarms"].estimate
    nan = float("nan")
    return found | _precisions(nan if recall is None else recall, nan if alarms is None else alarms)


def _precisions(recall: float, alarms: float) -> dict[str, Estimate]:
    found: dict[str, Estimate] = {}
    for prevalence in PREVALENCES:
        value = float(precision(np.array([recall]), np.array([alarms]), prevalence)[0])
        found[f"precision/{prevalence}"] = _known(value, np.ones(1, np.bool_))
    return found


def _known(value: float, rows: BoolArray) -> Estimate:
    n = int(rows.sum())
    if n == 0 or np.isnan(value):
        return undefined("there is no such run" if n == 0 else "nothing is flagged")
    return Estimate(value, None, None, n, METHOD, "known without sampling")


def _share(values: np.ndarray[tuple[int], np.dtype[np.generic]], rows: BoolArray) -> Estimate:
    n = int(rows.sum())
    return _known(int(values[rows].sum()) / n if n else 0.0, rows)
