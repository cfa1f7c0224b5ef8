"""Simulated judges: their flags on all runs of many studies of one shape at once."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtri

from ..data.columns import BoolArray, FloatArray, IntArray
from ..stats import bootstrap
from ..stats.clusters import effective_instances
from ..stats.planned_judge import SPREAD, centre
from .design import Cell, Dependence, sizes_of

__all__ = [
    "SPREAD",
    "Judged",
    "Scored",
    "Shape",
    "Steps",
    "centre",
    "controls",
    "drawn",
    "scored",
    "uniform",
    "won",
]

Steps = NDArray[np.int8]
"""Differences of flags: −1, 0 or 1, of which there are millions."""

TYPES = 40
STRIDE = 7


@dataclass(frozen=True, slots=True)
class Shape:
    """Faults in the order of their instances: how many each has, and whose each is."""

    size: IntArray
    unit: IntArray

    @classmethod
    def of(cls, size: IntArray) -> Shape:
        """Return the shape of instances of these sizes."""
        return cls(size, np.repeat(np.arange(len(size)), size))

    @property
    def step(self) -> float:
        """Return the part of an instance of usual size in a mean over faults."""
        return 1 / float(effective_instances(self.size))

    def by_instance(self, values: BoolArray | Steps | IntArray | FloatArray) -> IntArray:
        """Sum values of faults, of shape (studies, faults), by instance."""
        first = np.cumsum(self.size) - self.size
        return np.asarray(np.add.reduceat(values, first, axis=1, dtype=np.int64))

    def some(self, faults: BoolArray) -> IntArray:
        """Return how many of some of the faults each instance has."""
        return np.bincount(self.unit[faults], minlength=len(self.size)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Judged:
    """The flags of one judge in many studies.

    Attributes
    ----------
    parent : array of bool, shape (studies, instances)
    fault : array of bool, shape (studies, faults)
    rate : array, shape (faults,)
        The chance that each fault is flagged.
    """

    shape: Shape
    parent: BoolArray
    fault: BoolArray
    base_rate: float
    rate: FloatArray

    @property
    def difference(self) -> Steps:
        """Return flag(fault) − flag(parent) of every pair."""
        return self.fault.astype(np.int8) - self.parent[:, self.shape.unit]

    @property
    def delta(self) -> float:
        """Return the true Δ."""
        return float(self.rate.mean()) - self.base_rate

    def mostly(self, other: Judged, share: float, *purpose: str | int) -> Judged:
        """Return a judge that answers like this one, but for a share of answers of another."""
        parts: list[BoolArray] = []
        for own, strange in ((self.parent, other.parent), (self.fault, other.fault)):
            drawn = uniform(own.size, *purpose, len(parts)).reshape(own.shape) < share
            parts.append(np.where(drawn, strange, own))
        rate = self.rate + share * (other.rate - self.rate)
        base_rate = self.base_rate + share * (other.base_rate - self.base_rate)
        return replace(self, parent=parts[0], fault=parts[1], base_rate=base_rate, rate=rate)


def drawn(cell: Cell, studies: int, *purpose: str | int) -> Judged:
    """Draw the flags of a judge of a cell in so many studies."""
    shape = Shape.of(sizes_of(cell))
    n, faults = len(shape.size), len(shape.unit)
    first = uniform(studies * n, *cell.place, *purpose, "parents").reshape(studies, n)
    rate = np.full(faults, cell.base_rate + cell.delta)
    parent: BoolArray = first < cell.base_rate
    if cell.dependence is Dependence.TYPE:
        # Types come in another order than instances, as many of them flagged as the rate says.
        kind = np.arange(faults) * STRIDE % TYPES
        rate = (kind < round((cell.base_rate + cell.delta) * TYPES)).astype(np.float64)
        fault: BoolArray = np.broadcast_to(rate > 0, (studies, faults))
        return Judged(shape, parent, fault, cell.base_rate, rate)
    if cell.dependence is Dependence.ALL:
        return Judged(shape, parent, (first < rate[0])[:, shape.unit], cell.base_rate, rate)
    if cell.dependence is Dependence.ONE:
        once = uniform(studies * n, *cell.place, *purpose, "answers").reshape(studies, n)
        return Judged(shape, parent, (once < rate[0])[:, shape.unit], cell.base_rate, rate)
    second = uniform(studies * faults, *cell.place, *purpose, "faults").reshape(studies, faults)
    if cell.dependence is Dependence.NONE:
        return Judged(shape, parent, second < rate, cell.base_rate, rate)
    effect = _effect(cell, studies, n, *purpose)
    parent = first < expit(centre(cell.base_rate) + effect)
    chance = expit(centre(rate[0]) + effect)
    return Judged(shape, parent, second < chance[:, shape.unit], cell.base_rate, rate)


def controls(cell: Cell, studies: int, size: IntArray, rate: float) -> tuple[IntArray, float]:
    """Draw how many controls of each instance the judge ``"one"`` of a cell flags.

    ``size`` is how many each has; the flags have shape (studies, instances). The second result
    is the chance that a control is flagged.
    """
    n, some = len(size), np.flatnonzero(size)
    if cell.dependence is Dependence.TYPE:
        flagged = np.arange(n) * STRIDE % TYPES < round(rate * TYPES)
        true = float((size * flagged).sum() / size.sum())
        return np.broadcast_to(size * flagged, (studies, n)), true
    if cell.dependence in (Dependence.ALL, Dependence.ONE):
        purpose = "parents" if cell.dependence is Dependence.ALL else "control answers"
        once = uniform(studies * n, *cell.place, "one", purpose).reshape(studies, n)
        return (once < rate) * size, rate
    chance = np.full((studies, n), rate)
    if cell.dependence is Dependence.EFFECT:
        chance = expit(centre(rate) + _effect(cell, studies, n, "one"))
    drawn = uniform(studies * int(size.sum()), *cell.place, "one", "controls")
    shape = Shape.of(size[some])
    found = np.zeros((studies, n), np.int64)
    found[:, some] = shape.by_instance(drawn.reshape(studies, -1) < chance[:, some][:, shape.unit])
    return found, rate


@dataclass(frozen=True, slots=True)
class Scored:
    """Normal scores of one judge in many studies: those of faults are to be shifted upwards.

    Attributes
    ----------
    parent : array, shape (studies, instances)
    fault : array, shape (studies, faults)
    """

    shape: Shape
    parent: FloatArray
    fault: FloatArray


def scored(cell: Cell, studies: int, *purpose: str) -> Scored:
    """Draw standard normal scores.

    An instance effect is one of all its runs; with one answer its faults share their score;
    all or none: all its runs do. Types have no part in scores.
    """
    shape = Shape.of(sizes_of(cell))
    n, faults = len(shape.size), len(shape.unit)
    parent, shared, own = (
        ndtri(np.clip(uniform(studies * count, *cell.place, *purpose, name), 1e-15, None))
        for name, count in (("score of parents", n), ("shared score", n), ("score", faults))
    )
    parent, shared, own = (part.reshape(studies, -1) for part in (parent, shared, own))
    if cell.dependence is Dependence.ALL:
        return Scored(shape, shared, shared[:, shape.unit])
    if cell.dependence is Dependence.ONE:
        return Scored(shape, parent, shared[:, shape.unit])
    if cell.dependence is Dependence.EFFECT:
        half = math.sqrt(0.5)
        return Scored(shape, half * (parent + shared), half * (own + shared[:, shape.unit]))
    return Scored(shape, parent, own)


def won(cell: Cell, studies: int, *purpose: str) -> Steps:
    """Draw, for scores with an AUC of (1 + Δ)/2, which side of each pair has the higher one.

    Scores are normal. An instance effect is one of its faults; with one answer they share
    their score; all or none share the result. Types have no part in scores.
    """
    shape = Shape.of(sizes_of(cell))
    n, faults = len(shape.size), len(shape.unit)
    parts = {
        name: uniform(studies * count, *cell.place, "scores", *purpose, name).reshape(
            studies, count
        )
        for name, count in (("parents", n), ("shared", n), ("faults", faults))
    }
    if cell.dependence is Dependence.ALL:
        above = (parts["parents"] < (1 + cell.delta) / 2)[:, shape.unit]
        return np.where(above, 1, -1).astype(np.int8)
    parent, shared, own = (ndtri(np.clip(part, 1e-15, None)) for part in parts.values())
    score = own
    if cell.dependence is Dependence.ONE:
        score = shared[:, shape.unit]
    elif cell.dependence is Dependence.EFFECT:
        score = (own + shared[:, shape.unit]) / math.sqrt(2)
    shift = math.sqrt(2) * float(ndtri((1 + cell.delta) / 2))
    return np.where(score + shift > parent[:, shape.unit], 1, -1).astype(np.int8)


def uniform(n: int, *purpose: int | str) -> FloatArray:
    """Return n numbers in [0, 1) from the raw words of one purpose."""
    return bootstrap.uniform(n, "simulated", *purpose)


def _effect(cell: Cell, studies: int, n: int, *purpose: str | int) -> FloatArray:
    effect = uniform(studies * n, *cell.place, *purpose, "effects").reshape(studies, n)
    return np.asarray(SPREAD * ndtri(np.clip(effect, 1e-15, None)))
