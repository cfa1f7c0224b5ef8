"""Simulated judges of known behaviour, as the judges of one synthetic study.

The study has the columns that records would give it, so that the code that is tested is
the code for real verdicts. The faults of an instance are one to four of four types, and
share its clean parent.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ..data.columns import BoolArray, Coded, FloatArray, IntArray
from ..data.runs import PARTS, Runs
from ..data.study_data import StudyData, assemble
from ..data.verdicts import Series, Verdicts
from ..stats.bootstrap import raw_words

__all__ = ["Behaviour", "Model", "flags_of", "judged_study", "runs_of", "uniform"]

TYPES = ("a", "b", "c", "d")
SCENARIOS = ("calm", "common", "rough")
SPREAD = 0.5


class Behaviour(StrEnum):
    """The dependence of a verdict on a fault on that on the clean parent."""

    ANEW = "anew"
    """The fault is judged afresh: hits and reversed pairs both occur."""
    KEEPS = "keeps"
    """A parent's flag stays on its faults: a pair is never reversed."""


@dataclass(frozen=True, slots=True)
class Model:
    """A judge's chance to flag a clean run, by scenario, and what a fault adds, by type.

    Both are spread around their means over the design by up to half, as far as
    chances stay between 0 and 1; ``delta`` is the mean over all pairs, and so the
    value that an interval must cover.
    """

    delta: float
    base_rate: float
    behaviour: Behaviour

    @property
    def exists(self) -> bool:
        """Return whether a judge can behave so: a fault's flag rate is Δ + base rate."""
        return self.delta + self.base_rate <= 1


def runs_of(n_instances: int) -> Runs:
    """Return the runs of the synthetic study: clean parents first, then the faults."""
    # Instance i has i mod 4 + 1 faults; their types begin one further after every four
    # instances, so that each type occurs with each number of faults.
    sizes = np.arange(n_instances) % len(TYPES) + 1
    host = np.repeat(np.arange(n_instances), sizes)
    place = np.concatenate([np.arange(size) for size in sizes])
    kind = (host // len(TYPES) + place) % len(TYPES)
    instance = np.concatenate([np.arange(n_instances), host]).astype(np.int64)
    none = np.full(len(instance), -1, np.int64)
    faulty = np.arange(len(instance)) >= n_instances
    types = none.copy()
    types[faulty] = kind
    parent = none.copy()
    parent[faulty] = host
    return Runs(
        ids=tuple(f"{row:06d}" for row in range(len(instance))),
        instance=Coded(tuple(f"{row:06d}" for row in range(n_instances)), instance),
        domain=Coded(("simulated",), np.zeros(len(instance), np.int64)),
        scenario=Coded(SCENARIOS, instance % len(SCENARIOS)),
        faulty=faulty,
        control=Coded((), none),
        failure_step=np.where(faulty, 0, -1).astype(np.int64),
        failure_type=Coded(TYPES, types),
        outcome_correct=types % 2 != 0,
        parent=parent,
        reply_changed=np.where(faulty, 0, -1).astype(np.int64),
        reply_policy=Coded((), none),
        variant=Coded((), none),
        n_steps=np.ones(len(instance), np.int64),
        marks={part: np.arange(len(instance), dtype=np.uint64) for part in PARTS},
    )


def judged_study(runs: Runs, flagged: BoolArray, confidence: FloatArray | None = None) -> StudyData:
    """Return the study in which ``flagged[j]`` are the verdicts of judge j on the runs."""
    shape = flagged.shape
    whole, nothing = np.zeros(shape, np.int64), np.full(shape, -1, np.int64)
    verdicts = Verdicts(
        series=tuple(Series(f"{judge:06d}", 0, 0) for judge in range(shape[0])),
        view=(None,) * shape[0],
        task=(None,) * shape[0],
        judged=np.ones(shape, np.bool_),
        scored=np.ones(shape, np.bool_),
        flagged=flagged,
        failed=np.zeros(shape, np.bool_),
        step=nothing,
        named=Coded((), nothing),
        confidence=np.full(shape, np.nan) if confidence is None else confidence,
        rationale=whole.astype(np.uint64),
        latency_s=np.zeros(shape),
        prompt_tokens=whole,
        completion_tokens=whole,
        score=np.full(shape, np.nan),
        shared=np.zeros(shape, np.bool_),
    )
    return assemble("simulated", runs, verdicts)


def flags_of(model: Model, runs: Runs, n_judges: int, *purpose: int | str) -> BoolArray:
    """Draw the verdicts of so many judges of one model, of shape (judges, runs)."""
    chance = uniform(n_judges * len(runs.ids), *purpose).reshape(n_judges, len(runs.ids))
    base, gain = _chances(model, runs)
    fault = np.flatnonzero(runs.faulty)
    flagged: BoolArray = chance < base
    if model.behaviour is Behaviour.ANEW:
        flagged[:, fault] = chance[:, fault] < (base + gain)[fault]
    else:
        # A flag of the parent is kept; the others are raised so often that Δ is as wanted.
        raised = chance[:, fault] < (gain / (1 - base))[fault]
        flagged[:, fault] = flagged[:, runs.parent[fault]] | raised
    return flagged


def uniform(n: int, *purpose: int | str) -> FloatArray:
    """Return n numbers in [0, 1) from the raw words of one purpose."""
    words = raw_words("simulated", *purpose).random_raw(n)
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _chances(model: Model, runs: Runs) -> tuple[FloatArray, FloatArray]:
    """Return for every run the chance without a fault, and what the fault adds."""
    base_shape = _centred(runs.scenario.codes, runs.clean)
    gain_shape = np.where(runs.faulty, _centred(runs.failure_type.codes, runs.faulty), 0.0)
    # Chances must stay below 1 where both are at their highest.
    left = 1 - model.delta - model.base_rate
    spread = min(SPREAD, 0.5 * left / max(model.delta, model.base_rate))
    base = model.base_rate * (1 + spread * base_shape)
    gain = np.where(runs.faulty, model.delta * (1 + spread * gain_shape), 0.0)
    return base, gain


def _centred(codes: IntArray, rows: BoolArray) -> FloatArray:
    """Spread names evenly over [−1, 1], with mean zero over the rows of the design."""
    levels = int(codes.max())
    shape = 2.0 * codes / levels - 1.0
    shape -= shape[rows].mean()
    return np.asarray(shape / np.abs(shape[rows]).max(), np.float64)
