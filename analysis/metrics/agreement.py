"""Agreement: of two passes of one judge, and of the errors of a panel of judges.

The effective number of k judges whose errors correlate by ρ̄ on average is
k / (1 + (k − 1) ρ̄): how many independent judges the panel is worth.

References
----------
Kish (1965), Survey Sampling, section 5.4 (the design effect of a cluster of k).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ..data.columns import FloatArray
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, ReplicateSums, UnitColumns, ratio
from ..stats.estimate import Estimate, undefined
from ..stats.intervals import from_draws, proportion

__all__ = ["enter", "panel", "passes"]

NO_VARIANCE = "a judge that is always right or always wrong has no error correlation"


def enter(ledger: UnitColumns, study: StudyData) -> None:
    """Enter the errors of each judge, and of each two, over the runs that all scored."""
    runs, verdicts = study.runs, study.verdicts.take(range(len(study.compared)))
    shared = verdicts.scored.all(axis=0) & (runs.faulty | runs.clean)
    wrong = (verdicts.flagged != runs.faulty) & shared
    ledger.add("shared", shared)
    for judge, row in enumerate(wrong):
        ledger.add((judge, "wrong"), row)
    for one, other in combinations(range(len(wrong)), 2):
        ledger.add((one, other, "wrong"), wrong[one] & wrong[other])


def panel(sums: ReplicateSums, study: StudyData, method: str) -> dict[str, Estimate]:
    """Return each error correlation, their mean, and the effective number of judges."""
    judges = study.compared
    n = int(sums["shared"][0])
    found: dict[str, Estimate] = {}
    defined: list[FloatArray] = []
    for one, other in combinations(range(len(judges)), 2):
        values = _correlation(sums, one, other)
        number = Replicates(values, n, NO_VARIANCE)
        found[f"error-correlation/{judges[one]}/{judges[other]}"] = from_draws(number, method)
        if not np.isnan(values[0]):
            defined.append(values)
    if not defined:
        reason = "one judge only" if len(judges) < 2 else NO_VARIANCE
        return found | {
            name: undefined(reason) for name in ("error-correlation", "effective-judges")
        }
    mean = np.mean(np.array(defined), axis=0)
    k = len(judges)
    found["error-correlation"] = from_draws(Replicates(mean, n, NO_VARIANCE), method)
    effective = ratio(np.full_like(mean, k), 1 + (k - 1) * mean)
    found["effective-judges"] = from_draws(Replicates(effective, n, NO_VARIANCE), method)
    return found


def passes(study: StudyData) -> dict[str, Estimate]:
    """Return how often two passes of one judge decide alike, and agree to the letter.

    Runs that share an answer with another count once, with that other.
    """
    every = study.passes
    found: dict[str, Estimate] = {}
    for one, other in combinations(range(len(every.series)), 2):
        first, second = every.series[one], every.series[other]
        if first.judge_id != second.judge_id:
            continue
        name = f"{first.judge_id}/agreement"
        name += f"/{first.sample}.{first.repeat}/{second.sample}.{second.repeat}"
        shared = every.scored[one] & every.scored[other]
        shared &= ~(every.shared[one] | every.shared[other])
        alike = shared & (every.flagged[one] == every.flagged[other])
        same = alike & (every.rationale[one] == every.rationale[other])
        nothing = "the two passes share no scored run"
        found[f"{name}/decision"] = proportion(int(alike.sum()), int(shared.sum()), nothing)
        found[f"{name}/rationale"] = proportion(int(same.sum()), int(shared.sum()), nothing)
    return found


def _correlation(sums: ReplicateSums, one: int, other: int) -> FloatArray:
    n, left, right = sums["shared"], sums[one, "wrong"], sums[other, "wrong"]
    both = sums[one, other, "wrong"]
    spread = np.sqrt(left * (n - left)) * np.sqrt(right * (n - right))
    return ratio(n * both - left * right, spread)
