"""How often each kind of interval covers, on which side it misses, and how wide it is.

A kind is a function of a cell: the estimates of many studies, their ends, and the true
value. It calls the functions that published numbers come from, for all studies at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..data.columns import BoolArray, FloatArray, IntArray
from ..metrics.attribution import LEAST_FAULTS
from ..stats.bootstrap import raw_words
from ..stats.clusters import Share, correlation, is_borne
from ..stats.estimate import significant
from ..stats.joint import Rates, f1_ends, precision_ends
from ..stats.paired_difference import Clustered, ends_of_difference, square_and_add
from .design import Cell, sizes_of
from .simulated import Judged, Shape, drawn, uniform, won

__all__ = ["KINDS", "SLOTS", "cell_counts"]

SLOTS = ("of", "above", "below", "given", "width", "own")
"""What is counted of a kind: the studies, those whose ends are both above the truth, both
below it, and those with an interval; the mean width of these, and the width of the central
95 % of their estimates."""

PREVALENCE = 0.05
EXACT_STEP = 0.6
RIGHT_TYPE = 0.7
NAMED_TYPES = 4
ALIKE = 0.03
RESAMPLES = 1_000
SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Tried:
    """The numbers of many studies, their ends, and the true value; NaN where there is none."""

    value: FloatArray
    low: FloatArray
    high: FloatArray
    truth: float


@dataclass(frozen=True, slots=True)
class Judges:
    """The judges of a cell: one, another that finds half as much more, and one nearly like it."""

    cell: Cell
    one: Judged
    other: Judged
    alike: Judged


def cell_counts(cell: Cell, studies: int) -> dict[str, list[float] | None]:
    """Count, for every kind, the intervals of a cell; None where the kind has none there."""
    size = sizes_of(cell)
    one = drawn(cell, studies, "one")
    less = replace(cell, delta=cell.delta / 2)
    other = drawn(less, studies, "other")
    judges = Judges(cell, one, other, one.mostly(other, ALIKE, *cell.place, "alike"))
    has_pairs = bool(is_borne(size)) and cell.shape not in CLEAN_ONLY
    return {
        name: _tally(kind(judges)) if has_pairs or name in OF_CLEAN_RUNS else None
        for name, kind in KINDS.items()
    }


def _delta(judges: Judges) -> Tried:
    one = judges.one
    pairs = _clustered(one.shape, one.difference)
    return Tried(_mean(pairs), *square_and_add(pairs), one.delta)


def _percentile(judges: Judges) -> Tried:
    """Resample instances, as the bootstrap that stands beside Δ; all studies share the draws."""
    pairs = _clustered(judges.one.shape, judges.one.difference)
    n = len(pairs.size)
    words = raw_words("simulated", "resamples", n).random_raw(RESAMPLES * n)
    unit = (words % np.uint64(n)).astype(np.int64).reshape(RESAMPLES, n)
    unit += n * np.arange(RESAMPLES)[:, np.newaxis]
    times = np.bincount(unit.ravel(), minlength=RESAMPLES * n).reshape(RESAMPLES, n)
    times = times.astype(np.float64)
    means = (times @ pairs.total.T.astype(np.float64)) / (times @ pairs.size)[:, np.newaxis]
    low, high = np.quantile(means, (0.025, 0.975), axis=0)
    return Tried(_mean(pairs), low, high, judges.one.delta)


def _recall(judges: Judges) -> Tried:
    one = judges.one
    share = Share.of(one.shape.by_instance(one.fault), one.shape.size)
    return Tried(share.value, *share.ends(), float(one.rate.mean()))


def _false_alarms(judges: Judges) -> Tried:
    one = judges.one
    share = Share.of(one.parent.astype(np.int64), np.ones_like(one.shape.size))
    return Tried(share.value, *share.ends(), one.base_rate)


def _rates(one: Judged) -> Rates:
    clean = np.ones_like(one.shape.size)
    caught = one.shape.by_instance(one.fault)
    return Rates(caught, one.shape.size, one.parent.astype(np.int64), clean)


def _f1(judges: Judges) -> Tried:
    one, rates = judges.one, _rates(judges.one)
    caught, alarms = rates.caught.sum(axis=-1), rates.alarms.sum(axis=-1)
    faults, clean = int(rates.faults.sum()), int(rates.clean.sum())
    value = 2 * caught / (caught + alarms + faults)
    recall = float(one.rate.mean())
    truth = 2 * recall * faults / (recall * faults + one.base_rate * clean + faults)
    return Tried(value, *f1_ends(rates), truth)


def _precision(judges: Judges) -> Tried:
    one, rates = judges.one, _rates(judges.one)
    recall = rates.caught.sum(axis=-1) / rates.faults.sum()
    alarms = rates.alarms.sum(axis=-1) / rates.clean.sum()
    value = _precision_of(recall, alarms)
    truth = float(_precision_of(np.array(one.rate.mean()), np.array(one.base_rate)))
    low, high = precision_ends(rates, PREVALENCE)
    return Tried(value, np.where(np.isnan(value), np.nan, low), high, truth)


def _precision_of(recall: FloatArray, alarms: FloatArray) -> FloatArray:
    right, wrong = recall * PREVALENCE, alarms * (1 - PREVALENCE)
    with np.errstate(invalid="ignore"):
        return np.asarray(right / (right + wrong))


def _localised(judges: Judges) -> Tried:
    """Of the faults caught, those whose step is named: a share of as many as were caught."""
    one, shape = judges.one, judges.one.shape
    exact = one.fault & (_more(judges, "steps", one.fault) < EXACT_STEP)
    caught = shape.by_instance(one.fault)
    some = caught.sum(axis=1) > 0
    caught = np.where(some[:, np.newaxis], caught, 1)
    share = Share.of(shape.by_instance(exact), caught)
    low, high = share.ends()
    is_given = some & is_borne(caught)
    return Tried(share.value, np.where(is_given, low, np.nan), high, EXACT_STEP)


def _type_f1(judges: Judges) -> Tried:
    """Macro F1 of four types: a type caught is named rightly, or as the next one."""
    one, shape = judges.one, judges.one.shape
    kind = np.arange(len(shape.unit)) % NAMED_TYPES
    right = _more(judges, "types", one.fault) < RIGHT_TYPE
    named = np.where(right, kind, (kind + 1) % NAMED_TYPES)
    value, truth = np.zeros(len(one.fault)), 0.0
    added = np.zeros(one.parent.shape)
    size = np.zeros(one.parent.shape)
    for place in range(NAMED_TYPES):
        true = shape.some(kind == place)
        given = shape.by_instance(one.fault & (named == place))
        hit = shape.by_instance(one.fault & right & (kind == place))
        either = true + given
        f1 = 2 * hit.sum(axis=1) / either.sum(axis=1)
        value += f1 / NAMED_TYPES
        size += either / 2
        added += (2 * hit - f1[:, np.newaxis] * either) / either.sum(axis=1)[:, np.newaxis]
        before = (kind + 1) % NAMED_TYPES == place
        of_type, of_other = one.rate[kind == place].sum(), one.rate[before].sum()
        expected = (kind == place).sum() + RIGHT_TYPE * of_type + (1 - RIGHT_TYPE) * of_other
        truth += float(2 * RIGHT_TYPE * of_type / expected) / NAMED_TYPES
    influence = added * size.sum(axis=1, keepdims=True) / NAMED_TYPES
    low, high = Share.of_influence(value, influence, size, shape.size).ends()
    is_given = len(shape.unit) >= LEAST_FAULTS * NAMED_TYPES
    return Tried(value, low if is_given else np.full_like(low, np.nan), high, truth)


def _gap(judges: Judges) -> Tried:
    """Δ of every second fault minus Δ of the others."""
    one, shape = judges.one, judges.one.shape
    is_second = np.arange(len(shape.unit)) % 2 == 1
    parts = [
        Clustered(*_sides(shape, np.where(rows, one.difference, 0)), shape.some(rows))
        for rows in (is_second, ~is_second)
    ]
    ends = [(_mean(part), *square_and_add(part)) for part in parts]
    related = correlation(*((part.total, part.size) for part in parts))
    low, high = ends_of_difference(ends[0], ends[1], related)
    low = low if all(bool(is_borne(part.size)) for part in parts) else np.full_like(low, np.nan)
    truth = float(one.rate[is_second].mean() - one.rate[~is_second].mean())
    return Tried(ends[0][0] - ends[1][0], low, high, truth)


def _difference(judges: Judges) -> Tried:
    return _between(judges.one, judges.other)


def _alike(judges: Judges) -> Tried:
    return _between(judges.one, judges.alike)


def _between(one: Judged, other: Judged) -> Tried:
    pairs = _clustered(one.shape, one.difference - other.difference, steps=2)
    low, high = square_and_add(pairs)
    return Tried(2 * _mean(pairs), 2 * low, 2 * high, one.delta - other.delta)


def _recall_difference(judges: Judges) -> Tried:
    one, other = judges.one, judges.other
    pairs = _clustered(one.shape, one.fault.astype(np.int64) - other.fault)
    truth = float(one.rate.mean() - other.rate.mean())
    return Tried(_mean(pairs), *square_and_add(pairs), truth)


def _alarm_difference(judges: Judges) -> Tried:
    one, other = judges.one, judges.alike
    difference = one.parent.astype(np.int64) - other.parent
    gain, loss = np.maximum(difference, 0), np.maximum(-difference, 0)
    pairs = Clustered(gain, loss, np.ones_like(one.shape.size))
    return Tried(_mean(pairs), *square_and_add(pairs), one.base_rate - other.base_rate)


def _auc(judges: Judges) -> Tried:
    shape, rank = won(judges.cell, len(judges.one.parent))
    pairs = _clustered(shape, rank)
    low, high = square_and_add(pairs)
    truth = (1 + judges.cell.delta) / 2
    return Tried((1 + _mean(pairs)) / 2, (1 + low) / 2, (1 + high) / 2, truth)


def _half_steps(judges: Judges) -> Tried:
    """Take a metric that falls by nothing, a half or one: the mean of two judges."""
    one, other = judges.one, judges.other
    pairs = _clustered(one.shape, one.difference + other.difference, steps=2)
    return Tried(_mean(pairs), *square_and_add(pairs), (one.delta + other.delta) / 2)


KINDS: dict[str, Callable[[Judges], Tried]] = {
    "Δ, control-Δ": _delta,
    "Δ by bootstrap": _percentile,
    "Δ, loud minus silent": _gap,
    "difference of Δ": _difference,
    "difference of Δ, nearly alike": _alike,
    "paired AUC": _auc,
    "recall, typing, step of all": _recall,
    "false alarms": _false_alarms,
    "step of detected": _localised,
    "type F1": _type_f1,
    "F1": _f1,
    "precision": _precision,
    "difference of recall": _recall_difference,
    "difference of false alarms": _alarm_difference,
    "metric drop in half steps": _half_steps,
}
"""Every published kind of interval that needs no shared resample, and that of the bootstrap."""

OF_CLEAN_RUNS = ("false alarms", "difference of false alarms")
CLEAN_ONLY = ("agent",)


def _more(judges: Judges, purpose: str, like: BoolArray) -> FloatArray:
    return uniform(like.size, *judges.cell.place, purpose).reshape(like.shape)


def _clustered(shape: Shape, difference: IntArray, steps: int = 1) -> Clustered:
    return Clustered(*_sides(shape, difference), shape.size * steps, steps)


def _sides(shape: Shape, difference: IntArray) -> tuple[IntArray, IntArray]:
    return (
        shape.by_instance(np.maximum(difference, 0)),
        shape.by_instance(np.maximum(-difference, 0)),
    )


def _mean(pairs: Clustered) -> FloatArray:
    return np.asarray(pairs.total.sum(axis=-1) / pairs.size.sum(axis=-1))


def _tally(tried: Tried) -> list[float] | None:
    """Count intervals by where they lie; None if there is none in any study."""
    is_given = ~np.isnan(tried.low)
    low, high = tried.low[is_given], tried.high[is_given]
    if not len(low):
        return None
    values = np.sort(tried.value[is_given])
    own = float(np.quantile(values, 0.975) - np.quantile(values, 0.025))
    return [
        len(tried.low),
        int((low > tried.truth + SLACK).sum()),
        int((high < tried.truth - SLACK).sum()),
        len(low),
        significant(float((high - low).mean()), 6) or 0.0,
        significant(own, 6) or 0.0,
    ]
