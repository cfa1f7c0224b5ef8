"""Fault types as a sample: how far Δ differs between types, and what a new type might have.

The model. The true Δ of a type is μ + u, with u of mean 0 and standard deviation τ. What is
observed of it is μ + u + a + e: e is the error of the type alone, a an error that types share
because they share parents. Both come from sums over instances, so the runs of an instance may
go together in any way.

The types of a study are a convenience sample: its authors chose them. What is said of a new
type is of one that they might have chosen, no other.

References
----------
Hedges (1983), Psychol. Bull. 93, 388-395, for the variance between types as a difference;
Morris (1983), J. Am. Stat. Assoc. 78, 47-55, for shrinkage with intervals; Higgins, Thompson
and Spiegelhalter (2009), J. R. Stat. Soc. A 172, 137-159, for the prediction of a new one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.columns import IntArray
from .clusters import FEW, is_borne
from .estimate import NO_INTERVAL, Estimate, point, undefined
from .type_ends import Ended, mean_over_types, new_type, shrunken, spread
from .type_errors import TypeErrors, TypeSums

__all__ = ["LEAST_NEW", "LEAST_SPREAD", "LEAST_TYPES", "TypeSample", "types_as_a_sample"]

LEAST_TYPES, LEAST_NEW = 5, 12
"""The types without which there is no such model, and no prediction."""

LEAST_SPREAD = 20
"""The instances in effect without which the spread has no interval."""

SHRUNKEN = "shrunken to the mean over types, weak prior of the spread"
OVER_TYPES = "square-and-add, types as the unit"
SPREAD = "noncentral chi-squared, errors by instance"
NEW = "prediction interval of a new type"

FEW_TYPES = f"no model of types: fewer than {LEAST_TYPES} fault types were judged"
FEW_SPREAD = f"no interval of the spread: fewer than {LEAST_SPREAD} instances in effect"
FEW_NEW = f"no prediction: fewer than {LEAST_NEW} fault types, and a rare kind may have none"
NOTHING = "no pair was judged"


@dataclass(frozen=True, slots=True)
class TypeSample:
    """What a sample of fault types says of Δ.

    Attributes
    ----------
    n_types : int
        The types of which a pair was judged.
    spread : Estimate
        The standard deviation of the true Δ of these types, at least 0; n counts types.
    mean : Estimate
        The mean of Δ over types, each with the same weight; it generalises to further types.
    new : Estimate
        The same mean, with the interval that holds the true Δ of a type that was never planted.
    shrunken : tuple of Estimate
        The Δ of each type, drawn to the mean as far as it is uncertain; in the order of types,
        undefined for one that was not judged. The interval covers on average over types, not
        for each; n counts pairs.
    """

    n_types: int
    spread: Estimate
    mean: Estimate
    new: Estimate
    shrunken: tuple[Estimate, ...]


def types_as_a_sample(
    kind: IntArray, unit: IntArray, difference: IntArray, n_types: int
) -> TypeSample:
    """Return the model of types of the judged pairs of one judge.

    Parameters
    ----------
    kind, unit : array of int, shape (pairs,)
        The type of each pair, from 0 to ``n_types`` - 1, and its instance, from 0.
    difference : array of int, shape (pairs,)
        flag(fault) − flag(parent).
    n_types : int
        The types there are, judged or not.

    Returns
    -------
    TypeSample
        Without a number, and with the reason, for fewer than five judged types; without an
        interval for fewer than ten instances in effect, without that of the spread for fewer
        than twenty, and without a prediction for fewer than twelve types.
    """
    names, place = np.unique(kind, return_inverse=True)
    if len(names) < LEAST_TYPES:
        nothing = undefined(FEW_TYPES, len(names))
        return TypeSample(len(names), nothing, nothing, nothing, (nothing,) * n_types)
    sums = TypeSums.of(place, unit, difference)
    errors = TypeErrors.of(sums)
    k = len(names)
    if not bool(is_borne(sums.by_instance.size)):
        return _without_intervals(errors, names, n_types)
    own = shrunken(errors)
    mean, new = mean_over_types(errors), new_type(errors, own)
    of_types = [undefined(NOTHING)] * n_types
    for row, name in enumerate(names):
        parts = Ended(own.value[row], own.low[row], own.high[row])
        of_types[name] = _estimate(parts, int(errors.size[row]), SHRUNKEN)
    has_spread = errors.instances >= LEAST_SPREAD
    return TypeSample(
        k,
        _or_point(spread(errors), k, SPREAD, None if has_spread else FEW_SPREAD),
        _estimate(mean, k, OVER_TYPES),
        _or_point(new, k, NEW, FEW_NEW if k < LEAST_NEW else None),
        tuple(of_types),
    )


def _without_intervals(errors: TypeErrors, names: IntArray, n_types: int) -> TypeSample:
    k = len(names)
    mean = point(float(errors.middle), k, NO_INTERVAL, FEW)
    of_types = [undefined(NOTHING)] * n_types
    for name, value, size in zip(names, shrunken(errors).value, errors.size, strict=True):
        of_types[name] = point(float(value), int(size), NO_INTERVAL, FEW)
    sd = point(float(spread(errors).value), k, NO_INTERVAL, FEW)
    return TypeSample(k, sd, mean, mean, tuple(of_types))


def _estimate(number: Ended, n: int, method: str) -> Estimate:
    return Estimate(float(number.value), float(number.low), float(number.high), n, method)


def _or_point(number: Ended, n: int, method: str, reason: str | None) -> Estimate:
    """Return an estimate, without its interval if there is a reason."""
    if reason is None:
        return _estimate(number, n, method)
    return point(float(number.value), n, NO_INTERVAL, reason)
