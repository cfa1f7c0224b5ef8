"""Δ of pairs that count unequally.

Weights are scaled so that they sum to what the pairs are worth, (Σw)² / Σw² (Kish): a share
of independent pairs then has the variance of a share of so many equal pairs, and the interval
of Δ for clusters of pairs takes it as it is. How far it covers is in results/validity.

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

__all__ = ["WEIGHTED", "weighted_clusters", "weighted_delta"]

WEIGHTED = "square-and-add of clustered gains and losses, weighted"


def weighted_clusters(
    unit: IntArray, difference: IntArray, weight: FloatArray, n_units: int
) -> Clustered:
    """Sum weighted gains and losses by unit, in units of the pairs that they are worth."""
    scaled = weight * weight.sum() / (weight**2).sum()
    gain, loss = np.maximum(difference, 0), np.maximum(-difference, 0)
    sums = (np.bincount(unit, part * scaled, minlength=n_units) for part in (gain, loss, 1))
    columns = np.stack([*sums])
    return Clustered(*columns[:, columns[2] > 0])


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
    sums = weighted_clusters(unit, difference, weight, n_units)
    value = float(sums.total.sum() / sums.size.sum())
    if not is_borne(sums.size):
        return point(value, len(weight), NO_INTERVAL, FEW)
    low, high = square_and_add(sums)
    return Estimate(value, float(low), float(high), len(weight), WEIGHTED)
