"""Intervals of the model of fault types: of one type, of their mean, their spread, a new one.

References
----------
Morris (1983), J. Am. Stat. Assoc. 78, 47-55, for shrinkage with intervals; Sankaran (1963),
Biometrika 50, 199-204, for the noncentral χ² as a power of a normal variable; Higgins, Thompson
and Spiegelhalter (2009), J. R. Stat. Soc. A 172, 137-159, for the prediction of a new type.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from ..data.columns import BoolArray, FloatArray
from .paired_difference import Clustered, square_and_add
from .type_errors import TypeErrors

__all__ = ["Ended", "mean_over_types", "new_type", "noncentral", "shrunken", "spread"]

SPREADS = np.concatenate([[0.0], np.geomspace(1e-3, 1.0, 39)])
"""Values of the spread τ that are weighed; that of values in [−1, 1] is at most 1."""

WEIGHTS = np.gradient(SPREADS)
HALVINGS = 30
TAIL = 0.02
"""The chance to miss a side, for .025: types are few, and not normal (decision 0039)."""
MOST = 1.2
TINY = 1e-9


@dataclass(frozen=True, slots=True)
class Ended:
    """A number with its low and its high end."""

    value: FloatArray
    low: FloatArray
    high: FloatArray


def shrunken(errors: TypeErrors) -> Ended:
    """Return Δ of each type, drawn to the mean over types, shape (..., types).

    At a spread τ it is B·Δ + (1 − B)·mean with B = τ² / (τ² + variance of its own error); the
    spread is weighed by its posterior under a flat prior. To its variance comes, by squares,
    what the errors that types share move an end by.
    """
    known, mean = _posterior(errors), errors.middle[..., np.newaxis]
    value, squares, within = (np.zeros_like(errors.delta) for _ in range(3))
    k = errors.delta.shape[-1]
    noise = errors.apart.mean(axis=-1, keepdims=True)
    for place, tau in enumerate(SPREADS):
        weight = known[..., place, np.newaxis]
        kept = tau**2 / (tau**2 + errors.apart)
        drawn = kept * errors.delta + (1 - kept) * mean
        value += weight * drawn
        squares += weight * drawn**2
        of_mean = (1 - kept) ** 2 * (tau**2 + noise) / k
        within += weight * (kept * errors.cautious + of_mean)
    own = _normal() ** 2 * (within + np.maximum(squares - value**2, 0.0))
    below, above = (np.sqrt(own + side[..., np.newaxis] ** 2) for side in errors.shared)
    return Ended(value, np.maximum(value - below, -1.0), np.minimum(value + above, 1.0))


def mean_over_types(errors: TypeErrors) -> Ended:
    """Return the mean over types, each of the same weight, with types as the unit.

    Its interval is that of Δ, with a type in the place of an instance; to it comes, by squares,
    what the errors that types share move an end by.
    """
    each = errors.size.mean()
    size = np.full(len(errors.size), each)
    low, high = square_and_add(Clustered(errors.gain * each, errors.loss * each, size), TAIL)
    return _moved(errors, low, high)


def spread(errors: TypeErrors) -> Ended:
    """Return the standard deviation of the true Δ of these types.

    Its square is the variance that is observed less that of the errors. Its ends are those
    between which the observed variance, as a multiple of a noncentral χ², is neither too large
    nor too small. The multiple is the larger of the variances of errors in one direction: of
    all on average, and of the one in which types differ.
    """
    k = errors.delta.shape[-1]
    value = np.sqrt(np.maximum(errors.squares - errors.noise, 0.0))
    few = stdtrit(np.maximum(errors.instances - 1, 1), 1 - TAIL) / _normal()
    step = np.maximum(np.maximum(errors.effect, errors.moved) * few**2, TINY)
    free = np.maximum((k - 1) * errors.noise / step, 1.0)
    observed = (k - 1) * errors.squares / step

    def end(chance: float) -> FloatArray:
        return _root(
            lambda tau: noncentral(observed, free, (k - 1) * tau**2 / step) > chance, value.shape
        )

    low, high = end(1 - TAIL), end(TAIL)
    return Ended(value, np.minimum(low, value), np.maximum(high, value))


def new_type(errors: TypeErrors, own: Ended) -> Ended:
    """Return the mean over types with the ends between which a new type is expected.

    They are the quantiles of the mean over all spreads, each weighed by its posterior, of
    normal distributions; but no nearer than what is observed of any type, and than the ends of
    its shrunken Δ, since types need not be normal: a kind of types that one in k belongs to is
    among k of them in two cases of three.
    """
    k, mean = errors.delta.shape[-1], errors.middle
    noise = errors.apart.mean(axis=-1, keepdims=True)
    sd = np.sqrt(SPREADS**2 + (SPREADS**2 + noise) / k)
    weight = _posterior(errors)

    def chance_below(away: FloatArray) -> FloatArray:
        return np.asarray((weight * ndtr(away[..., np.newaxis] / sd)).sum(axis=-1))

    away = _root(lambda value: chance_below(3 * value) < 1 - TAIL, mean.shape) * 3
    moved = _moved(errors, mean - away, mean + away)
    low = np.minimum(moved.low, np.minimum(own.low, errors.delta).min(axis=-1))
    high = np.maximum(moved.high, np.maximum(own.high, errors.delta).max(axis=-1))
    return Ended(mean, np.maximum(low, -1.0), np.minimum(high, 1.0))


def noncentral(value: FloatArray, free: FloatArray, away: FloatArray) -> FloatArray:
    """Return the chance of a noncentral χ² of at most a value, by Sankaran's approximation.

    ``free`` are its degrees of freedom, ``away`` is its noncentrality.

    >>> round(float(noncentral(np.array(14.0), np.array(5.0), np.array(6.0))), 3)  # exactly .735
    0.736
    """
    one, two, three = (free + times * away for times in (1, 2, 3))
    power = 1 - 2 * one * three / (3 * two**2)
    p = two / one**2
    m = (power - 1) * (1 - 3 * power)
    mean = 1 + power * p * (power - 1 - 0.5 * (2 - power) * m * p)
    sd = power * np.sqrt(2 * p) * (1 + 0.5 * m * p)
    return np.asarray(ndtr(((value / one) ** power - mean) / sd))


def _posterior(errors: TypeErrors) -> FloatArray:
    """Return the weight of each spread, given the variance that is observed between types."""
    k = errors.delta.shape[-1]
    variance = SPREADS**2 + errors.apart.mean(axis=-1, keepdims=True)
    squares = errors.squares[..., np.newaxis]
    logs = -(k - 1) / 2 * (np.log(variance) + squares / variance)
    likely = WEIGHTS * np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=-1, keepdims=True))


def _moved(errors: TypeErrors, low: FloatArray, high: FloatArray) -> Ended:
    """Put the errors that types share to both ends, by the squares of distances."""
    mean = errors.middle
    below, above = (
        np.sqrt((end - mean) ** 2 + side**2)
        for end, side in zip((low, high), errors.shared, strict=True)
    )
    return Ended(mean, np.maximum(mean - below, -1.0), np.minimum(mean + above, 1.0))


def _root(is_below: Callable[[FloatArray], BoolArray], shape: tuple[int, ...]) -> FloatArray:
    """Return the value from 0 to ``MOST`` up to which something is true."""
    low, high = np.zeros(shape), np.full(shape, MOST)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        below = is_below(middle)
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray(low)


def _normal() -> float:
    return float(ndtri(1 - TAIL))
