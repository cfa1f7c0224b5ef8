"""Decline: does alignment fall from tier to tier, how steeply, and how much more without truth?

The slope of a (generator, judge) is the least-squares loss of alignment per tier, tiers
one apart; above zero where the harder tier aligns less.

References
----------
Fieller (1954), J. R. Stat. Soc. B 16, for ratios whose denominator may be zero.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...data.columns import BoolArray, FloatArray, IntArray, ratio
from ...stats.bootstrap import Replicates
from ...stats.estimate import count
from .cells import Cells
from .key import PlanKey, PlanNumbers
from .marginals import NO_PLAN, estimated, share_of_resamples

__all__ = ["FLAT", "decline_numbers", "loss_a_tier", "slope_numbers", "slope_ratio"]

FLAT = 0.001
"""A smaller loss per tier counts as none, and is no denominator."""

SLACK = 1e-12
NO_SLOPE = "nobody judged two tiers there"
NO_RATIO = f"the loss a tier with ground truth is below {FLAT}"

Curve = tuple[IntArray, FloatArray]
"""Tiers, shape (k,), and alignment, shape (1 + resamples, k)."""


def decline_numbers(cells: Cells) -> PlanNumbers:
    """Return, for each pair judged on two tiers or more, whether alignment falls at every step.

    A second number gives the share of resamples in which it does.
    """
    numbers: PlanNumbers = {}
    for condition in cells.names["condition"]:
        curves = _curves(cells, condition)
        falls = {pair: _falls(values) for pair, (_, values) in curves.items()}
        for (judge, generator), fall in falls.items():
            key = PlanKey("declines", condition=condition, judge=judge, generator=generator)
            numbers[key] = count(int(fall[0]), 1)
            numbers[key._replace(stat="declines-resampled")] = share_of_resamples(fall[1:])
        if falls:
            declining = sum(int(fall[0]) for fall in falls.values())
            numbers[PlanKey("declines", condition=condition)] = count(declining, len(falls))
    return numbers


def slope_numbers(cells: Cells, with_truth: str, without: str) -> PlanNumbers:
    """Return slopes by pair, by judge and over all, and their ratios, without over with.

    Means and ratios run over the pairs that were judged on the same tiers under both.
    """
    curves = {name: _curves(cells, name) for name in (with_truth, without)}
    numbers: PlanNumbers = {}
    for condition, own in curves.items():
        for (judge, generator), (tiers, values) in own.items():
            place = {"condition": condition, "judge": judge, "generator": generator}
            members = cells.where(**place)
            slope = Replicates(loss_a_tier(tiers, values), cells.n(members), NO_PLAN)
            numbers[PlanKey("slope", **place)] = estimated(slope)
    both = [p for p in curves[with_truth] if _same_tiers(curves[with_truth], curves[without], p)]
    numbers |= _means(curves, both, "")
    for judge in dict.fromkeys(judge for judge, _ in both):
        numbers |= _means(curves, [pair for pair in both if pair[0] == judge], judge)
    return numbers


def loss_a_tier(tiers: IntArray, values: FloatArray) -> FloatArray:
    """Return minus the least-squares slope over tiers, of shape (1 + resamples,)."""
    away = tiers - tiers.mean()
    slope: FloatArray = -(values * away).sum(axis=1) / (away**2).sum()
    return slope


def slope_ratio(with_truth: Replicates, without: Replicates) -> Replicates:
    """Return the slope without over that with ground truth.

    Undefined where the denominator is all but zero, or where alignment rises. A resample
    in which it is so has no ratio either: an interval across a pole would mean nothing.
    """
    below = with_truth.values
    safe = np.where(below >= FLAT, below, 0.0)
    reason = with_truth.undefined_reason if np.isnan(below[0]) else NO_RATIO
    return Replicates(ratio(without.values, safe), min(with_truth.n, without.n), reason)


def _means(
    curves: Mapping[str, Mapping[tuple[str, str], Curve]], pairs: list[tuple[str, str]], judge: str
) -> PlanNumbers:
    """Return the mean slope of some pairs under the two conditions, and their ratio."""
    with_truth, without = (_mean_slope(own, pairs) for own in curves.values())
    numbers = {
        PlanKey("slope", condition=condition, judge=judge): estimated(mean)
        for condition, mean in zip(curves, (with_truth, without), strict=True)
    }
    ratios = estimated(slope_ratio(with_truth, without))
    return numbers | {PlanKey("slope-ratio", judge=judge): ratios}


def _falls(values: FloatArray) -> BoolArray:
    falls: BoolArray = np.logical_and.reduce(np.diff(values, axis=1) < -SLACK, axis=1)
    return falls


def _curves(cells: Cells, condition: str) -> dict[tuple[str, str], Curve]:
    found = {}
    for names, members in cells.groups(("condition", "judge", "generator")):
        if names["condition"] == condition and len(members) > 1:
            ordered = members[np.argsort(cells.codes["tier"][members])]
            curve = (cells.codes["tier"][ordered], cells.values(ordered))
            found[names["judge"], names["generator"]] = curve
    return found


def _same_tiers(
    one: Mapping[tuple[str, str], Curve],
    other: Mapping[tuple[str, str], Curve],
    pair: tuple[str, str],
) -> bool:
    return pair in other and np.array_equal(one[pair][0], other[pair][0])


def _mean_slope(
    curves: Mapping[tuple[str, str], Curve], pairs: list[tuple[str, str]]
) -> Replicates:
    if not pairs:
        return Replicates(np.full(1, np.nan), 0, NO_SLOPE)
    slopes = np.array([loss_a_tier(*curves[pair]) for pair in pairs])
    return Replicates(slopes.mean(axis=0), len(pairs), NO_SLOPE)
