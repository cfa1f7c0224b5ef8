"""Kinds of intervals of what is made of scores: AUC of all runs, mean gap, Brier score."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import ndtr, ndtri

from ..data.columns import FloatArray, IntArray
from ..stats.clusters import IN_PARTS, Share
from ..stats.paired_difference import Clustered, square_and_add
from ..stats.ranked import Ranked
from .simulated import Scored, scored
from .trial import Judges, Tried, mean

__all__ = ["SCORES"]

FINE = 1_000_000
"""P(faulty) is counted in millionths."""

HALF = math.sqrt(0.5)


def _gap(judges: Judges) -> Tried:
    """P(faulty) of the fault minus that of its parent."""
    scores = judges.scores
    clean, faulty = _chances(judges, scores)
    gap = np.rint((faulty - clean[:, scores.shape.unit]) * FINE)
    gain, loss = (scores.shape.by_instance(np.maximum(side * gap, 0)) for side in (1, -1))
    pairs = Clustered(gain, loss, scores.shape.size * FINE, IN_PARTS)
    low, high = (float(ndtr(shift * HALF)) for shift in _shifts(judges))
    return Tried(mean(pairs), *square_and_add(pairs), high - low, judges.step)


def _brier(judges: Judges) -> Tried:
    error, size, truth = _errors(judges, judges.scores)
    share = Share.of_parts(error, size)
    return Tried(share.value, *share.ends(), truth, judges.step)


def _brier_difference(judges: Judges) -> Tried:
    """Two judges alike, whose scores are drawn apart."""
    (error, size, _), (other, _, _) = (
        _errors(judges, judges.scores),
        _errors(judges, scored(judges.cell, judges.studies, "other")),
    )
    difference = np.rint((error - other) * FINE)
    # Runs are netted inside an instance here; published ones are not, which is no narrower.
    gain, loss = np.maximum(difference, 0), np.maximum(-difference, 0)
    pairs = Clustered(gain, loss, size * FINE, IN_PARTS)
    return Tried(mean(pairs), *square_and_add(pairs), 0.0, judges.step)


def _unpaired_auc(judges: Judges) -> Tried:
    """Scores of all faults against those of all clean runs."""
    scores, size = judges.scores, judges.shape.size
    low, high = _shifts(judges)
    n, faults = len(size), int(size.sum())
    order = np.argsort(np.hstack((scores.parent, scores.fault + (high - low))), axis=1)
    # From the lowest score on: how many clean runs there are up to it, and how many faults.
    clean = np.cumsum(order < n, axis=1, dtype=np.int32)
    beside = np.empty_like(clean)
    place = np.arange(1, n + faults + 1, dtype=np.int32)
    np.put_along_axis(beside, order, np.where(order < n, place - clean, clean), axis=1)
    above, below = 1 - beside[:, :n] / faults, beside[:, n:] / n
    auc = below.mean(axis=1)
    first = np.cumsum(size) - size
    added = np.add.reduceat(below - auc[:, np.newaxis], first, axis=1) / faults
    added += (above - auc[:, np.newaxis]) / n
    part = (size / faults + 1 / n) * (2 * faults * n / (faults + n))
    return Tried(auc, *Ranked(auc, added, part).ends(), (1 + judges.cell.delta) / 2)


SCORES: dict[str, Callable[[Judges], Tried]] = {
    "gap of scores": _gap,
    "Brier score": _brier,
    "difference of Brier score": _brier_difference,
    "unpaired AUC": _unpaired_auc,
}


def _shifts(judges: Judges) -> tuple[float, float]:
    """Return the shifts of clean runs and of faults; the AUC of the two is (1 + Δ)/2."""
    low = float(ndtri(judges.cell.base_rate))
    return low, low + float(ndtri((1 + judges.cell.delta) / 2)) / HALF


def _chances(judges: Judges, scores: Scored) -> tuple[FloatArray, FloatArray]:
    low, high = _shifts(judges)
    return ndtr(scores.parent + low), ndtr(scores.fault + high)


def _errors(judges: Judges, scores: Scored) -> tuple[FloatArray, IntArray, float]:
    """Return the squared errors of P(faulty) summed by instance, its runs, and the mean error."""
    shape = scores.shape
    clean, faulty = _chances(judges, scores)
    first = np.cumsum(shape.size) - shape.size
    error = np.add.reduceat((1 - faulty) ** 2, first, axis=1) + clean**2
    of_clean, of_faulty = (_second_moment(shift) for shift in _shifts(judges))
    missed = 1 - 2 * float(ndtr(_shifts(judges)[1] * HALF)) + of_faulty
    n, faults = len(shape.size), len(shape.unit)
    return error, shape.size + 1, (n * of_clean + faults * missed) / (n + faults)


def _second_moment(shift: float) -> float:
    """Return the mean of Φ(x + shift)² over a standard normal x."""
    point, weight = np.polynomial.hermite_e.hermegauss(80)
    return float((weight * ndtr(point + shift) ** 2).sum() / weight.sum())
