"""How often the intervals of a silent judge cover, and that of Δ less control-Δ.

A judge that is silent on purpose is silent where it errs. The true cautious Δ and gate's Δ of
such a judge follow from its chances to flag and to be silent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, ndtri

from ..data.columns import BoolArray
from ..stats.clusters import correlation, is_borne
from ..stats.paired_difference import Clustered, ends_of_difference, square_and_add
from ..stats.readings import UNSCORED, Reading, differences
from .design import Cell, Dependence
from .simulated import SPREAD, Judged, centre, drawn, uniform
from .tallies import tally
from .trial import Tried, clustered, mean

__all__ = ["KINDS", "silence_counts"]

ON_ERRORS, ON_OTHERS = 0.5, 0.1
"""The chances that a judge says nothing of a run where it errs, and elsewhere."""

OF_DELTA = 0.25
"""How much more often a control is flagged than its parent, as a part of Δ."""

SHARED = (Dependence.ONE, Dependence.ALL)


@dataclass(frozen=True, slots=True)
class Silent:
    """A judge of a cell, and the runs of which it says nothing."""

    cell: Cell
    one: Judged
    fault: BoolArray
    parent: BoolArray


def silence_counts(cell: Cell, studies: int) -> list[list[float] | None]:
    """Count the intervals of every kind in a cell; None where none is published."""
    one = drawn(cell, studies, "one")
    if not is_borne(one.shape.size) or cell.shape == "agent":
        return [None] * len(KINDS)
    fault = _drawn(one, one.shape.unit, cell, "silent faults") < _chance(~one.fault)
    parent = _drawn(one, None, cell, "silent parents") < _chance(one.parent)
    silent = Silent(cell, one, fault, parent)
    return [tally(kind(silent)) for kind in KINDS.values()]


def _cautious(silent: Silent) -> Tried:
    one = silent.one
    fault = (one.rate * (1 - ON_OTHERS)).mean()
    parent = one.base_rate + (1 - one.base_rate) * ON_OTHERS
    return _tried(silent, Reading.CAUTIOUS, float(fault) - parent)


def _gate(silent: Silent) -> Tried:
    one = silent.one
    fault = (one.rate * (1 - ON_OTHERS)).mean()
    return _tried(silent, Reading.GATE, float(fault) - one.base_rate * (1 - ON_ERRORS))


def _tried(silent: Silent, reading: Reading, truth: float) -> Tried:
    one = silent.one
    fault = np.where(silent.fault, UNSCORED, one.fault)
    parent = np.where(silent.parent, UNSCORED, one.parent)[:, one.shape.unit]
    pairs = clustered(one.shape, differences(fault, parent, reading)[0].astype(np.int8))
    return Tried(mean(pairs), *square_and_add(pairs), truth, one.shape.step)


def _adjusted(silent: Silent) -> Tried:
    """Take off control-Δ, of which each instance has one pair with the parent of its faults."""
    cell, one = silent.cell, silent.one
    rate = cell.base_rate + OF_DELTA * cell.delta
    change = _flagged_controls(cell, one, rate).astype(np.int64) - one.parent
    size = np.ones_like(one.shape.size)
    controls = Clustered(np.maximum(change, 0), np.maximum(-change, 0), size)
    pairs = clustered(one.shape, one.difference)
    parts = [(mean(part), *square_and_add(part)) for part in (pairs, controls)]
    related = correlation((pairs.total, pairs.size), (controls.total, controls.size))
    low, high = ends_of_difference(parts[0], parts[1], related)
    truth = float(one.rate.mean()) - rate
    return Tried(parts[0][0] - parts[1][0], low, high, truth, one.shape.step)


KINDS: dict[str, Callable[[Silent], Tried]] = {
    "cautious Δ": _cautious,
    "gate's Δ": _gate,
    "adjusted Δ": _adjusted,
}
"""Every kind of interval that is published of silence and of controls."""


def _chance(is_error: BoolArray) -> np.ndarray:
    return np.where(is_error, ON_ERRORS, ON_OTHERS)


def _drawn(one: Judged, unit: np.ndarray | None, cell: Cell, purpose: str) -> np.ndarray:
    """Draw a number for each parent or, by the instance of each, for each fault."""
    studies, n = one.parent.shape
    if unit is None or cell.dependence in SHARED:
        each = uniform(studies * n, *cell.place, purpose).reshape(studies, n)
        return each if unit is None else each[:, unit]
    return uniform(studies * len(unit), *cell.place, purpose).reshape(studies, len(unit))


def _flagged_controls(cell: Cell, one: Judged, rate: float) -> BoolArray:
    """Draw the flag of a control of each instance, which goes with the others as faults do."""
    studies, n = one.parent.shape
    if cell.dependence is Dependence.ALL:  # the number that decides on the parent
        first = uniform(studies * n, *cell.place, "one", "parents").reshape(studies, n)
        return np.asarray(first < rate)
    own = uniform(studies * n, *cell.place, "controls").reshape(studies, n)
    if cell.dependence is not Dependence.EFFECT:
        return np.asarray(own < rate)
    effect = uniform(studies * n, *cell.place, "one", "effects").reshape(studies, n)
    effect = SPREAD * ndtri(np.clip(effect, 1e-15, None))
    return np.asarray(own < expit(centre(rate) + effect))
