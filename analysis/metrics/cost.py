"""Cost: seconds, tokens and calls of a judge, and what it left unscored."""

from __future__ import annotations

import math

import numpy as np

from ..data.columns import BoolArray
from ..data.study_data import StudyData
from ..stats.estimate import Estimate, count, point, undefined
from .key import NumberKey, Numbers
from .repeatability import passes_of

__all__ = ["call_numbers", "cost_numbers"]

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


def _mean(total: float, n: int) -> Estimate:
    if n == 0:
        return undefined("nothing was judged")
    return point(total / n, n, "mean", COST)
