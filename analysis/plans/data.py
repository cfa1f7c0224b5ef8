"""The plans of a study: their generators, their scores by the reference, and their grades.

The rows are those of the runs. Scores are computed from the plans and the records, so that
a corrected reference corrects every number that depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from pathlib import Path

import numpy as np

from faultpair.agents.plan_facts import PlanFacts
from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import AnyDomain
from faultpair.env.errors import RecordError, StudyError
from faultpair.env.jsonl import read_records
from faultpair.env.plans.records import PlanInstance, Tier
from faultpair.injector.catalog import BUILT_IN

from ..data.columns import Coded, FloatArray
from ..data.runs import Runs
from ..data.study_data import StudyData
from .alignment.human import HumanRow, PlanName, read_human
from .scores import read_grades, reference_scores
from .settings import PlanSettings

__all__ = ["ORACLE", "Plans", "coded_in", "load_plans", "origin_of"]

ORACLE = "oracle"
"""The generator of the clean plans."""


@dataclass(frozen=True, slots=True)
class Plans:
    """Columns over the runs of a study of plans.

    Attributes
    ----------
    record, tier, topology, origin : Coded, shape (runs,)
        ``origin`` is the generator of a plan: a planner, `ORACLE`, or the fault in it.
    references : mapping from a variant of the reference to float, shape (runs, 4)
    values : float, shape (series, runs, 4)
        The grades of every pass of every judge; NaN where there is none.
    attempts : tuple of PlanFacts
        The results of all requests to the planners, plans and failures.
    """

    record: Coded
    tier: Coded
    topology: Coded
    origin: Coded
    references: dict[str, FloatArray]
    values: FloatArray
    settings: PlanSettings
    attempts: tuple[PlanFacts, ...] = ()
    human: tuple[HumanRow, ...] = ()


def load_plans(folder: Path, study: StudyData, verdicts_file: Path | None = None) -> Plans | None:
    """Read the plans of a study; None of another domain, and where no verdict has scores.

    ``verdicts_file`` is that of the folder if None.

    Raises
    ------
    StudyError
        If a file that belongs to such a study is missing.
    RecordError
        If a record does not fit.
    """
    runs = study.runs
    domain = _domain_of(runs)
    if domain is None:
        return None
    values = read_grades(verdicts_file or folder / "verdicts.jsonl", runs, study.passes)
    if np.isnan(values).all():
        return None
    instances = _read_instances(folder / "instances.jsonl", domain)
    of_run = [instances[runs.instance.name(row) or ""] for row in range(len(runs.ids))]
    names = zip(runs.ids, (instance.instance_id for instance in of_run), strict=True)
    origins = [origin_of(trajectory_id, instance_id) for trajectory_id, instance_id in names]
    settings = PlanSettings.of(folder)
    planners = tuple(planner.id for planner in settings.planners)
    plans = Plans(
        record=coded_in([instance.record_id for instance in of_run]),
        tier=coded_in([str(instance.tier) for instance in of_run], tuple(map(str, Tier))),
        topology=coded_in([instance.difficulty for instance in of_run], domain.scenarios),
        origin=coded_in(origins, (ORACLE, *planners, *BUILT_IN.get(domain.name, ()))),
        references=reference_scores(folder / "trajectories.jsonl", runs, instances, domain),
        values=values,
        settings=settings,
        attempts=_read_attempts(folder / "plans.jsonl", runs) if planners else (),
    )
    return replace(plans, human=_read_people(folder / "human.csv", plans))


def coded_in(values: Sequence[str], first: Iterable[str] = ()) -> Coded:
    """Encode names: those in ``first`` in that order, then the others by the alphabet.

    >>> coded_in(["b", "c", "a"], ("c", "d")).names
    ('c', 'a', 'b')
    """
    present = set(values)
    head = [name for name in dict.fromkeys(first) if name in present]
    names = (*head, *sorted(present.difference(head)))
    place = {name: code for code, name in enumerate(names)}
    return Coded(names, np.fromiter((place[value] for value in values), np.int64, len(values)))


def origin_of(trajectory_id: str, instance_id: str) -> str:
    """Return the generator of a plan: a planner, `ORACLE`, or the fault in it."""
    name = trajectory_id.removeprefix(f"{instance_id}-")
    return ORACLE if name == "clean" else name


def _domain_of(runs: Runs) -> AnyDomain | None:
    """Return the domain of all runs if its runs are plans, None of another or of several."""
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


def _read_attempts(path: Path, runs: Runs) -> tuple[PlanFacts, ...]:
    if not path.is_file():
        raise StudyError(
            f"{path} is missing: models made these plans; it holds the results. Restore it."
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
