"""Δ of pairs that count unequally.

Weights are scaled so that they sum to what the pairs are worth, (Σw)² / Σw² (Kish): a share
of independent pairs then has the variance of a share of so many equal pairs, and the interval
of Δ for clusters of pairs takes it as it is. It covers where the pairs are worth at least six
in ten of their number (results/validity/tables/unequal.md); where they are worth less, as if one
in ten counts tenfold, there is no interval.

References
----------
Kish (1965), Survey Sampling, section 11.7.
"""

from __future__ import annotations

import numpy as np

from ..data.columns import FloatArray, IntArray
from ..stats.clusters import FEW, is_borne
from ..stats.estimate import NO_INTERVAL, NO_PAIR, Estimate, point, undefined
from ..stats.intervals import delta_estimate
from ..stats.paired_difference import Clustered, square_and_add
from ..stats.readings import Reading
from .verdicts_on_pairs import PairVerdicts

__all__ = ["WEIGHTED", "weighted", "weighted_clusters", "weighted_delta", "weighted_refusal"]

LEAST_WORTH = 0.6
UNEVEN = "no interval: the weights are so unequal that the pairs are worth less than six in ten"
WEIGHTED = "square-and-add of clustered gains and losses, weighted"


def weighted(said: PairVerdicts, reading: Reading) -> Estimate | None:
    """Return Δ with each pair as often as its weight says; None if all weights are equal."""
    if not len(said.weight) or (said.weight == said.weight[0]).all():
        return None
    difference, counts = said.differences(reading)
    unit, weight = said.unit.codes[counts], said.weight[counts]
    return weighted_delta(unit, difference[counts], weight, len(said.unit.names))


def weighted_clusters(unit: IntArray, difference: IntArray, weight: FloatArray) -> Clustered:
    """Sum weighted gains and losses by unit, in units of the pairs that they are worth.

    Parameters
    ----------
    unit : array of int, shape (pairs,)
    difference : array of int, shape (..., pairs)
        Of one study, or of many with the same pairs.
    weight : array of float, shape (pairs,)
        Above 0.
    """
    order = np.argsort(unit, kind="stable")
    first = np.flatnonzero(np.diff(unit[order], prepend=-1))
    scaled = weight * weight.sum() / (weight**2).sum()

    def by_unit(part: IntArray) -> FloatArray:
        return np.asarray(np.add.reduceat((part * scaled)[..., order], first, axis=-1))

    gain, loss = (by_unit(np.maximum(sign * difference, 0)) for sign in (1, -1))
    return Clustered(gain, loss, by_unit(np.ones(len(unit), np.int64)))


def weighted_refusal(pairs: Clustered, n_pairs: int) -> str:
    """Return why so many weighted pairs have no interval; nothing if they have one."""
    if pairs.size.sum() < LEAST_WORTH * n_pairs:
        return UNEVEN
    return "" if is_borne(pairs.size) else FEW


def weighted_delta(
    unit: IntArray, difference: IntArray, weight: FloatArray, n_units: int
) -> Estimate:
    """Return the mean difference with its interval, each pair as often as its weight says.

    Parameters
    ----------
    unit, difference : array of int, shape (pairs,)
        The cluster of each pair by number, and −1, 0 or 1.
    weight : array of float, shape (pairs,)
        0 or more. Equal weights give the Δ of plain pairs.
    """
    some = weight > 0
    unit, difference, weight = unit[some], difference[some], weight[some]
    if not len(weight):
        return undefined(NO_PAIR)
    if (weight == weight[0]).all():
        return delta_estimate(Clustered.of(unit, difference, n_units), NO_PAIR)
    sums = weighted_clusters(unit, difference, weight)
    value = float(sums.total.sum() / sums.size.sum())
    refusal = weighted_refusal(sums, len(weight))
    if refusal:
        return point(value, len(weight), NO_INTERVAL, refusal)
    low, high = square_and_add(sums)
    return Estimate(value, float(low), float(high), len(weight), WEIGHTED)
