"""Tests and rank correlation: matched sets, sign flips over instances, Holm, Spearman's ρ.

Under the null of the matched sets a judge is blind: which of the runs of an instance, the
parent and its faults, it flags is a matter of chance. Under the null of the sign flips two
judges are exchangeable within an instance, so the sign of each instance's summed difference
is a coin toss. Up to 13 instances that differ, every assignment of signs is counted; beyond,
10,000 are drawn and the observed one is counted with them.

References
----------
Mantel and Haenszel (1959), J. Natl. Cancer Inst. 22, 719-748, and Miettinen (1969), Biometrics
25, 339-355, for matched sets of one and several; McNemar (1947), Psychometrika 12, 153-157,
which they are with one fault a parent; Phipson and Smyth (2010), SAGMB 9, 39; Holm (1979),
Scand. J. Statist. 6, 65-70; Spearman (1904), Am. J. Psychol. 15, 72-101.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import numpy as np

from ..data.columns import BoolArray, FloatArray, IntArray, ratio
from .bootstrap import raw_words
from .estimate import Estimate, point, undefined

__all__ = [
    "MATCHED_SETS",
    "NOTHING_SHARED",
    "holm",
    "matched_sets",
    "ranks",
    "sign_flip",
    "spearman",
]

MATCHED_SETS = "exact test of matched sets"

N_FLIPS = 10_000
COUNT_ALL_UP_TO = 13
KEPT_UP_TO = 5
"""Signs for up to so many times 64 instances are kept, for the next test."""

NOTHING_SHARED = "the two judges share no judged pair or run in this group"


def matched_sets(flagged: IntArray, size: IntArray, parent: BoolArray) -> Estimate:
    """Return the exact two-sided p of a blind judge; null if no set is flagged in part.

    Given s flags among the 1 + k runs of a set, a blind judge has flagged the parent with
    chance s / (1 + k). The statistic is Σ (flags on faults − k · flag on the parent), and its
    distribution the convolution over sets. p is twice the smaller tail, at most 1. With one
    fault in each set it is McNemar's exact test.

    Parameters
    ----------
    flagged, size : array of int, shape (sets,)
        The faults of each set that are flagged, and its faults.
    parent : array of bool, shape (sets,)
        Whether the parent is flagged.
    """
    flags = flagged + parent
    is_open = (flags > 0) & (flags <= size)
    if not is_open.any():
        return undefined("no instance has both a flagged and an unflagged run")
    # Σ = flags − Σ (1 + k) · flag on the parent, so the weight of flagged parents is the test.
    weight, chance = (1 + size)[is_open], (flags / (1 + size))[is_open]
    observed = int(weight[parent[is_open]].sum())
    distribution = _weighted_sum(weight, chance)
    below, above = distribution[: observed + 1].sum(), distribution[observed:].sum()
    p = min(1.0, 2 * float(min(below, above)))
    return point(p, len(weight), MATCHED_SETS, "a p-value")


def sign_flip(total: IntArray) -> Estimate:
    """Return the two-sided p of a sum of instance differences under random signs."""
    moved = total[total != 0]
    if not len(total):
        return undefined(NOTHING_SHARED)
    if not len(moved):
        return point(1.0, len(total), "sign flips", "no instance differs")
    observed = abs(int(moved.sum()))
    if len(moved) <= COUNT_ALL_UP_TO:
        p = float(np.mean(np.abs(_every_sign(len(moved)) @ moved) >= observed))
        return point(p, len(total), "sign flips over instances, all", "a p-value")
    extreme = sum(int((np.abs(block @ moved) >= observed).sum()) for block in _signs(len(moved)))
    p = (1 + extreme) / (1 + N_FLIPS)
    return point(p, len(total), "sign flips over instances, drawn", "a p-value")


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return the adjusted p-values of a family, in the order given.

    A test that has no p yet is one of the family all the same, and counts as p = 1: what is
    adjusted does not depend on what else has been answered.

    Parameters
    ----------
    p_values : sequence of float in [0, 1], or None
        The p of each test of the family; None for one that has none yet.

    Returns
    -------
    list of float in [0, 1], or None
        Adjusted by the step-down method of Holm (1979); None where there is no p.

    Examples
    --------
    >>> holm([0.01, 0.04, None, 0.03])
    [0.04, 0.09, None, 0.09]
    """
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, place) in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - rank) * p))
        adjusted[place] = least
    return adjusted


def ranks(values: FloatArray) -> FloatArray:
    """Return ranks from 1 along the last axis, ties at their mean.

    >>> ranks(np.array([0.2, 0.9, 0.2]))
    array([1.5, 3. , 1.5])
    """
    # `scipy.stats.rankdata` does the same, but takes half a second to import, longer than the
    # ranking of a few judges takes. Sums of the same numbers in another order may differ in
    # their last bits, and are ties.
    level = np.round(values, 12)
    one, other = level[..., :, np.newaxis], level[..., np.newaxis, :]
    rank: FloatArray = (other < one).sum(axis=-1) + (1 + (other == one).sum(axis=-1)) / 2
    return rank


def spearman(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return the correlation of ranks along the last axis; NaN where one is constant."""
    left, right = (r - r.mean(axis=-1, keepdims=True) for r in (ranks(one), ranks(other)))
    spread = np.sqrt((left**2).sum(axis=-1) * (right**2).sum(axis=-1))
    rho = ratio((left * right).sum(axis=-1), spread)
    known = ~(np.isnan(one) | np.isnan(other)).any(axis=-1)
    return np.where(known, rho, np.nan)


@cache
def _every_sign(n: int) -> FloatArray:
    return np.array(list(product((-1.0, 1.0), repeat=n)))


def _weighted_sum(weight: IntArray, chance: FloatArray) -> FloatArray:
    """Return the chance of every value of Σ w·x, each x being 1 with its own chance."""
    distribution = np.zeros(int(weight.sum()) + 1)
    distribution[0] = 1.0
    top = 0
    for step, p in zip(weight.tolist(), chance.tolist(), strict=True):
        shifted = distribution[: top + 1] * p
        distribution[: top + 1] *= 1 - p
        distribution[step : top + step + 1] += shifted
        top += step
    return distribution


def _signs(n: int) -> Iterator[FloatArray]:
    """Yield blocks of ±1 of shape (flips, n), from the bits of raw words."""
    per_flip = -(-n // 64)
    blocks = _kept_signs(per_flip) if per_flip <= KEPT_UP_TO else _drawn_signs(per_flip)
    return (block[:, :n] for block in blocks)


@cache
def _kept_signs(per_flip: int) -> tuple[FloatArray, ...]:
    return tuple(_drawn_signs(per_flip))


def _drawn_signs(per_flip: int) -> Iterator[FloatArray]:
    words = raw_words("sign-flips")
    for _ in range(10):
        bits = words.random_raw(N_FLIPS // 10 * per_flip).astype("<u8").view(np.uint8)
        toss = np.unpackbits(bits).reshape(N_FLIPS // 10, per_flip * 64)
        yield toss.astype(np.float64) * 2 - 1
