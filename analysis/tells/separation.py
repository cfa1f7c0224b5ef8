r"""How well scores separate two labels, and what they would do with labels that mean nothing.

Scores of different folds are from different classifiers, so runs are compared inside their
fold. With :math:`r` the ranks inside a fold of :math:`n_1` and :math:`n_0` runs,

.. math:: \mathrm{AUC} = \frac{\sum_{label = 1} r - n_1 (n_1 + 1) / 2}{n_1 n_0},

and the AUC of all folds is their mean, weighted by :math:`n_1 n_0`. Mean and variance over
permutations inside instances are exact, not drawn.

- Single runs: the labels inside an instance are permuted, so a sum of ranks is that of a draw
  without replacement.
- Pairs: the two pages of all pairs of an instance change places together, since one clean
  page may be in several pairs.

References
----------
Lehmann, Nonparametrics (1975), section 3.3, on blocked comparisons.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from faultpair.env.rng import key_of

from ..data.columns import BoolArray, FloatArray, IntArray

__all__ = ["N_FOLDS", "Separation", "folds_of", "separation"]

N_FOLDS = 5


@dataclass(frozen=True, slots=True)
class Separation:
    """An AUC; its mean and its standard deviation over permutations inside strata."""

    auc: float
    mean: float
    sd: float


def folds_of(instances: Iterable[str]) -> dict[str, int]:
    """Return the fold of each instance: equal numbers in each, in a drawn order."""
    drawn = sorted(set(instances), key=lambda name: key_of("tells", "fold", name))
    return {name: place % N_FOLDS for place, name in enumerate(drawn)}


def separation(
    scores: FloatArray, labels: BoolArray, folds: IntArray, strata: IntArray, *, in_pairs: bool
) -> Separation:
    """Return how well scores tell the labels apart. A stratum, an instance, lies in one fold.

    ``in_pairs``: the rows are the pages of a pair after those of another. A fold that lacks one
    of the labels is left out; without any, the AUC is 0.5.
    """
    from scipy.stats import rankdata

    weights, parts = [], []
    moments = _moments_of_pairs if in_pairs else _moments
    for fold in np.unique(folds):
        rows = folds == fold
        n_one, n_other = int(labels[rows].sum()), int((~labels[rows]).sum())
        if n_one and n_other:
            weights.append(float(n_one * n_other))
            ranks = rankdata(np.round(scores[rows], 9))
            parts.append(moments(ranks, labels[rows], strata[rows]))
    if not weights:
        return Separation(0.5, 0.5, 0.0)
    share = np.array(weights) / sum(weights)
    auc, mean, variance = np.array(parts).T
    sd = math.sqrt(float(share**2 @ variance))
    return Separation(float(share @ auc), float(share @ mean), sd)


def _moments(ranks: FloatArray, labels: BoolArray, strata: IntArray) -> tuple[float, float, float]:
    """Return AUC, mean and variance of a fold of single runs."""
    place = np.unique(strata, return_inverse=True)[1]
    size, ones = np.bincount(place), np.bincount(place, weights=labels)
    mean = np.bincount(place, weights=ranks) / size
    spread = np.bincount(place, weights=(ranks - mean[place]) ** 2)
    drawn = ones * (size - ones) / (size * np.maximum(size - 1, 1))
    n_one = float(labels.sum())
    n_both, least = n_one * (len(labels) - n_one), n_one * (n_one + 1) / 2
    observed, expected = float(ranks[labels].sum()), float((ones * mean).sum())
    variance = float((drawn * spread).sum()) / n_both**2
    return (observed - least) / n_both, (expected - least) / n_both, variance


def _moments_of_pairs(
    ranks: FloatArray, labels: BoolArray, strata: IntArray
) -> tuple[float, float, float]:
    """Return AUC, mean and variance of a fold of pairs; the mean is 0.5."""
    gains = ranks[labels] - ranks[~labels]
    place = np.unique(strata[labels], return_inverse=True)[1]
    totals = np.bincount(place, weights=gains) / (2 * len(gains) ** 2)
    return 0.5 + float(totals.sum()), 0.5, float((totals**2).sum())
