"""Agreement: of two passes of one judge, and of the errors of a panel of judges.

The effective number of k judges whose errors correlate by ρ̄ on average is
k / (1 + (k − 1) ρ̄): how many independent judges the panel is worth. A judge that is always
right, or always wrong, correlates with none, and is not one of the k.

References
----------
Kish (1965), Survey Sampling, section 5.4 (the design effect of a cluster of k).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ..data.columns import FloatArray, ratio
from ..data.study_data import StudyData
from ..stats.bootstrap import ReplicateSums, UnitColumns
from ..stats.estimate import Estimate, count, point, undefined
from ..stats.intervals import NO_METHOD
from .detection import share_of
from .key import NumberKey, Numbers

__all__ = [
    "CORRELATION",
    "EFFECTIVE",
    "accumulate",
    "panel_numbers",
    "pass_numbers",
    "vote_numbers",
]

CORRELATION = NumberKey("", family="error-correlation")
EFFECTIVE = NumberKey("", family="effective-judges")
PEARSON = "correlation of errors"
NO_VARIANCE = "a judge that is always right or always wrong has no error correlation"


def accumulate(columns: UnitColumns, study: StudyData) -> None:
    """Add the errors of each judge, and of each two, over the runs that all scored."""
    runs, verdicts = study.runs, study.verdicts.take(range(len(study.compared)))
    shared = verdicts.scored.all(axis=0) & (runs.faulty | runs.clean)
    wrong = (verdicts.flagged != runs.faulty) & shared
    columns.add("shared", shared)
    for judge, row in enumerate(wrong):
        columns.add((judge, "wrong"), row)
    for one, other in combinations(range(len(wrong)), 2):
        columns.add((one, other, "wrong"), wrong[one] & wrong[other])


def panel_numbers(sums: ReplicateSums, study: StudyData) -> Numbers:
    """Return each error correlation, their mean, and the effective number of judges.

    None has an interval: errors are few and come in clusters, and no method is known to cover.
    """
    judges = study.compared
    n, k = int(sums["shared"][0]), len(judges)
    numbers: Numbers = {}
    defined: list[FloatArray] = []
    erring: set[int] = set()
    for one, other in combinations(range(k), 2):
        values = _correlation(sums, one, other)
        key = CORRELATION._replace(judge=judges[one], against=judges[other])
        numbers[key] = _point(values, n)
        if not np.isnan(values[0]):
            defined.append(values)
            erring |= {one, other}
    if not defined:
        nothing = undefined("one judge only" if k < 2 else NO_VARIANCE)
        return numbers | {CORRELATION: nothing, EFFECTIVE: nothing}
    mean, known = np.mean(np.array(defined), axis=0), len(erring)
    effective = ratio(np.full_like(mean, known), 1 + (known - 1) * mean)
    for key, values in ((CORRELATION, mean), (EFFECTIVE, effective)):
        numbers[key] = _point(values, n)
    return numbers


def pass_numbers(study: StudyData) -> Numbers:
    """Return how often two passes of one judge have the same decision, and the same rationale.

    Runs that share an answer with another count once, with that other.
    """
    every = study.passes
    numbers: Numbers = {}
    of_judge: dict[str, list[int]] = {}
    for place, series in enumerate(every.series):
        of_judge.setdefault(series.judge_id, []).append(place)
    for one, other in sorted(pair for own in of_judge.values() for pair in combinations(own, 2)):
        first, second = every.series[one], every.series[other]
        shared = every.scored[one] & every.scored[other]
        shared &= ~(every.shared[one] | every.shared[other])
        alike = shared & (every.flagged[one] == every.flagged[other])
        same = alike & (every.rationale[one] == every.rationale[other])
        nothing = "the two passes share no scored run"
        for part, rows in (("decision", alike), ("rationale", same)):
            key = NumberKey("agreement", f"{first.name}/{second.name}", part, first.judge_id)
            numbers[key] = share_of(study, shared, rows, nothing)
    return numbers


def vote_numbers(study: StudyData, judge: int) -> Numbers:
    """Count the faults and the clean runs by how many passes flag them, for a judge that votes."""
    k = study.voted.get(study.judges[judge])
    if k is None:
        return {}
    score = study.verdicts.score[judge]
    known = study.verdicts.scored[judge] & ~np.isnan(score)
    votes = np.round(np.where(known, score, 0.0) * k).astype(np.int64)
    numbers: Numbers = {}
    for name, rows in (("faults", study.runs.faulty), ("clean", study.runs.clean)):
        n = int((rows & known).sum())
        for flags in range(k + 1):
            key = NumberKey("votes", name, f"{flags} of {k}")
            numbers[key] = count(int((rows & known & (votes == flags)).sum()), n)
    return numbers


def _point(values: FloatArray, n: int) -> Estimate:
    value = float(values[0])
    return undefined(NO_VARIANCE, n) if np.isnan(value) else point(value, n, PEARSON, NO_METHOD)


def _correlation(sums: ReplicateSums, one: int, other: int) -> FloatArray:
    n, left, right = sums["shared"], sums[one, "wrong"], sums[other, "wrong"]
    both = sums[one, other, "wrong"]
    # Pearson's correlation of two columns of 0 and 1, from their counts.
    spread = np.sqrt(left * (n - left)) * np.sqrt(right * (n - right))
    return ratio(n * both - left * right, spread)
