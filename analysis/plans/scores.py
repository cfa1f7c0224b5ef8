"""Scores of the plans: by every variant of the programmatic reference, and by the judges."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from faultpair.env.domain import AnyDomain
from faultpair.env.errors import RecordError
from faultpair.env.plans.records import PlanInstance
from faultpair.env.records import Call
from faultpair.judges.plan_metrics.metrics import METRICS
from faultpair.judges.plan_metrics.variants import VARIANTS, GroundTruthPlan

from ..data.columns import FloatArray
from ..data.runs import Runs
from ..data.stream import line_of, read_batches
from ..data.verdicts import Verdicts

__all__ = ["read_grades", "reference_scores", "truth_of"]

Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]


class PlannedStep(msgspec.Struct, gc=False):
    """The part of a step that is read here."""

    call: Call


class PlanRecord(msgspec.Struct, gc=False):
    """The part of a trajectory that is read here."""

    trajectory_id: str
    instance_id: str
    steps: tuple[PlannedStep, ...]


class Grade(msgspec.Struct, gc=False):
    """The part of a grade on one metric that is read here."""

    value: Share


class GradedRecord(msgspec.Struct, gc=False):
    """The part of a verdict on a plan that is read here."""

    trajectory_id: str
    judge_id: str
    sample: int = 0
    repeat: int = 0
    scores: dict[str, Grade] | None = None


def reference_scores(
    path: Path, runs: Runs, instances: Mapping[str, PlanInstance], domain: AnyDomain
) -> dict[str, FloatArray]:
    """Return the four metrics of every plan by every variant, of shape (runs, 4)."""
    place = {name: row for row, name in enumerate(runs.ids)}
    truths: dict[str, GroundTruthPlan] = {}
    scores = {name: np.full((len(runs.ids), len(METRICS)), np.nan) for name in VARIANTS}
    for batch in read_batches(path, PlanRecord):
        for record in batch:
            if record.instance_id not in truths:
                truths[record.instance_id] = truth_of(domain, instances[record.instance_id])
            calls = [step.call for step in record.steps]
            for name, score in VARIANTS.items():
                values = score(calls, truths[record.instance_id]).values
                scores[name][place[record.trajectory_id]] = values
    return scores


def read_grades(path: Path, runs: Runs, verdicts: Verdicts) -> FloatArray:
    """Return the grades of every series, of shape (series, runs, 4); NaN where there is none.

    Raises
    ------
    RecordError
        If a verdict grades other metrics than the four.
    """
    place = {name: row for row, name in enumerate(runs.ids)}
    series = {
        (one.judge_id, one.sample, one.repeat): row for row, one in enumerate(verdicts.series)
    }
    values = np.full((len(series), len(runs.ids), len(METRICS)), np.nan)
    done = 0
    for batch in read_batches(path, GradedRecord):
        for number, verdict in enumerate(batch, start=done):
            if verdict.scores is None:
                continue
            if sorted(verdict.scores) != sorted(METRICS):
                graded = ", ".join(verdict.scores) or "nothing"
                raise RecordError(
                    f"{path}, line {line_of(path, number)}: field scores: it grades {graded}; "
                    f"expected {', '.join(METRICS)}."
                )
            row = series[verdict.judge_id, verdict.sample, verdict.repeat]
            four = [verdict.scores[metric].value for metric in METRICS]
            values[row, place[verdict.trajectory_id]] = four
        done += len(batch)
    return values


def truth_of(domain: AnyDomain, instance: PlanInstance) -> GroundTruthPlan:
    """Return the ground truth of a request, with the equivalent tools of its domain."""
    canonical = domain.plans.canonical(instance) if domain.plans else {}
    return GroundTruthPlan.of_instance(instance, canonical)
