"""Kinds of intervals of differences within an instance: Δ in its forms, and of two judges."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..stats.clusters import IN_PARTS, TAIL, Share, correlation, effective_instances, is_borne
from ..stats.paired_difference import (
    ADDED_BY_STEPS,
    Clustered,
    ends_of_difference,
    exact_interval,
    square_and_add,
)
from .simulated import Judged, controls, won
from .trial import Judges, Tried, clustered, mean, resampled, sides

__all__ = ["BESIDE", "PAIRS", "few_pairs"]

FEW = 9


def _delta(judges: Judges) -> Tried:
    one = judges.one
    pairs = clustered(judges.shape, judges.difference)
    return Tried(mean(pairs), *square_and_add(pairs), one.delta, judges.step)


def few_pairs(judges: Judges) -> Tried:
    """Take one pair of each of a few instances, from two to nine."""
    n = 2 + judges.cell.instances // 5 % (FEW - 1)
    one, shape = judges.one, judges.shape
    first = (np.cumsum(shape.size) - shape.size)[: min(n, len(shape.size))]
    difference = judges.difference[:, first]
    gains, losses = ((side * difference > 0).sum(axis=1) for side in (1, -1))
    ends = np.array(
        [
            exact_interval(gain, loss, len(first), TAIL)
            for gain, loss in zip(gains.tolist(), losses.tolist(), strict=True)
        ]
    )
    truth = float(one.rate[first].mean()) - one.base_rate
    low, high = ends.T
    return Tried(difference.mean(axis=1), low, high, truth, 1 / len(first))


def _gap(judges: Judges) -> Tried:
    """Δ of every second fault minus Δ of the others."""
    one, shape = judges.one, judges.shape
    is_second = np.arange(len(shape.unit)) % 2 == 1
    parts = [
        Clustered(*sides(shape, np.where(rows, judges.difference, 0)), shape.some(rows))
        for rows in (is_second, ~is_second)
    ]
    truth = float(one.rate[is_second].mean() - one.rate[~is_second].mean())
    return _minus(parts[0], parts[1], truth)


def _minus(left: Clustered, right: Clustered, truth: float) -> Tried:
    """Take one mean minus another, of the same instances, each with its own interval."""
    parts = (left, right)
    ends = [(mean(part), *square_and_add(part)) for part in parts]
    related = correlation(*((part.total, part.size) for part in parts))
    low, high = ends_of_difference(ends[0], ends[1], related)
    is_given = all(bool(is_borne(part.size)) for part in parts)
    step = max(1 / float(effective_instances(part.size)) for part in parts)
    value = ends[0][0] - ends[1][0]
    return Tried(value, low if is_given else np.full_like(low, np.nan), high, truth, step)


def _adjusted(judges: Judges) -> Tried:
    """Take Δ minus control-Δ; every second instance has one to three controls."""
    one, shape = judges.one, judges.shape
    n = len(shape.size)
    size = np.where(np.arange(n) % 2 == 0, np.arange(n) // 2 % 3 + 1, 0)
    wanted = one.base_rate + judges.cell.delta / 2
    flagged, rate = controls(judges.cell, judges.studies, size, wanted)
    lost = one.parent * size
    both = np.where(one.parent, flagged, 0)
    pairs = Clustered(flagged - both, lost - both, size)
    return _minus(clustered(shape, judges.difference), pairs, one.delta - (rate - one.base_rate))


def _recall_gap(judges: Judges) -> Tried:
    """Recall of every second fault minus recall of the others."""
    one, shape = judges.one, judges.shape
    is_second = np.arange(len(shape.unit)) % 2 == 1
    sums = [
        (shape.by_instance(one.fault & rows), shape.some(rows)) for rows in (is_second, ~is_second)
    ]
    held = [(share.value, *share.ends()) for share in (Share.of(*part) for part in sums)]
    low, high = ends_of_difference(held[0], held[1], correlation(sums[0], sums[1]))
    is_given = all(bool(is_borne(size)) for _, size in sums)
    truth = float(one.rate[is_second].mean() - one.rate[~is_second].mean())
    step = max(1 / float(effective_instances(size)) for _, size in sums)
    value = held[0][0] - held[1][0]
    return Tried(value, low if is_given else np.full_like(low, np.nan), high, truth, step)


def _difference(judges: Judges) -> Tried:
    return _between(judges, judges.other)


def _alike(judges: Judges) -> Tried:
    return _between(judges, judges.alike)


def _between(judges: Judges, other: Judged) -> Tried:
    one = judges.one
    pairs = clustered(
        judges.shape, judges.difference - other.difference, steps=2, added=ADDED_BY_STEPS[2]
    )
    low, high = square_and_add(pairs)
    return Tried(2 * mean(pairs), 2 * low, 2 * high, one.delta - other.delta, judges.step)


def _recall_difference(judges: Judges) -> Tried:
    one, other = judges.one, judges.other
    pairs = clustered(judges.shape, one.fault.astype(np.int8) - other.fault)
    truth = float(one.rate.mean() - other.rate.mean())
    return Tried(mean(pairs), *square_and_add(pairs), truth, judges.step)


def _alarm_difference(judges: Judges) -> Tried:
    one, other = judges.one, judges.alike
    difference = one.parent.astype(np.int64) - other.parent
    gain, loss = np.maximum(difference, 0), np.maximum(-difference, 0)
    pairs = Clustered(gain, loss, np.ones_like(judges.shape.size))
    truth = one.base_rate - other.base_rate
    return Tried(mean(pairs), *square_and_add(pairs), truth, 1 / len(judges.shape.size))


def _auc(judges: Judges) -> Tried:
    pairs = clustered(judges.shape, judges.won)
    low, high = square_and_add(pairs)
    truth = (1 + judges.cell.delta) / 2
    return Tried((1 + mean(pairs)) / 2, (1 + low) / 2, (1 + high) / 2, truth, judges.step)


def _auc_difference(judges: Judges) -> Tried:
    """Take two judges whose scores are drawn apart, with the same AUC."""
    other = won(judges.cell, judges.studies, "other")
    pairs = clustered(judges.shape, judges.won - other, steps=2, added=IN_PARTS)
    return Tried(mean(pairs), *square_and_add(pairs), 0.0, judges.step)


def _half_steps(judges: Judges) -> Tried:
    """Take a metric that falls by nothing, a half or one: the mean of two judges."""
    one, other = judges.one, judges.other
    pairs = clustered(judges.shape, judges.difference + other.difference, steps=2, added=IN_PARTS)
    truth = (one.delta + other.delta) / 2
    return Tried(mean(pairs), *square_and_add(pairs), truth, judges.step)


def _delta_by_bootstrap(judges: Judges) -> Tried:
    return _percentile(clustered(judges.shape, judges.difference), judges.one.delta)


def _auc_by_bootstrap(judges: Judges) -> Tried:
    found = _percentile(clustered(judges.shape, judges.won), judges.cell.delta)
    value, low, high = ((1 + part) / 2 for part in (found.value, found.low, found.high))
    return Tried(value, low, high, (1 + found.truth) / 2)


def _percentile(pairs: Clustered, truth: float) -> Tried:
    """Resample instances, as the bootstrap that stands beside Δ; all studies share the draws."""
    times = resampled(len(pairs.size)).astype(np.float64)
    means = (times @ pairs.total.T.astype(np.float64)) / (times @ pairs.size)[:, np.newaxis]
    low, high = np.quantile(means, (0.025, 0.975), axis=0)
    return Tried(mean(pairs), low, high, truth)


PAIRS: dict[str, Callable[[Judges], Tried]] = {
    "Δ, control-Δ": _delta,
    "Δ of 2 to 9 pairs": few_pairs,
    "Δ minus control-Δ": _adjusted,
    "Δ, loud minus silent": _gap,
    "recall, loud minus silent": _recall_gap,
    "difference of Δ": _difference,
    "difference of Δ, nearly alike": _alike,
    "difference of recall": _recall_difference,
    "difference of false alarms": _alarm_difference,
    "metric drop in half steps": _half_steps,
    "paired AUC": _auc,
    "difference of paired AUC": _auc_difference,
}

BESIDE: dict[str, Callable[[Judges], Tried]] = {
    "Δ by bootstrap": _delta_by_bootstrap,
    "paired AUC by bootstrap": _auc_by_bootstrap,
}
"""Intervals of the paper, which stand beside the published ones."""
