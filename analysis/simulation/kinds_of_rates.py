"""Kinds of intervals of rates, and of what is made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..data.columns import FloatArray
from ..metrics.attribution import LEAST_FAULTS
from ..stats.clusters import Share, correlation, is_borne
from ..stats.joint import Rates, f1_ends, precision_ends
from ..stats.paired_difference import ends_of_difference
from .simulated import Judged
from .trial import Judges, Tried, resampled

__all__ = ["RATES"]

PREVALENCE = 0.05
EXACT_STEP = 0.6
RIGHT_TYPE = 0.7
NAMED_TYPES = 4


def _recall(judges: Judges) -> Tried:
    one = judges.one
    share = Share.of(judges.shape.by_instance(one.fault), judges.shape.size)
    return Tried(share.value, *share.ends(), float(one.rate.mean()), judges.step)


def _mean_over_records(judges: Judges) -> Tried:
    """Take a mean over records that weigh the same, whose variance is that of resamples."""
    size = judges.shape.size
    n = len(size)
    total = judges.shape.by_instance(judges.one.fault)
    value = total.sum(axis=1) / size.sum()
    times = resampled(n).astype(np.float64)
    variance = (times @ total.T.astype(np.float64) / size.sum()).var(axis=0)
    low, high = Share.of_units(value, variance, n).ends()
    is_given = bool((size == size[0]).all())
    low = low if is_given else np.full_like(low, np.nan)
    return Tried(value, low, high, float(judges.one.rate.mean()), judges.step)


def _false_alarms(judges: Judges) -> Tried:
    one = judges.one
    share = Share.of(one.parent.astype(np.int64), np.ones_like(judges.shape.size))
    return Tried(share.value, *share.ends(), one.base_rate, 1 / len(judges.shape.size))


def _rates(one: Judged) -> Rates:
    shape = one.shape
    clean = np.ones_like(shape.size)
    caught = shape.by_instance(one.fault)
    return Rates(caught, shape.size, one.parent.astype(np.int64), clean)


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
    one, shape = judges.one, judges.shape
    exact = one.fault & (judges.more("steps", one.fault) < EXACT_STEP)
    caught = shape.by_instance(one.fault)
    some = caught.sum(axis=1) > 0
    caught = np.where(some[:, np.newaxis], caught, 1)
    share = Share.of(shape.by_instance(exact), caught)
    low, high = share.ends()
    is_given = some & is_borne(caught)
    return Tried(share.value, np.where(is_given, low, np.nan), high, EXACT_STEP)


def _type_f1(judges: Judges) -> Tried:
    found = _linearised(judges, judges.one, "types")
    low, high = Share.of_influence(*found.influence, judges.shape.size).ends()
    return Tried(found.value, _of_enough(judges, low), high, found.truth)


def _type_f1_difference(judges: Judges) -> Tried:
    found = (
        _linearised(judges, judges.one, "types"),
        _linearised(judges, judges.other, "types of the other"),
    )
    held = [
        (own.value, *Share.of_influence(*own.influence, judges.shape.size).ends()) for own in found
    ]
    related = correlation(*(own.influence[1:] for own in found))
    low, high = ends_of_difference(held[0], held[1], related)
    truth = found[0].truth - found[1].truth
    return Tried(held[0][0] - held[1][0], _of_enough(judges, low), high, truth)


@dataclass(frozen=True, slots=True)
class Linearised:
    """Macro F1 of types, and what each instance moves it by times the sum of the sizes."""

    value: FloatArray
    added: FloatArray
    size: FloatArray
    truth: float

    @property
    def influence(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return what `Share.of_influence` takes."""
        return self.value, self.added, self.size


def _linearised(judges: Judges, one: Judged, purpose: str) -> Linearised:
    """Macro F1 of four types: a type caught is named rightly, or as the next one."""
    shape = judges.shape
    kind = np.arange(len(shape.unit)) % NAMED_TYPES
    right = judges.more(purpose, one.fault) < RIGHT_TYPE
    named = np.where(right, kind, (kind + 1) % NAMED_TYPES)
    value, truth = np.zeros(len(one.fault)), 0.0
    added, size = np.zeros(one.parent.shape), np.zeros(one.parent.shape)
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
    return Linearised(value, added * size.sum(axis=1, keepdims=True) / NAMED_TYPES, size, truth)


def _of_enough(judges: Judges, low: FloatArray) -> FloatArray:
    is_given = len(judges.shape.unit) >= LEAST_FAULTS * NAMED_TYPES
    return low if is_given else np.full_like(low, np.nan)


RATES: dict[str, Callable[[Judges], Tried]] = {
    "recall, typing, step of all": _recall,
    "mean over records": _mean_over_records,
    "false alarms": _false_alarms,
    "step of detected": _localised,
    "type F1": _type_f1,
    "difference of type F1": _type_f1_difference,
    "F1": _f1,
    "precision": _precision,
}
