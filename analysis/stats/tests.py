"""Tests and rank correlation: McNemar, sign flips over instances, Holm, Spearman's ρ.

McNemar and Holm are those of statsmodels, imported when they are first used: that takes half
a second, which only a process that prints a test should pay.

Under the null of the sign flips two judges are exchangeable within an instance, so the sign
of each instance's summed difference is a coin toss. Up to 13 instances that differ, every
assignment of signs is counted; beyond, 10,000 are drawn and the observed one is counted
with them.

References
----------
McNemar (1947), Psychometrika 12, 153-157; Phipson and Smyth (2010), SAGMB 9, 39;
Holm (1979), Scand. J. Statist. 6, 65-70; Spearman (1904), Am. J. Psychol. 15, 72-101.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import numpy as np

from ..data.columns import FloatArray, IntArray
from .bootstrap import ratio, raw_words
from .estimate import Estimate, point, undefined

__all__ = ["NOTHING_SHARED", "holm", "mcnemar", "ranks", "sign_flip", "spearman"]

N_FLIPS = 10_000
COUNT_ALL_UP_TO = 13
KEPT_UP_TO = 5
"""Signs for up to so many times 64 instances are kept, for the next test."""

NOTHING_SHARED = "the two judges share no judged pair or run in this group"


@cache
def mcnemar(hits: int, reverses: int) -> Estimate:
    """Return the exact two-sided p on the discordant pairs; null without any.

    p = min(1, 2·P(X ≤ min(hits, reverses))), X binomial with chance one half.
    """
    from statsmodels.stats.contingency_tables import mcnemar as exact_test

    n = hits + reverses
    if n == 0:
        return undefined("no discordant pair")
    p = float(exact_test([[0, hits], [reverses, 0]], exact=True).pvalue)
    return point(p, n, "exact McNemar", "a p-value")


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
    """Return the adjusted p-values, in the order given; undefined ones are left out.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    known = [p for p in p_values if p is not None]
    if not known:
        return list(p_values)
    from statsmodels.stats.multitest import multipletests

    adjusted = iter(multipletests(known, method="holm")[1].tolist())
    return [None if p is None else next(adjusted) for p in p_values]


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
