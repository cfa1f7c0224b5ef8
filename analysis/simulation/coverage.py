"""Coverage of the intervals and errors of the tests, by simulated judges of known behaviour.

Every function here returns whole numbers and sums; `simulation.tables` makes the
tables. All judges of a cell are judges of one study and share its resamples, as
the judges of a real study do.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import numpy as np

from ..data.study_data import StudyData
from ..metrics import calibration, pairs
from ..metrics.key import ALL, Group, NumberKey
from ..metrics.pairs import PairDesign, PairOutcomes, clustered
from ..stats.bootstrap import Replicates, UnitColumns
from ..stats.estimate import significant
from ..stats.intervals import ALPHA, METHODS, percentile
from ..stats.tests import mcnemar, sign_flip
from .simulated import Behaviour, Model, flags_of, judged_study, runs_of, uniform

__all__ = ["BASE_RATES", "GRID", "INSTANCES", "calibration_counts", "cell_counts", "error_counts"]

INSTANCES = (20, 50, 100, 300)
DELTAS = (0.0, 0.02, 0.1, 0.5, 0.95)
BASE_RATES = (0.05, 0.33)
GRID = tuple(
    (n, Model(delta, base_rate, behaviour))
    for n, base_rate, delta, behaviour in product(INSTANCES, BASE_RATES, DELTAS, Behaviour)
)
"""The numbers of instances and the behaviours of judges that are simulated."""

IMPOSSIBLE = "a fault would be flagged with a chance above 1: Δ + base rate > 1"
DIFFERENCE = "difference"
ONE_TYPE = Group("type", "a")
STATED = (0.55, 0.65, 0.75, 0.85, 0.95)


def cell_counts(n_instances: int, model: Model, n_judges: int, n_resamples: int) -> dict[str, Any]:
    """Count, for one cell of the grid, how often each interval covers.

    An interval that is not given, or has no width, covers nothing; ``none`` counts
    those. ``difference`` is the percentile interval of Δ of one judge minus Δ of
    the next, whose true value is 0.
    """
    cell = {"instances": n_instances, **_named(model)}
    if not model.exists:
        return cell | {"reason": IMPOSSIBLE}
    study = _study(n_instances, model, n_judges)
    design, outcomes = _paired(study, ALL)
    deltas = _deltas(design, outcomes, n_resamples)
    sums = [clustered(design, own, design.groups[ALL]) for own in outcomes]
    ends = {
        name: [method(*one) for one in zip(sums, deltas, strict=True)]
        for name, method in METHODS.items()
    }
    wrong = [percentile(one.values - other.values) for one, other in pairwise(deltas)]
    totals = np.array([one.hits - one.reverses for one in sums])
    return cell | {
        "reason": None,
        "simulations": n_judges,
        "pairs": sums[0].n,
        "sum": int(totals.sum()),
        "sum_of_squares": int((totals**2).sum()),
        "methods": {name: _tally(some, model.delta) for name, some in ends.items()}
        | {DIFFERENCE: _tally(wrong, 0.0)},
    }


def error_counts(n_instances: int, base_rate: float, n_judges: int) -> dict[str, Any]:
    """Count how often each test rejects a true null hypothesis, at 5 %.

    McNemar: pairs of one type under a judge with Δ = 0. Sign flips: two judges of
    one model with Δ = 0.1 on all pairs.
    """
    blind, alike = (Model(delta, base_rate, Behaviour.ANEW) for delta in (0.0, 0.1))
    design, outcomes = _paired(_study(n_instances, blind, n_judges), ONE_TYPE)
    rows = design.groups[ONE_TYPE]
    counts = [(int((rows & one.hit).sum()), int((rows & one.reversed).sum())) for one in outcomes]
    exact = [mcnemar(*both).estimate for both in counts]
    design, outcomes = _paired(_study(n_instances, alike, 2 * n_judges), ALL)
    totals = [clustered(design, own, design.groups[ALL]).total for own in outcomes]
    flips = [
        sign_flip(one - other).estimate
        for one, other in zip(totals[::2], totals[1::2], strict=True)
    ]
    return {
        "instances": n_instances,
        "base_rate": base_rate,
        "simulations": n_judges,
        "McNemar": sum(p is not None and p <= ALPHA for p in exact),
        "sign flips": sum(p is not None and p <= ALPHA for p in flips),
    }


def calibration_counts(n_instances: int, n_judges: int) -> dict[str, Any]:
    """Compare the ECE of judges that are right as often as they say with its stated bias."""
    runs = runs_of(n_instances)
    shape = (n_judges, len(runs.ids))
    drawn = uniform(2 * n_judges * shape[1], "calibrated", n_instances).reshape(2, *shape)
    confidence = np.array(STATED)[(drawn[0] * len(STATED)).astype(np.int64)]
    study = judged_study(runs, (drawn[1] < confidence) == runs.faulty, confidence)
    columns = UnitColumns(shape[1])
    for judge in range(n_judges):
        calibration.accumulate(columns, calibration.stated_confidence(study, judge), judge)
    sums = columns.sums(purpose="runs", n_resamples=0)
    replicates = [calibration.replicate(sums, judge) for judge in range(n_judges)]
    ece = [float(own[calibration.ECE].values[0]) for own in replicates]
    bias = [calibration.ece_bias(row) or 0.0 for row in confidence]
    return {
        "instances": n_instances,
        "simulations": n_judges,
        "verdicts": shape[1],
        "ece": significant(math.fsum(ece)),
        "ece_squared": significant(math.fsum(value**2 for value in ece)),
        "bias": significant(math.fsum(bias)),
    }


def _named(model: Model) -> dict[str, Any]:
    return {"delta": model.delta, "base_rate": model.base_rate, "behaviour": str(model.behaviour)}


def _study(n_instances: int, model: Model, n_judges: int) -> StudyData:
    runs = runs_of(n_instances)
    purpose = (str(model.behaviour), str(model.delta), str(model.base_rate), n_instances)
    return judged_study(runs, flags_of(model, runs, n_judges, *purpose))


def _paired(study: StudyData, *groups: Group) -> tuple[PairDesign, list[PairOutcomes]]:
    design = PairDesign.of(study)
    design = replace(design, groups={group: design.groups[group] for group in groups})
    return design, [pairs.outcomes_of(study, judge) for judge in range(len(study.verdicts.series))]


def _deltas(design: PairDesign, outcomes: list[PairOutcomes], n_resamples: int) -> list[Replicates]:
    columns = UnitColumns(design.n_units)
    for judge, own in enumerate(outcomes):
        pairs.accumulate(columns, design, own, judge)
    sums = pairs.resampled(columns, n_resamples)
    delta = NumberKey("delta", ALL)
    return [pairs.replicate(sums, design, judge)[delta] for judge in range(len(outcomes))]


def _tally(ends: list[tuple[float, float] | None], truth: float) -> dict[str, Any]:
    given = [pair for pair in ends if pair is not None and pair[1] > pair[0]]
    slack = 1e-12
    covered = sum(low - slack <= truth <= high + slack for low, high in given)
    width = significant(math.fsum(high - low for low, high in given))
    return {"of": len(ends), "covered": covered, "none": len(ends) - len(given), "width": width}
