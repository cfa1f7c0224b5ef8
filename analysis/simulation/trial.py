"""Simulated studies of one cell, and what a kind of interval gives for all of them at once.

A kind is a function of the judges of a cell. It calls the functions that published numbers come
from. Each of its draws has a purpose of its own, so that a kind can be counted alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..data.columns import BoolArray, FloatArray, IntArray
from ..stats.bootstrap import raw_words
from ..stats.paired_difference import Clustered
from .design import Cell
from .simulated import Judged, Scored, Shape, Steps, drawn, scored, uniform, won

__all__ = ["Judges", "Tried", "clustered", "mean", "resampled", "sides"]

ALIKE = 0.03
RESAMPLES = 1_000


@dataclass(frozen=True, slots=True)
class Tried:
    """The numbers of many studies, their ends, and the true value; NaN where there is none.

    ``step`` is what one instance of usual size moves the number by; 0 where it has no such step.
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    truth: float
    step: float = 0.0


@dataclass(frozen=True)
class Judges:
    """The judges of a cell: one, another that finds half as much more, and one nearly like it."""

    cell: Cell
    studies: int

    @cached_property
    def one(self) -> Judged:
        """Return the judge of the cell."""
        return drawn(self.cell, self.studies, "one")

    @cached_property
    def other(self) -> Judged:
        """Return a judge with half of its Δ, whose draws are its own."""
        return drawn(replace(self.cell, delta=self.cell.delta / 2), self.studies, "other")

    @cached_property
    def alike(self) -> Judged:
        """Return the judge, but for a few answers that are those of the other one."""
        return self.one.mostly(self.other, ALIKE, *self.cell.place, "alike")

    @cached_property
    def difference(self) -> Steps:
        """Return flag(fault) − flag(parent) of every pair of the judge."""
        return self.one.difference

    @cached_property
    def won(self) -> Steps:
        """Return which side of each pair has the higher score."""
        return won(self.cell, self.studies)

    @cached_property
    def scores(self) -> Scored:
        """Return the scores of the judge."""
        return scored(self.cell, self.studies)

    @property
    def shape(self) -> Shape:
        """Return the shape of the cell."""
        return self.one.shape

    @property
    def step(self) -> float:
        """Return the part of an instance of usual size in a mean over faults."""
        return self.shape.step

    def more(self, purpose: str, like: BoolArray) -> FloatArray:
        """Return further numbers in [0, 1), of the shape of some flags."""
        return uniform(like.size, *self.cell.place, purpose).reshape(like.shape)


def clustered(shape: Shape, difference: Steps, steps: int = 1, *, added: float = 1.0) -> Clustered:
    """Sum differences, in steps, by instance."""
    return Clustered(*sides(shape, difference), shape.size * steps, added)


def sides(shape: Shape, difference: Steps) -> tuple[IntArray, IntArray]:
    """Return the summed gains and losses of each instance."""
    return (
        shape.by_instance(np.maximum(difference, 0)),
        shape.by_instance(np.maximum(-difference, 0)),
    )


def mean(pairs: Clustered) -> FloatArray:
    """Return the mean difference of every study."""
    return np.asarray(pairs.total.sum(axis=-1) / pairs.size.sum(axis=-1))


def resampled(n: int) -> IntArray:
    """Return how often each of n units is drawn, of shape (resamples, n); all studies share it."""
    words = raw_words("simulated", "resamples", n).random_raw(RESAMPLES * n)
    unit = (words % np.uint64(n)).astype(np.int64).reshape(RESAMPLES, n)
    unit += n * np.arange(RESAMPLES)[:, np.newaxis]
    return np.bincount(unit.ravel(), minlength=RESAMPLES * n).reshape(RESAMPLES, n)
