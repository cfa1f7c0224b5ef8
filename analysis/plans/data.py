"""The plans of a study: their generators, their scores by the reference, and their grades.

The rows are those of the runs. Scores are computed from the plans and the records, so that
a corrected reference corrects every number that depends on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import starmap
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

import numpy as np

from faultpair.agents.plan_facts import PlanFacts
from faultpair.env.errors import RecordError, StudyError
from faultpair.env.jsonl import read_records
from faultpair.env.plans.records import PlanInstance, Tier
from faultpair.injector.catalog import BUILT_IN
from faultpair.studies.manifest import MANIFEST

from ..data.columns import Coded, FloatArray, encode
from ..data.runs import Runs
from ..data.study_data import StudyData
from .alignment.human import HumanRow, PlanName, read_human
from .scores import read_grades, reference_scores

if TYPE_CHECKING:
    from .settings import PlanSettings

__all__ = ["Plans", "load_plans", "origin_of"]

SETTINGS = "faultpair.analysis.plans.settings:PlanSettings"
"""Imported for a study of plans alone: the schema of a study file takes a tenth of a second."""

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
    runs, domain = study.runs, study.runs.only_domain()
    if domain is None or domain.plans is None:
        return None
    values = read_grades(verdicts_file or folder / "verdicts.jsonl", runs, study.passes)
    if np.isnan(values).all():
        return None
    records = read_records(_existing(folder / "instances.jsonl"), domain.instance_type)
    instances: dict[str, PlanInstance] = {record.instance_id: record for record in records}
    of_run = [instances[name] for name in runs.instance.texts()]
    origins = list(map(origin_of, runs.ids, runs.instance.texts()))
    settings: PlanSettings = resolve_name(SETTINGS).of(
        folder, accept_edits=MANIFEST in study.edited
    )
    planners = tuple(planner.id for planner in settings.planners)
    plans = Plans(
        record=encode([instance.record_id for instance in of_run]),
        tier=encode([str(instance.tier) for instance in of_run], tuple(map(str, Tier))),
        topology=encode([instance.difficulty for instance in of_run], domain.scenarios),
        origin=encode(origins, (ORACLE, *planners, *BUILT_IN.get(domain.name, ()))),
        references=reference_scores(folder / "trajectories.jsonl", runs, instances, domain),
        values=values,
        settings=settings,
        attempts=_read_attempts(folder / "plans.jsonl", runs) if planners else (),
    )
    return replace(plans, human=_read_people(folder / "human.csv", plans))


def origin_of(trajectory_id: str, instance_id: str) -> str:
    """Return the generator of a plan: a planner, `ORACLE`, or the fault in it."""
    name = trajectory_id.removeprefix(f"{instance_id}-")
    return ORACLE if name == "clean" else name


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise StudyError(f"{path} is missing: the numbers of plans need it. Restore it.")
    return path


def _read_attempts(path: Path, runs: Runs) -> tuple[PlanFacts, ...]:
    attempts = tuple(read_records(_existing(path), PlanFacts))
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
    names = zip(*(column.texts() for column in columns), strict=True)
    known = dict(zip(starmap(PlanName, names), plans.references["printed"].tolist(), strict=True))
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            return read_human(lines, str(path), known)
    except UnicodeDecodeError as error:
        raise RecordError(f"{path} is not UTF-8 text; save it as such.") from error
