"""Over-anchoring: verdicts that are too high because the ground truth was shown.

A case is a plan and metric with p < 1 whose verdict is above p with the ground truth, and
at most p + 0.1 without it (AgentJudgeBench, appendix H). Random variation of verdicts alone
makes such cases; the *mirror*, where the two conditions change places, estimates how many.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from faultpair.judges.plan_metrics.metrics import METRICS

from ...data.columns import BoolArray, FloatArray, IntArray, ratio
from ...stats.bootstrap import Replicates
from ...stats.estimate import count
from .grid import Grid, joined
from .key import PlanKey, PlanNumbers
from .marginals import estimated
from .match_score import SLACK
from .record_bootstrap import EVERY, Resample

__all__ = ["Anchored", "Case", "anchored", "anchoring_numbers"]

NEAR = 0.1
SAME = ("judge", "tier", "record", "generator")
NAMED = ("record", "generator", "judge", "tier")
NO_FLAW = "no plan with p < 1 was judged under both conditions"


@dataclass(frozen=True, slots=True)
class Case:
    """One verdict that is too high with the ground truth, and is not without it."""

    record: str
    generator: str
    judge: str
    tier: str
    metric: str
    reference: float
    with_truth: float
    without: float


@dataclass(frozen=True, slots=True)
class Anchored:
    """Plans judged under both conditions, row by row, in the order of judge, tier, record.

    ``flawed``, ``found`` and ``mirrored`` have shape (n, 4).
    """

    plans: Grid
    without: FloatArray
    flawed: BoolArray
    found: BoolArray
    mirrored: BoolArray

    def cases(self) -> Iterator[Case]:
        """Yield every case."""
        plans = self.plans
        for row, metric in np.argwhere(self.found).tolist():
            yield Case(
                **{factor: plans.of(factor).name(row) or "" for factor in NAMED},
                metric=METRICS[metric],
                reference=float(plans.reference[row, metric]),
                with_truth=float(plans.verdict[row, metric]),
                without=float(self.without[row, metric]),
            )


def anchored(grid: Grid, with_truth: str, without: str) -> Anchored:
    """Find the cases among the plans that a judge saw under both conditions."""
    shown, hidden = grid.under(with_truth), grid.under(without)
    one, other = joined(shown, hidden, SAME)
    plans, blind = shown.take(one), hidden.verdict[other]
    flawed = plans.reference < 1 - SLACK
    found = flawed & _turned(plans.reference, plans.verdict, blind)
    mirrored = flawed & _turned(plans.reference, blind, plans.verdict)
    return Anchored(plans=plans, without=blind, flawed=flawed, found=found, mirrored=mirrored)


def anchoring_numbers(anchors: Anchored, resample: Resample) -> PlanNumbers:
    """Return counts and shares of cases and mirrors, by judge, and by judge and metric."""
    plans = anchors.plans
    marks = (anchors.flawed, anchors.found, anchors.mirrored)
    values = np.column_stack(marks).astype(np.int64)
    n_judges = len(plans.judge.names)
    sums = resample.sums(plans.record.codes, plans.judge.codes, values, n_judges)[:, EVERY]
    # The columns are the three marks side by side, each with its four metrics.
    by_metric = sums.reshape(len(sums), n_judges, len(marks), len(METRICS))
    numbers: PlanNumbers = {}
    for code, judge in _present(plans):
        of_judge = by_metric[:, code]
        numbers |= _shares(of_judge.sum(axis=2), PlanKey("anchoring", judge=judge))
        for place, metric in enumerate(METRICS):
            key = PlanKey("anchoring", judge=judge, metric=metric)
            numbers |= _shares(of_judge[:, :, place], key)
    return numbers


def _turned(reference: FloatArray, high: FloatArray, low: FloatArray) -> BoolArray:
    turned: BoolArray = (high > reference + SLACK) & (low <= reference + NEAR + SLACK)
    return turned


def _present(plans: Grid) -> list[tuple[int, str]]:
    codes: IntArray = np.unique(plans.judge.codes)
    return [(code, plans.judge.names[code]) for code in codes.tolist()]


def _shares(sums: FloatArray, key: PlanKey) -> PlanNumbers:
    flawed, cases, mirrored = sums.T
    n = int(flawed[0])
    shares = {
        "share": ratio(cases, flawed),
        "mirror": ratio(mirrored, flawed),
        "excess": ratio(cases - mirrored, flawed),
    }
    counted = {key._replace(of="cases"): count(int(cases[0]), n)}
    return counted | {
        key._replace(of=name): estimated(Replicates(values, n, NO_FLAW))
        for name, values in shares.items()
    }
