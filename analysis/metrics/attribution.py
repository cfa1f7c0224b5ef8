"""Attribution: does a judge name the step and the type of the faults that it flags?

Localisation is exact match on the 0-based step; a step not named is a miss.
Type F1 is the unweighted mean over the types present of 2·TP / (named + true),
over faulty runs only; a missed fault is a false negative of its type and 0/0 is 0.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..data.columns import BoolArray, FloatArray, IntArray, ratio
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, ReplicateSums, UnitColumns
from ..stats.clusters import FEW, Share, is_borne
from ..stats.estimate import NO_INTERVAL, Estimate, count, point, undefined
from .detection import share_of
from .groups import omissions
from .key import NumberKey, Numbers

__all__ = [
    "LEAST_FAULTS",
    "accumulate",
    "confusion",
    "estimate",
    "exact_steps",
    "replicate",
    "type_sums",
]

DETECTED = NumberKey("localisation/detected")
JOINT = NumberKey("localisation/joint")
NAMED = NumberKey("localisation/named")
F1 = NumberKey("typing/macro-f1")
TYPED = NumberKey("typing/joint")
ACTED = "acted"
LEAST_FAULTS = 5
"""The judged faults for each type, on average, from which type F1 has an interval."""
FEW_FAULTS = "no interval of type F1: fewer than 5 judged faults for each type"
LINEAR = "Clopper-Pearson at the effective number of runs, linearised"

NO_STEPS = "the judge names no step"
NO_TYPES = "the judge names no type"
NO_FAULT = "no fault was judged"
MISSING = {
    DETECTED: NO_STEPS,
    JOINT: NO_STEPS,
    NAMED: NO_STEPS,
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
    exact = exact_steps(study, judge)
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


def estimate(study: StudyData, judge: int, replicates: dict[NumberKey, Replicates]) -> Numbers:
    """Return the estimates, null where the judge names no step or no type.

    The runs of an instance are a cluster. Types are counted as they come in the instances,
    so their mix is not held.
    """
    numbers: Numbers = {key: undefined(reason) for key, reason in MISSING.items()}
    for key, rows, right in _shares(study, judge):
        if key in replicates:
            reason = replicates[key].undefined_reason
            numbers[key] = share_of(study, rows, right, reason)
    if DETECTED in replicates:
        # The faults whose step is named, so that a step outside of the run is no miss.
        rows = study.runs.faulty & study.verdicts.scored[judge] & study.verdicts.flagged[judge]
        rows &= study.verdicts.step[judge] >= 0
        numbers[NAMED] = share_of(study, rows, exact_steps(study, judge), NO_STEPS)
    if F1 in replicates:
        numbers[F1] = _macro_f1(study, judge, replicates[F1])
    return numbers


def exact_steps(study: StudyData, judge: int) -> BoolArray:
    """Return the faults whose step the judge names."""
    runs, verdicts = study.runs, study.verdicts
    caught = runs.faulty & verdicts.scored[judge] & verdicts.flagged[judge]
    exact: BoolArray = caught & (verdicts.step[judge] == runs.failure_step)
    return exact & (runs.failure_step >= 0)


def type_sums(study: StudyData, judge: int) -> tuple[FloatArray, FloatArray]:
    """Return what each instance adds to type F1, and half of its types true and named.

    F1 of a type is hits over half of (named + true). To first order an instance moves it by
    (hit − F1·(named + true)/2) over that sum of all, and type F1 by the mean of these; the
    first result is this times the second of all instances.
    """
    runs, verdicts = study.runs, study.verdicts
    faults = runs.faulty & verdicts.scored[judge]
    caught = faults & verdicts.flagged[judge]
    added, size = (np.zeros(len(runs.instance.names)) for _ in range(2))
    for name in runs.failure_type.names:
        true = runs.failure_type.where(name) & faults
        named = verdicts.named.where(name)[judge] & caught
        half = (study.by_instance(true) + study.by_instance(named)) / 2
        size += half
        if half.any():
            hit = study.by_instance(true & named)
            added += (hit - hit.sum() / half.sum() * half) / half.sum()
    return added * size.sum() / max(len(runs.failure_type.names), 1), size


def _macro_f1(study: StudyData, judge: int, number: Replicates) -> Estimate:
    value, n = float(number.values[0]), number.n
    if np.isnan(value):
        return undefined(number.undefined_reason, n)
    influence, size = type_sums(study, judge)
    if not bool(is_borne(size)):
        return point(value, n, NO_INTERVAL, FEW)
    if n < LEAST_FAULTS * len(study.runs.failure_type.names):
        return point(value, n, NO_INTERVAL, FEW_FAULTS)
    runs = study.by_instance(study.runs.faulty & study.verdicts.scored[judge])
    low, high = Share.of_influence(np.array(value), influence, size, runs).ends()
    return Estimate(value, float(low), float(high), n, LINEAR)


def _shares(study: StudyData, judge: int) -> Iterator[tuple[NumberKey, BoolArray, BoolArray]]:
    """Yield the key of each share of faults, these faults, and those of which it is true."""
    runs, verdicts = study.runs, study.verdicts
    faults = runs.faulty & verdicts.scored[judge]
    caught, exact = faults & verdicts.flagged[judge], exact_steps(study, judge)
    for part, rows in (("", runs.faulty), (ACTED, ~omissions(runs))):
        yield DETECTED._replace(part=part), caught & rows, exact
        yield JOINT._replace(part=part), faults & rows, exact
    same = np.zeros_like(faults)
    for name in runs.failure_type.names:
        same |= runs.failure_type.where(name) & verdicts.named.where(name)[judge]
    yield TYPED, faults, caught & same


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
