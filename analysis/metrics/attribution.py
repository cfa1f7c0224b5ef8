"""Attribution: does a judge name the step and the type of the faults that it flags?

Localisation is exact match on the 0-based step; a step not named is a miss.
Type F1 is the unweighted mean over the types present of 2·TP / (named + true),
over faulty runs only; a missed fault is a false negative of its type and 0/0 is 0.
"""

from __future__ import annotations

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, ReplicateSums, UnitColumns, ratio
from ..stats.estimate import count, undefined
from ..stats.intervals import from_replicates
from .groups import omissions
from .key import NumberKey, Numbers

__all__ = ["accumulate", "confusion", "estimate", "replicate"]

DETECTED = NumberKey("localisation/detected")
JOINT = NumberKey("localisation/joint")
F1 = NumberKey("typing/macro-f1")
TYPED = NumberKey("typing/joint")
ACTED = "acted"

NO_STEPS = "the judge names no step"
NO_TYPES = "the judge names no type"
NO_FAULT = "no fault was judged"
MISSING = {
    DETECTED: NO_STEPS,
    JOINT: NO_STEPS,
    DETECTED._replace(part=ACTED): NO_STEPS,
    JOINT._replace(part=ACTED): NO_STEPS,
    F1: NO_TYPES,
    TYPED: NO_TYPES,
}
"""Why a judge may have no such number."""


def accumulate(columns: UnitColumns, study: StudyData, judge: int) -> None:
    """Add what attribution counts for one judge."""
    runs, verdicts = study.runs, study.verdicts
    faults = runs.faulty & verdicts.scored[judge]
    caught = faults & verdicts.flagged[judge]
    exact = caught & (verdicts.step[judge] == runs.failure_step) & (runs.failure_step >= 0)
    for part, rows in (("", runs.faulty), (ACTED, ~omissions(runs))):
        columns.add((judge, "faults", part), faults & rows)
        columns.add((judge, "caught", part), caught & rows)
        columns.add((judge, "exact", part), exact & rows)
    for name in runs.failure_type.names:
        true, named = runs.failure_type.where(name), verdicts.named.where(name)[judge]
        columns.add((judge, "true", name), faults & true)
        columns.add((judge, "named", name), caught & named)
        columns.add((judge, "hit", name), caught & named & true)


def replicate(sums: ReplicateSums, study: StudyData, judge: int) -> dict[NumberKey, Replicates]:
    """Return localisation and typing under every resample; none of what is never named."""
    replicates: dict[NumberKey, Replicates] = {}
    faults = study.runs.faulty & study.verdicts.flagged[judge]
    if bool((study.verdicts.step[judge][faults] >= 0).any()):
        replicates |= _localisation(sums, judge, "") | _localisation(sums, judge, ACTED)
    if bool((study.verdicts.named.codes[judge][faults] >= 0).any()):
        replicates |= _typing(sums, judge, study.runs.failure_type.names)
    return replicates


def estimate(replicates: dict[NumberKey, Replicates], method: str) -> Numbers:
    """Return the estimates, null where the judge names no step or no type."""
    return {
        key: from_replicates(replicates[key], method) if key in replicates else undefined(reason)
        for key, reason in MISSING.items()
    }


def confusion(study: StudyData, judge: int) -> Numbers:
    """Count the type named, or ``missed`` or ``no type``, for the faults of each type."""
    runs, verdicts = study.runs, study.verdicts
    answers = _answers(study, judge)
    numbers: Numbers = {}
    for true in runs.failure_type.names:
        rows = runs.failure_type.where(true) & verdicts.scored[judge]
        for name, given in answers.items():
            key = NumberKey("confusion", true, name)
            numbers[key] = count(int((rows & given).sum()), int(rows.sum()))
    return numbers


def _answers(study: StudyData, judge: int) -> dict[str, BoolArray]:
    verdicts = study.verdicts
    flagged, codes = verdicts.flagged[judge], verdicts.named.codes[judge]
    names = study.runs.failure_type.names
    answers = {name: flagged & verdicts.named.where(name)[judge] for name in names}
    foreign: IntArray = np.array(
        [code for code, name in enumerate(verdicts.named.names) if name not in names], np.int64
    )
    answers["another type"] = flagged & np.isin(codes, foreign)
    answers["no type"] = flagged & (codes < 0)
    answers["missed"] = verdicts.scored[judge] & ~flagged
    return answers


def _localisation(sums: ReplicateSums, judge: int, part: str) -> dict[NumberKey, Replicates]:
    exact = sums[judge, "exact", part]
    caught, faults = sums[judge, "caught", part], sums[judge, "faults", part]
    detected = Replicates(ratio(exact, caught), int(caught[0]), "no fault was detected")
    joint = Replicates(ratio(exact, faults), int(faults[0]), NO_FAULT)
    return {DETECTED._replace(part=part): detected, JOINT._replace(part=part): joint}


def _typing(sums: ReplicateSums, judge: int, names: tuple[str, ...]) -> dict[NumberKey, Replicates]:
    hit = sums.table([(judge, "hit", name) for name in names])
    named = sums.table([(judge, "named", name) for name in names])
    true = sums.table([(judge, "true", name) for name in names])
    # A type that occurs on neither side has 0/0, which counts as 0 in the mean.
    by_type = np.nan_to_num(ratio(2 * hit, named + true))
    faults = sums[judge, "faults", ""]
    n = int(faults[0])
    f1 = np.where(faults > 0, by_type.sum(axis=1) / max(len(names), 1), np.nan)
    return {
        F1: Replicates(f1, n, NO_FAULT),
        TYPED: Replicates(ratio(hit.sum(axis=1), faults), n, NO_FAULT),
    }
