"""Baselines: the numbers of judges that read nothing, and of a perfect check of the end state.

*Flag all* and *flag none* decide without looking; a *coin* flags at a judge's own
rate over all runs, blindly; the *state check* flags exactly the loud faults.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from faultpair.judges.baselines import NAMES_IN_TABLES

from ..data.columns import BoolArray
from ..data.study_data import LABELLER_ROW, StudyData
from ..stats.estimate import Estimate, point, undefined
from .detection import F1, FALSE_ALARMS, OWN, PREVALENCES, precision
from .key import ALL, PAIRED, Group, NumberKey, Numbers, of_judge
from .pairs import PairDesign
from .silence import CAUTIOUS, GATE, ranked

__all__ = ["baseline_names", "baseline_numbers", "in_order", "of_coin"]

FLAG_ALL, FLAG_NONE, STATE_CHECK = NAMES_IN_TABLES
STATE_JUDGE = "state-check"
METHOD = "by definition"


def baseline_names(judges: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the baselines that have a row in tables beside these judges.

    A judge's coin is in the judge's own row, and the state check gives way to the judge
    of that name in a study that has it.
    """
    blind = (FLAG_ALL, FLAG_NONE)
    return blind if STATE_JUDGE in judges else (*blind, STATE_CHECK)


def of_coin(key: NumberKey) -> NumberKey:
    """Return the key of a judge's coin: the same number, flagged blindly at the judge's rate."""
    return key._replace(stat=f"coin/{key.stat}")


def baseline_numbers(
    study: StudyData, design: PairDesign, groups: dict[Group, BoolArray]
) -> Numbers:
    """Return recall, false alarms, precision and Δ of every baseline."""
    numbers = of_judge(FLAG_ALL, _of_rate(study, design, groups, 1.0))
    numbers |= of_judge(FLAG_NONE, _of_rate(study, design, groups, 0.0))
    numbers |= of_judge(STATE_CHECK, _of_state_check(study, design, groups))
    # A baseline is never silent, so that its Δ has one reading.
    numbers |= {
        key._replace(stat=stat): number
        for stat in (CAUTIOUS, GATE)
        for key, number in list(numbers.items())
        if key.stat == "delta" and key.group in PAIRED
    }
    scored, flagged = study.verdicts.scored, study.verdicts.flagged
    for judge, name in enumerate(study.judges):
        n = int(scored[judge].sum())
        rate = int(flagged[judge].sum()) / n if n else math.nan
        coin = of_judge(name, _of_rate(study, design, groups, rate))
        numbers |= {of_coin(key): number for key, number in coin.items()}
    return numbers


def _of_rate(
    study: StudyData, design: PairDesign, groups: dict[Group, BoolArray], rate: float
) -> Numbers:
    numbers = {NumberKey("recall", group): _known(rate, rows) for group, rows in groups.items()}
    numbers |= {NumberKey("delta", g): _known(0.0, rows) for g, rows in design.groups.items()}
    numbers[FALSE_ALARMS] = _known(rate, study.runs.clean)
    return numbers | _precisions(study, rate, rate)


def _of_state_check(
    study: StudyData, design: PairDesign, groups: dict[Group, BoolArray]
) -> Numbers:
    loud = ~study.runs.outcome_correct
    numbers = {NumberKey("recall", group): _share(loud, rows) for group, rows in groups.items()}
    difference = loud[design.fault].astype(np.int64) - loud[design.parent]
    for group, rows in design.groups.items():
        numbers[NumberKey("delta", group)] = _share(difference, rows)
    numbers[FALSE_ALARMS] = _share(loud, study.runs.clean)
    recall, alarms = (
        math.nan if number.estimate is None else number.estimate
        for number in (numbers[NumberKey("recall", ALL)], numbers[FALSE_ALARMS])
    )
    return numbers | _precisions(study, recall, alarms)


def _precisions(study: StudyData, recall: float, alarms: float) -> Numbers:
    """Return precision and F1 at a recall and a false-alarm rate."""
    faults, clean = (int(rows.sum()) for rows in (study.runs.faulty, study.runs.clean))
    own = faults / max(faults + clean, 1)
    known = {NumberKey("precision", str(prevalence)): prevalence for prevalence in PREVALENCES}
    numbers: Numbers = {}
    for key, prevalence in ({OWN: own} | known).items():
        value = float(precision(np.array([recall]), np.array([alarms]), prevalence)[0])
        numbers[key] = _known(value, np.ones(1, np.bool_))
    flagged = recall * faults + alarms * clean
    f1 = 2 * recall * faults / (flagged + faults) if flagged + faults else math.nan
    numbers[F1] = _known(f1, study.runs.faulty | study.runs.clean)
    return numbers


def _known(value: float, rows: BoolArray) -> Estimate:
    n = int(rows.sum())
    if n == 0 or np.isnan(value):
        return undefined("there is no such run" if n == 0 else "nothing is flagged")
    return point(value, n, METHOD, "known without sampling")


def _share(values: np.ndarray[tuple[int], np.dtype[np.generic]], rows: BoolArray) -> Estimate:
    n = int(rows.sum())
    return _known(int(values[rows].sum()) / n if n else 0.0, rows)


def in_order(
    study: StudyData, numbers: Numbers, *, with_baselines: bool = False
) -> tuple[str, ...]:
    """Return the judges, the best first by the low end of the cautious Δ, the labeller last.

    Baselines come behind them.
    """
    labeller = (LABELLER_ROW,) if LABELLER_ROW in study.judges else ()
    baselines = baseline_names(study.judges) if with_baselines else ()
    return (*ranked(study.compared, numbers), *labeller, *baselines)
