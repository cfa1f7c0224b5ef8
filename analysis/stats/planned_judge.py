"""A judge that is planned for: its flags on all runs of many studies, drawn before it is asked.

Flags are drawn as uniform numbers below a chance. The numbers are drawn once, so a Δ that is
higher flags the same faults and more: power rises smoothly with Δ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from scipy.special import expit, ndtri

from ..data.columns import BoolArray, FloatArray, IntArray
from .bootstrap import uniform
from .paired_difference import Clustered
from .readings import Reading

__all__ = ["SPREAD", "Answers", "Draws", "PlannedJudge", "centre"]

SPREAD = 1.5
"""The standard deviation, on the logit, of the effect of an instance."""

HALVINGS = 60


class Answers(StrEnum):
    """How the verdicts on the runs of one instance go together."""

    FRESH = "independent"
    EFFECT = "instance effect"
    ONE = "one answer"

    @property
    def text(self) -> str:
        """Return what the judge does, as a table says it."""
        return {
            Answers.FRESH: "decides on each run afresh",
            Answers.EFFECT: f"has an effect of sd {SPREAD:g} on the logit for each instance",
            Answers.ONE: "gives one answer to all faults of an instance",
        }[self]


@dataclass(frozen=True, slots=True)
class PlannedJudge:
    """What is assumed of a judge, Δ aside.

    Attributes
    ----------
    base_rate : float
        The chance that it flags a clean run that it scores.
    answers : Answers
        The default is the most cautious: faults that share an answer are worth one.
    abstains : float
        The chance that it leaves a run unscored, whatever the run holds.
    reading : Reading
        How its unscored runs count.
    """

    base_rate: float
    answers: Answers = Answers.ONE
    abstains: float = 0.0
    reading: Reading = Reading.CAUTIOUS


@dataclass(frozen=True, slots=True)
class Draws:
    """The uniform numbers behind the flags of one judge in many studies.

    Instances are in descending order of their faults, so that those with more than j are the
    first columns of an array. All arrays have the studies as their first axis.

    Attributes
    ----------
    size : array of int, shape (instances,)
    parent : array, shape (studies, instances)
    fault : tuple of array
        For the j-th fault of each instance that has one.
    effect : array or None
        The effect of each instance on the logit.
    silence : tuple of array
        Of the parent and of the j-th fault; empty if the judge scores all runs.
    """

    judge: PlannedJudge
    size: IntArray
    parent: FloatArray
    fault: tuple[FloatArray, ...]
    effect: FloatArray | None
    silence: tuple[FloatArray, ...]

    @classmethod
    def of(cls, size: IntArray, judge: PlannedJudge, studies: int, *purpose: int | str) -> Draws:
        """Draw the numbers for instances with so many faults each, at least one."""
        size = np.sort(size)[::-1]
        columns = [len(size), *(int((size > j).sum()) for j in range(int(size[0])))]

        def draw(name: str, place: int) -> FloatArray:
            number = uniform(studies * columns[place], "power", *purpose, name, place)
            return number.reshape(studies, columns[place])

        shares = judge.answers is Answers.ONE
        once = draw("faults", 1)
        fault = tuple(
            once[:, : columns[place]] if shares or place == 1 else draw("faults", place)
            for place in range(1, len(columns))
        )
        effect = None
        if judge.answers is Answers.EFFECT:
            effect = SPREAD * ndtri(np.clip(draw("effects", 0), 1e-15, None))
        silence = tuple(draw("silence", place) for place in range(len(columns)))
        kept = silence if judge.abstains else ()
        parent = draw("parents", 0)
        return cls(judge, size, parent=parent, fault=fault, effect=effect, silence=kept)

    def first(self, studies: int) -> Draws:
        """Return the draws of the first studies."""
        return replace(
            self,
            parent=self.parent[:studies],
            fault=tuple(part[:studies] for part in self.fault),
            effect=None if self.effect is None else self.effect[:studies],
            silence=tuple(part[:studies] for part in self.silence),
        )

    def pairs(self, delta: float) -> Clustered:
        """Return gains and losses of each study and instance for a judge with this Δ.

        Δ is that of the judge on runs that it scores. ``size`` of the result has a row a study
        only where silence takes pairs out, which is in the reading *judged*.
        """
        judge = self.judge
        parent = self.parent < self._chance(judge.base_rate)
        chance = self._chance(judge.base_rate + delta)
        flagged = np.zeros(parent.shape, np.int64)
        scored = np.zeros(parent.shape, np.int64)
        for place, number in enumerate(self.fault):
            n = number.shape[1]
            flags = number < (chance if isinstance(chance, float) else chance[:, :n])
            if self.silence:
                speaks = self.silence[place + 1] >= judge.abstains
                scored[:, :n] += speaks
                flags &= speaks
            flagged[:, :n] += flags
        size: IntArray = self.size
        if self.silence:
            silent = self.silence[0] < judge.abstains
            if judge.reading is Reading.JUDGED:
                size = np.where(silent, 0, scored)
                flagged = np.where(silent, 0, flagged)
            else:
                parent = parent | silent if judge.reading is Reading.CAUTIOUS else parent & ~silent
        return _clustered(parent, flagged, size)

    def _chance(self, rate: float) -> float | FloatArray:
        if self.effect is None:
            return rate
        return np.asarray(expit(centre(rate) + self.effect))


def _clustered(parent: BoolArray, flagged: IntArray, size: IntArray) -> Clustered:
    return Clustered(np.where(parent, 0, flagged), np.where(parent, size - flagged, 0), size)


def centre(rate: float) -> float:
    """Return the logit whose mean chance, over the effects of instances, is the rate."""
    if rate <= 0.0 or rate >= 1.0:
        return -math.inf if rate <= 0 else math.inf
    point, weight = np.polynomial.hermite_e.hermegauss(40)
    low, high = -30.0, 30.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        mean = float((weight * expit(middle + SPREAD * point)).sum() / weight.sum())
        low, high = (middle, high) if mean < rate else (low, middle)
    return low
