"""Cost: seconds, tokens and calls of a judge, what it left unscored, and flips under controls."""

from __future__ import annotations

import math

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..data.study_data import StudyData
from ..stats.estimate import Estimate, count, point, undefined
from ..stats.intervals import delta_estimate
from ..stats.paired_difference import Clustered
from .detection import share_of
from .key import ALL, NumberKey, Numbers
from .repeatability import passes_of

__all__ = ["CONTROL_DELTA", "NO_CONTROL", "call_numbers", "control_numbers", "cost_numbers"]

NO_CONTROL = "no such control was judged"
CONTROL_DELTA = "control-delta"
COST = "a cost, not a sample statistic"


def cost_numbers(study: StudyData, judge: int) -> Numbers:
    """Return seconds and tokens a run, distinct rationales, and what is unscored.

    Runs that share one answer are one run in its cost.
    """
    verdicts = study.verdicts
    judged, scored = verdicts.judged[judge], verdicts.scored[judge]
    n, n_scored = int(judged.sum()), int(scored.sum())
    failed = judged & verdicts.failed[judge]
    distinct = len(np.unique(verdicts.rationale[judge][scored]))
    paid = _paid(study, judge)
    n_paid = int(paid.sum())
    tokens = (verdicts.prompt_tokens[judge][paid], verdicts.completion_tokens[judge][paid])
    numbers = {
        "cost/seconds": _mean(math.fsum(verdicts.latency_s[judge][paid]), n_paid),
        "cost/prompt-tokens": _mean(int(tokens[0].sum()), n_paid),
        "cost/completion-tokens": _mean(int(tokens[1].sum()), n_paid),
        "rationales/distinct": count(distinct, n_scored),
        "runs/judged": count(n, len(study.runs.ids)),
        "runs/unscored": count(n - n_scored - int(failed.sum()), n),
        "runs/errors": count(int(failed.sum()), n),
        "runs/flagged": count(int(verdicts.flagged[judge].sum()), n_scored),
    }
    return {NumberKey(stat): number for stat, number in numbers.items()}


def call_numbers(study: StudyData, judge: int) -> Numbers:
    """Return, over all passes of a model judge, its calls, their tokens and their seconds.

    Nothing for a vote: it makes no call; those of its passes are counted with their judge.
    """
    name = study.judges[judge]
    if not study.is_model(judge) or any(vote.id == name for vote in study.votes):
        return {}
    passes = passes_of(study, name)
    made, n = passes.called, int(passes.judged.sum())
    totals = {
        "made": int(made.sum()),
        "shared": int(passes.shared.sum()),
        "not-sent": n - int(made.sum()) - int(passes.shared.sum()),
        "errors": int((passes.failed & ~passes.shared).sum()),
        "prompt-tokens": int(passes.prompt_tokens[made].sum()),
        "completion-tokens": int(passes.completion_tokens[made].sum()),
    }
    seconds = point(math.fsum(passes.latency_s[made]), totals["made"], "sum", COST)
    numbers = {NumberKey(f"calls/{what}"): count(total, n) for what, total in totals.items()}
    return numbers | {NumberKey("calls/seconds"): seconds}


def _paid(study: StudyData, judge: int) -> BoolArray:
    """Return the runs whose cost is their own; those of a vote are those of its passes."""
    verdicts, name = study.verdicts, study.judges[judge]
    judged: BoolArray = verdicts.judged[judge]
    if not study.is_model(judge):
        return judged
    asking = {vote.id: vote.of for vote in study.votes}.get(name, name)
    payer = asking if asking in study.judges else name
    called: BoolArray = verdicts.called[study.judges.index(payer)]
    return judged & called


def control_numbers(study: StudyData, judge: int) -> Numbers:
    """Return how often a control changes the decision of its parent, and control-Δ.

    Control-Δ is Δ with controls in place of faults: flag(control) − flag(parent). A judge
    that reacts to any edit, and not to faults alone, has one above 0.
    """
    runs, verdicts = study.runs, study.verdicts
    scored, flagged = verdicts.scored[judge], verdicts.flagged[judge]
    numbers: Numbers = {}
    every: list[IntArray] = []
    for name in runs.control.names:
        rows = np.flatnonzero(runs.control.where(name) & (runs.parent >= 0) & scored)
        rows = rows[scored[runs.parent[rows]]]
        asked, flipped = (np.zeros(len(runs.ids), np.bool_) for _ in range(2))
        asked[rows] = True
        flipped[rows] = flagged[rows] != flagged[runs.parent[rows]]
        numbers[NumberKey("flips", name)] = share_of(study, asked, flipped, NO_CONTROL)
        every.append(rows)
        numbers[NumberKey(CONTROL_DELTA, name)] = _control_delta(study, flagged, rows)
    if every:
        numbers[NumberKey(CONTROL_DELTA, ALL)] = _control_delta(
            study, flagged, np.concatenate(every)
        )
    return numbers


def _control_delta(study: StudyData, flagged: BoolArray, rows: IntArray) -> Estimate:
    runs = study.runs
    difference = flagged[rows].astype(np.int64) - flagged[runs.parent[rows]]
    unit = runs.instance.codes[rows]
    return delta_estimate(Clustered.of(unit, difference, len(runs.instance.names)), NO_CONTROL)


def _mean(total: float, n: int) -> Estimate:
    if n == 0:
        return undefined("nothing was judged")
    return point(total / n, n, "mean", COST)
