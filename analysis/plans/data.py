"""The plans of a study: who made each, what the references say of it, and its grades.

The rows are those of the runs. References are worked out from the plans and the
records, so that a reference that was mended mends every number that rests on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from faultpair.agents.plan_facts import PlanFacts
from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import AnyDomain
from faultpair.env.errors import RecordError, StudyError
from faultpair.env.jsonl import read_records
from faultpair.env.plans.records import PlanInstance, Tier
from faultpair.env.records import Call
from faultpair.injector.catalog import BUILT_IN
from faultpair.judges.plan_metrics.metrics import METRICS
from faultpair.judges.plan_metrics.variants import VARIANTS, Truth

from ..data.columns import Coded, FloatArray
from ..data.runs import Runs
from ..data.stream import line_of, read_batches
from ..data.verdicts import Verdicts
from .alignment.human import HumanRow, PlanName, read_human
from .settings import Cast

__all__ = ["ORACLE", "Plans", "coded_in", "load_plans", "origin_of"]

ORACLE = "oracle"
"""Who made the clean plans."""

Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]


class PlannedStep(msgspec.Struct, gc=False):
    """What is read of a step."""

    call: Call


class PlanRecord(msgspec.Struct, gc=False):
    """What is read of a trajectory that is a plan."""

    trajectory_id: str
    instance_id: str
    steps: tuple[PlannedStep, ...]


class Grade(msgspec.Struct, gc=False):
    """What is read of a grade on one metric."""

    value: Share


class GradedRecord(msgspec.Struct, gc=False):
    """What is read of a verdict on a plan."""

    trajectory_id: str
    judge_id: str
    sample: int = 0
    repeat: int = 0
    scores: dict[str, Grade] | None = None


@dataclass(frozen=True, slots=True)
class Plans:
    """Columns over the runs of a study of plans.

    Attributes
    ----------
    record, tier, topology, origin : Coded, shape (runs,)
        ``origin`` is who made a plan: a planner, `ORACLE`, or the fault that is in it.
    references : mapping from a variant of the reference to float, shape (runs, 4)
    values : float, shape (series, runs, 4)
        The grades of every pass of every judge; NaN where there is none.
    attempts : tuple of PlanFacts
        What came of asking the planners, plans and failures alike.
    """

    record: Coded
    tier: Coded
    topology: Coded
    origin: Coded
    references: dict[str, FloatArray]
    values: FloatArray
    cast: Cast
    attempts: tuple[PlanFacts, ...] = ()
    human: tuple[HumanRow, ...] = ()


def load_plans(folder: Path, cast: Cast, runs: Runs, verdicts: Verdicts) -> Plans | None:
    """Read the plans of a study; None of another domain, and where no verdict has scores.

    Raises
    ------
    StudyError
        If a file that belongs to such a study is missing.
    RecordError
        If a record does not fit.
    """
    domain = _domain_of(runs)
    if domain is None:
        return None
    values = _read_values(folder / "verdicts.jsonl", runs, verdicts)
    if np.isnan(values).all():
        return None
    instances = _read_instances(folder / "instances.jsonl", domain)
    of_run = [instances[runs.instance.name(row) or ""] for row in range(len(runs.ids))]
    names = zip(runs.ids, (instance.instance_id for instance in of_run), strict=True)
    origins = [origin_of(trajectory_id, instance_id) for trajectory_id, instance_id in names]
    planners = tuple(planner.id for planner in cast.planners)
    plans = Plans(
        coded_in([instance.record_id for instance in of_run]),
        coded_in([str(instance.tier) for instance in of_run], tuple(map(str, Tier))),
        coded_in([instance.difficulty for instance in of_run], domain.scenarios),
        coded_in(origins, (ORACLE, *planners, *BUILT_IN.get(domain.name, ()))),
        _references(folder / "trajectories.jsonl", runs, instances, domain),
        values,
        cast,
        _read_attempts(folder / "plans.jsonl", runs) if planners else (),
    )
    return replace(plans, human=_read_people(folder / "human.csv", plans))


def coded_in(values: Sequence[str], first: Iterable[str] = ()) -> Coded:
    """Give names their codes: those that are asked for first, then others by the alphabet.

    >>> coded_in(["b", "c", "a"], ("c", "d")).names
    ('c', 'a', 'b')
    """
    present = set(values)
    head = [name for name in dict.fromkeys(first) if name in present]
    names = (*head, *sorted(present.difference(head)))
    place = {name: code for code, name in enumerate(names)}
    return Coded(names, np.fromiter((place[value] for value in values), np.int64, len(values)))


def origin_of(trajectory_id: str, instance_id: str) -> str:
    """Return who made a plan: a planner, `ORACLE`, or the fault that is in it."""
    name = trajectory_id.removeprefix(f"{instance_id}-")
    return ORACLE if name == "clean" else name


def _domain_of(runs: Runs) -> AnyDomain | None:
    """Return the domain of plans that all runs are of, None if there is none."""
    names = runs.domain.names
    if len(names) != 1 or names[0] not in DOMAINS:
        return None
    domain = DOMAINS[names[0]]
    return None if domain.plans is None else domain


def _read_instances(path: Path, domain: AnyDomain) -> dict[str, PlanInstance]:
    if not path.is_file():
        raise StudyError(
            f"{path} is missing: plans are held against the records in it. Restore it."
        )
    return {one.instance_id: one for one in read_records(path, domain.instance_type)}


def _references(
    path: Path, runs: Runs, instances: dict[str, PlanInstance], domain: AnyDomain
) -> dict[str, FloatArray]:
    """Score every plan by every variant of the reference."""
    place = {name: row for row, name in enumerate(runs.ids)}
    truths: dict[str, Truth] = {}
    found = {name: np.full((len(runs.ids), len(METRICS)), np.nan) for name in VARIANTS}
    for batch in read_batches(path, PlanRecord):
        for record in batch:
            instance = instances[record.instance_id]
            if record.instance_id not in truths:
                canonical = domain.plans.canonical(instance) if domain.plans else {}
                truths[record.instance_id] = Truth.of_instance(instance, canonical)
            calls = [step.call for step in record.steps]
            for name, score in VARIANTS.items():
                values = score(calls, truths[record.instance_id]).values
                found[name][place[record.trajectory_id]] = values
    return found


def _read_values(path: Path, runs: Runs, verdicts: Verdicts) -> FloatArray:
    """Return the grades of every series.

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


def _read_attempts(path: Path, runs: Runs) -> tuple[PlanFacts, ...]:
    if not path.is_file():
        raise StudyError(
            f"{path} is missing: models made these plans, and it tells how. Restore it."
        )
    attempts = tuple(read_records(path, PlanFacts))
    planned = {facts.trajectory_id for facts in attempts if facts.attrition is None}
    if planned != set(runs.ids):
        raise RecordError(
            f"{path} is not about the {len(runs.ids)} plans of the study. Restore it."
        )
    return attempts


def _read_people(path: Path, plans: Plans) -> tuple[HumanRow, ...]:
    if not path.is_file():
        return ()
    columns = (plans.record, plans.origin, plans.tier, plans.topology)
    names = zip(*([one.names[code] for code in one.codes] for one in columns), strict=True)
    known = dict(zip(starmap(PlanName, names), plans.references["printed"].tolist(), strict=True))
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            return read_human(lines, str(path), known)
    except UnicodeDecodeError as error:
        raise RecordError(f"{path} is not UTF-8 text; save it as such.") from error
