"""Calibration: is a stated confidence the chance that the verdict is right?

ECE sums |Σ confidence − Σ right| over ten right-closed bins of equal width on
[0, 1] and divides by the number of verdicts; the Brier score is the mean of
(confidence − right)². Both take the confidence in the judge's own verdict.
Of a graded judge they are given for its score, too: P(faulty) against faulty.
A perfectly calibrated judge has an ECE above zero at any finite n; its expected
value, given the confidences stated, is the ``bias`` printed beside the ECE.

References
----------
Pakdaman Naeini, Cooper and Hauskrecht (2015), AAAI; Brier (1950), Mon. Weather Rev. 78.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from ..data.columns import BoolArray, FloatArray, IntArray, ratio
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, ReplicateSums, UnitColumns
from ..stats.estimate import Estimate, count, point, undefined
from ..stats.intervals import delta_estimate, mean_of_parts, proportion
from ..stats.paired_difference import Clustered
from .key import NumberKey, Numbers

__all__ = [
    "BRIER",
    "ECE",
    "N_BINS",
    "SCALE",
    "Stated",
    "accumulate",
    "bins_of",
    "brier_by_class",
    "brier_difference",
    "ece_bias",
    "ece_of",
    "estimate",
    "reliability",
    "replicate",
    "stated_confidence",
]

ECE, BRIER = NumberKey("ece"), NumberKey("brier")
N_BINS = 10
SCALE = 10**10
"""Confidences are summed as whole numbers of this unit, so that sums are exact."""

MILLION = 10**6
LARGE_BIN = 400
BINNED, BIASED = "mean over bins", "no interval: its bias is not known"
NO_CONFIDENCE = "the judge states no confidence"


@dataclass(frozen=True, slots=True)
class Stated:
    """The verdicts of one judge with a stated chance of being right, as rows of all runs."""

    rows: BoolArray
    confidence: FloatArray
    right: BoolArray


def stated_confidence(study: StudyData, judge: int) -> Stated:
    """Return the confidence of each verdict in itself, over faults and clean runs."""
    verdicts, runs = study.verdicts, study.runs
    confidence = verdicts.confidence[judge]
    right = verdicts.flagged[judge] == runs.faulty
    rows = verdicts.scored[judge] & ~np.isnan(confidence) & (runs.faulty | runs.clean)
    return Stated(rows, confidence, right)


def bins_of(confidence: FloatArray) -> IntArray:
    """Return the right-closed bin of each confidence; 0 belongs to the first.

    >>> bins_of(np.array([0.0, 0.1, 0.11, 0.3, 1.0]))
    array([0, 0, 1, 2, 9])
    """
    edges = np.arange(1, N_BINS) / N_BINS
    return np.searchsorted(edges, confidence, side="left").astype(np.int64)


def accumulate(columns: UnitColumns, stated: Stated, key: Hashable) -> None:
    """Add the signed gap of each bin and the squared errors."""
    gap = _gap(stated)
    place = bins_of(np.where(stated.rows, stated.confidence, 0.0))
    for number in range(N_BINS):
        columns.add((key, "gap", number), np.where(place == number, gap, 0))
    columns.add((key, "squared"), _squared(stated))
    columns.add((key, "stated"), stated.rows)


def replicate(sums: ReplicateSums, key: Hashable) -> dict[NumberKey, Replicates]:
    """Return ECE and Brier score under every resample."""
    n = sums[key, "stated"]
    gaps = np.abs(sums.table([(key, "gap", number) for number in range(N_BINS)]))
    size = int(n[0])
    return {
        ECE: Replicates(ratio(gaps.sum(axis=1) / SCALE, n), size, NO_CONFIDENCE),
        BRIER: Replicates(ratio(sums[key, "squared"] / SCALE, n), size, NO_CONFIDENCE),
    }


def estimate(study: StudyData, replicates: dict[NumberKey, Replicates], stated: Stated) -> Numbers:
    """Return ECE, its bias at this n, and the Brier score."""
    squared, size = study.by_instance(stated.rows, _squared(stated)), study.by_instance(stated.rows)
    numbers = {
        ECE: ece_of(replicates[ECE]),
        BRIER: mean_of_parts(squared / SCALE, size, NO_CONFIDENCE),
    }
    bias = ece_bias(stated.confidence[stated.rows])
    n = int(stated.rows.sum())
    method = "expected ECE of a calibrated judge with these confidences"
    numbers[ECE._replace(part="bias")] = (
        undefined(NO_CONFIDENCE) if bias is None else point(bias, n, method, "an expectation")
    )
    return numbers


def brier_by_class(stated: Stated, faulty: BoolArray) -> Numbers:
    """Return the Brier score over the faults and over the clean runs.

    Weighted by their shares they are the score of all. They are points: no interval of them
    has been tried in simulation.
    """
    numbers: Numbers = {}
    for name, rows in (("faults", stated.rows & faulty), ("clean", stated.rows & ~faulty)):
        n = int(rows.sum())
        squares = (stated.confidence[rows] - stated.right[rows]) ** 2
        numbers[BRIER._replace(group=name)] = (
            point(math.fsum(squares) / n, n, "mean", "no interval of a class")
            if n
            else undefined(NO_CONFIDENCE)
        )
    return numbers


def ece_of(number: Replicates) -> Estimate:
    """Return an ECE, or a difference of two, as observed."""
    value = float(number.values[0])
    if math.isnan(value):
        return undefined(number.undefined_reason, number.n)
    return point(value, number.n, BINNED, BIASED)


def brier_difference(study: StudyData, one: Stated, other: Stated) -> Estimate:
    """Return one Brier score minus another, over the verdicts in which both state a confidence."""
    rows = one.rows & other.rows
    difference = np.rint((_squared(one) - _squared(other)) / (SCALE / MILLION)).astype(np.int64)
    instance = study.runs.instance
    pairs = Clustered.of(instance.codes[rows], difference[rows], len(instance.names), MILLION)
    number = delta_estimate(pairs, NO_CONFIDENCE, MILLION)
    value, low, high = (
        None if part is None else part / MILLION
        for part in (number.estimate, number.ci_low, number.ci_high)
    )
    return replace(number, estimate=value, ci_low=low, ci_high=high)


def ece_bias(confidence: FloatArray) -> float | None:
    """Return E[ECE] of a judge that is right with exactly the chance that it states.

    Each bin adds E|X − Σc| with X a sum of Bernoulli(c); exact up to 400 verdicts
    a bin, and the normal limit √(2 Σc(1−c) / π) above.
    """
    if not len(confidence):
        return None
    place = bins_of(confidence)
    parts = [_mean_deviation(np.sort(confidence[place == number])) for number in range(N_BINS)]
    return math.fsum(parts) / len(confidence)


def reliability(stated: Stated) -> Numbers:
    """Return size, mean confidence and share right of every bin."""
    place = bins_of(np.where(stated.rows, stated.confidence, 0.0))
    total = int(stated.rows.sum())
    numbers: Numbers = {}
    for number in range(N_BINS):
        rows = stated.rows & (place == number)
        n, key = int(rows.sum()), NumberKey("reliability", str(number))
        mean = math.fsum(stated.confidence[rows]) / n if n else None
        numbers[key._replace(part="n")] = count(n, total)
        numbers[key._replace(part="confidence")] = (
            undefined("the bin is empty")
            if mean is None
            else point(mean, n, "mean", "a mean of what is stated")
        )
        share = proportion(int(stated.right[rows].sum()), n, "the bin is empty")
        numbers[key._replace(part="right")] = share
    return numbers


def _gap(stated: Stated) -> IntArray:
    """Return confidence − right of every run, in units; 0 without a confidence."""
    units = np.round(np.where(stated.rows, stated.confidence, 0.0) * SCALE).astype(np.int64)
    return np.where(stated.rows, units - stated.right * SCALE, 0)


def _squared(stated: Stated) -> IntArray:
    # The square has a unit of 1 / SCALE² and is rounded back to 1 / SCALE, so that its sums
    # stay below 2**53.
    return np.round((_gap(stated) / SCALE) ** 2 * SCALE).astype(np.int64)


def _mean_deviation(chances: FloatArray) -> float:
    if len(chances) > LARGE_BIN:
        return math.sqrt(2 * math.fsum(chances * (1 - chances)) / math.pi)
    # `mass[k]` is the chance that k verdicts are right; each verdict convolves it with its own.
    mass = np.ones(1)
    for chance in chances:
        mass = np.append(mass * (1 - chance), 0.0) + np.append(0.0, mass * chance)
    return math.fsum(np.abs(np.arange(len(mass)) - math.fsum(chances)) * mass)
