"""Conduct: what a judge cost, what it left unscored, and whether it reads what it is shown."""

from __future__ import annotations

import math

import numpy as np

from .estimate import Estimate, count, undefined
from .intervals import proportion
from .study import Study

__all__ = ["controls", "cost"]


def cost(study: Study, judge: int) -> dict[str, Estimate]:
    """Return seconds and tokens a run, distinct rationales, and what is unscored."""
    verdicts = study.verdicts
    judged, scored = verdicts.judged[judge], verdicts.scored[judge]
    n, n_scored = int(judged.sum()), int(scored.sum())
    failed = judged & verdicts.failed[judge]
    distinct = len(np.unique(verdicts.rationale[judge][scored]))
    return {
        "cost/seconds": _mean(math.fsum(verdicts.latency_s[judge][judged]), n),
        "cost/prompt-tokens": _mean(int(verdicts.prompt_tokens[judge][judged].sum()), n),
        "cost/completion-tokens": _mean(int(verdicts.completion_tokens[judge][judged].sum()), n),
        "rationales/distinct": count(distinct, n_scored),
        "runs/judged": count(n, len(study.runs.ids)),
        "runs/unscored": count(n - n_scored - int(failed.sum()), n),
        "runs/errors": count(int(failed.sum()), n),
        "runs/flagged": count(int(verdicts.flagged[judge].sum()), n_scored),
    }


def controls(study: Study, judge: int) -> dict[str, Estimate]:
    """Return how often a control changes the decision that its parent got."""
    runs, verdicts = study.runs, study.verdicts
    scored, flagged = verdicts.scored[judge], verdicts.flagged[judge]
    found: dict[str, Estimate] = {}
    for name in runs.control.names:
        rows = np.flatnonzero(runs.control.where(name) & (runs.parent >= 0) & scored)
        rows = rows[scored[runs.parent[rows]]]
        flips = int((flagged[rows] != flagged[runs.parent[rows]]).sum())
        found[f"flips/{name}"] = proportion(flips, len(rows), "no such control was judged")
    return found


def _mean(total: float, n: int) -> Estimate:
    if n == 0:
        return undefined("nothing was judged")
    return Estimate(total / n, None, None, n, "mean", "a cost, not a sample statistic")
