"""The errors with which Δ of each fault type is observed, from sums over instances.

Every array ends with the axis of types, or of instances and types; the axes before these, if
any, are studies, so that a simulation asks for many of them at once.

References
----------
Agresti and Coull (1998), Am. Stat. 52, 119-126, for runs that are added to a variance that
none of a few runs may show.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..data.columns import FloatArray, IntArray
from .clusters import SOME, TAIL, Counts, Share, effective_instances
from .paired_difference import Clustered, ends_of_difference, square_and_add

__all__ = ["TypeErrors", "TypeSums"]

ADDED = 2.0
"""Instances that are added to what all types together, or all types in step, vary by."""

OWN = 4.0
"""Instances by which the variance of a type is drawn to that of all, and is made larger."""

HALF = 0.5
"""The variance of a difference that is a gain, a loss, or neither as often as both."""

UNSEEN = 0.7
"""The variance of a difference in the instances that make that of a type larger."""

LEAST_PART = 0.1

Ends = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, slots=True)
class TypeSums:
    """Gains, losses and pairs of each instance and type.

    ``gain`` and ``loss`` have the shape (..., instances, types), ``size`` (instances, types).
    """

    gain: Counts
    loss: Counts
    size: Counts

    @classmethod
    def of(cls, kind: IntArray, unit: IntArray, difference: IntArray) -> Self:
        """Sum differences of shape (pairs,); instances without a pair are left out."""
        n_types = int(kind.max()) + 1
        units, place = np.unique(unit, return_inverse=True)
        cell, shape = place * n_types + kind, (len(units), n_types)
        counts = (np.maximum(difference, 0), np.maximum(-difference, 0), np.ones_like(difference))
        return cls(
            *(
                np.bincount(cell, part, minlength=shape[0] * shape[1]).reshape(shape)
                for part in counts
            )
        )

    @property
    def by_instance(self) -> Clustered:
        """Return the sums of each instance over all types."""
        return Clustered(*(part.sum(axis=-1) for part in (self.gain, self.loss, self.size)))


@dataclass(frozen=True, slots=True)
class TypeErrors:
    """Δ of each type, and how far it may be off.

    Attributes
    ----------
    gain, loss : array, shape (..., types)
        The shares of gains and losses of each type.
    size : array, shape (types,)
        The pairs of each type.
    apart : array, shape (..., types)
        The part of the variance of each Δ that types do not share, drawn to that of all types
        as far as a type has few instances.
    cautious : array, shape (..., types)
        The whole variance, with ``OWN`` instances added that vary whatever was seen.
    instances : array
        The number of equal instances that the instances are worth.
    noise, effect, moved : array, shape (...)
        Of the errors of types around their mean: their variance; the variance of one direction
        of them, were all alike; and that of the direction in which types differ.
    shared : two arrays, shape (...)
        How far the runs of an instance, by going together, move the low and the high end of Δ
        over all pairs, beyond where it would be, did they not.
    """

    gain: FloatArray
    loss: FloatArray
    size: FloatArray
    apart: FloatArray
    cautious: FloatArray
    instances: FloatArray
    noise: FloatArray
    effect: FloatArray
    moved: FloatArray
    shared: Ends

    @property
    def delta(self) -> FloatArray:
        """Return Δ of each type."""
        return self.gain - self.loss

    @property
    def middle(self) -> FloatArray:
        """Return the mean over types, each with the same weight."""
        return np.asarray(self.delta.mean(axis=-1))

    @property
    def squares(self) -> FloatArray:
        """Return the variance of Δ between types as it is observed."""
        return np.asarray(self.delta.var(axis=-1, ddof=1))

    @classmethod
    def of(cls, sums: TypeSums) -> Self:
        """Return the errors of types, of which each has a pair."""
        size = sums.size.sum(axis=-2) * 1.0
        gain, loss = (part.sum(axis=-2) / size for part in (sums.gain, sums.loss))
        delta = gain - loss
        away = (sums.gain - sums.loss - delta[..., np.newaxis, :] * sums.size) / size
        free = (sums.size > 0).sum(axis=-2) - 1.0
        usual = float((sums.size**2).sum() / sums.size.sum())
        # The variance of a pair of each type, were its pairs independent.
        alone = (away**2).sum(axis=-2) * size * (free + 1) / np.maximum(free, 1)
        every = ((alone * free).sum(axis=-1) + ADDED * usual) / (free.sum() + ADDED * usual)
        drawn = (alone * free + OWN * every[..., np.newaxis]) / (free + OWN)
        both = _shared_variance(away)
        apart = np.maximum(drawn / size - both[..., np.newaxis], LEAST_PART * drawn / size)
        cautious = (drawn + OWN * UNSEEN * usual / (free + OWN)) / size
        worth = effective_instances(sums.by_instance.size)
        around = _around_the_mean(away, delta, sums.size / size)
        shared = _moved_ends(sums.by_instance)
        own = (gain, loss, size, apart, cautious)
        return cls(*own, worth, *around, shared=shared)


def _shared_variance(away: FloatArray) -> FloatArray:
    """Return the mean covariance of two types, at least 0, from what instances move them by."""
    n, k = away.shape[-2:]
    squares = (away.sum(axis=-1) ** 2).sum(axis=-1) - (away**2).sum(axis=(-2, -1))
    return np.asarray(np.maximum(squares, 0.0) * n / (n - 1) / (k * (k - 1)))


def _around_the_mean(
    away: FloatArray, delta: FloatArray, part: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return noise, effect and movement of `TypeErrors`, from the covariance of all types.

    To what instances do, ``ADDED`` are added in which each pair moves its type, on its own for
    the first two, and all of them apart for the third: few flags show no variance.
    """
    n, k = away.shape[-2:]
    centred = away - away.mean(axis=-1, keepdims=True)
    covariance = np.matmul(np.swapaxes(centred, -1, -2), centred) * (n / (n - 1))
    trace = np.trace(covariance, axis1=-2, axis2=-1)
    alone = ADDED * HALF * float((part**2).sum()) / n
    squares = (covariance**2).sum(axis=(-2, -1)) + alone**2 / (k - 1)
    apart = delta - delta.mean(axis=-1, keepdims=True)
    along = ((centred @ apart[..., np.newaxis])[..., 0] ** 2).sum(axis=-1) * (n / (n - 1))
    together = (np.abs(apart) @ part.T) ** 2
    along = along + ADDED * together.sum(axis=-1) / n
    length = np.maximum((apart**2).sum(axis=-1), SOME)
    return trace / (k - 1), squares / (trace + alone), along / length


def _moved_ends(pairs: Clustered) -> Ends:
    mean = pairs.total.sum(axis=-1) / pairs.size.sum()
    gains, losses = (part.sum(axis=-1) / pairs.size.sum() for part in (pairs.gain, pairs.loss))
    n = np.full_like(mean, float(pairs.size.sum()))
    one, other = (
        (share, *Share(share, n, n, np.ones_like(n)).middle_ends(TAIL)) for share in (gains, losses)
    )
    spread = np.sqrt(gains * (1 - gains) * losses * (1 - losses))
    related = -gains * losses / np.maximum(spread, SOME)
    alone = ends_of_difference(one, other, related)
    low, high = (
        np.sqrt(np.maximum((end - mean) ** 2 - (without - mean) ** 2, 0.0))
        for end, without in zip(square_and_add(pairs), alone, strict=True)
    )
    return low, high
