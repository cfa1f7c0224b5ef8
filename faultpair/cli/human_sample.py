"""A sample of plans for people to read, as a table that a spreadsheet shows and they fill in."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import partial
from io import StringIO
from pathlib import Path

from faultpair.analysis.plans.alignment.human import HEADING, PlanName, Sample, sampled
from faultpair.analysis.plans.data import origin_of
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError, UsageError
from faultpair.env.plans.page import tool_line
from faultpair.env.plans.records import PlanInstance, Tier
from faultpair.env.records import Trajectory
from faultpair.judges.plan_metrics.metrics import score
from faultpair.judges.plans.page import numbered
from faultpair.studies.files import write_text
from faultpair.studies.folder import StudyFolder
from faultpair.studies.runs import read_runs

__all__ = ["COLUMNS", "sample_of", "write_sample"]

SHOWN = ("request", "tools", "reference_plan", "plan")
"""What a reader needs beside the values, which no program reads again."""

_N_NAMES = len(PlanName._fields)
COLUMNS = (*HEADING[:_N_NAMES], *SHOWN, *HEADING[_N_NAMES:])

BOM = "\ufeff"
"""Tells spreadsheets that the text is UTF-8; some take it for something else without."""

Plans = dict[PlanName, tuple[Trajectory, PlanInstance]]


def sample_of(folder: StudyFolder, tier: Tier | None = None) -> Sample:
    """Draw plans of a set, judged or not, of its hardest tier unless another is named.

    Raises
    ------
    StudyError
        If the study is not one of plans.
    UsageError
        If there is no set, or no plan of this tier in it.
    RecordError
        If a record does not fit.
    """
    chosen = tier or max(folder.study.tiers, key=list(Tier).index)
    plans = _plans(folder, chosen)
    # The reference needs no judge: a plan and the record that it is about are enough.
    values = {
        name: score([step.call for step in run.steps], instance.plan).values
        for name, (run, instance) in plans.items()
    }
    sample = sampled(values, folder.study.seed, chosen)
    rows = {name: row | _shown(*plans[name]) for name, row in sample.rows.items()}
    return Sample(rows, sample.shortfalls)


def write_sample(path: Path, sample: Sample, *, force: bool = False) -> None:
    """Write a sample as a table that is to be filled in.

    Raises
    ------
    UsageError
        If the file is there; people may have filled it in.
    InfrastructureError
        If it cannot be written.
    """
    if path.exists() and not force:
        raise UsageError(
            f"{path} is there, and may be filled in. Name another file with --out, or write over "
            "it with --force."
        )
    text = StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(sample.rows.values())
    write_text(path, BOM + text.getvalue())


def _plans(folder: StudyFolder, tier: Tier) -> Plans:
    """Return the plans of a tier by topology, then by name."""
    domain = DOMAINS[folder.study.domain]
    if domain.plans is None:
        raise StudyError(
            f"{folder.file} is of the domain {domain.name}, which has no plans; a sample for "
            "people is made of plans."
        )
    for file in (folder.trajectories, folder.instances):
        if not file.is_file():
            raise UsageError(
                f"There is no {file}. Make the set first, or name the folder that holds it with "
                "--records."
            )
    found = dict(_named(folder, tier))
    if not found:
        raise UsageError(
            f"{folder.trajectories} holds no plan at tier {tier}. The study has the tiers "
            f"{', '.join(folder.study.tiers)}."
        )
    return {name: found[name] for name in sorted(found, key=partial(_rank, domain.scenarios))}


def _rank(topologies: tuple[str, ...], name: PlanName) -> tuple[int, PlanName]:
    is_known = name.topology in topologies
    return topologies.index(name.topology) if is_known else len(topologies), name


def _named(
    folder: StudyFolder, tier: Tier
) -> Iterator[tuple[PlanName, tuple[Trajectory, PlanInstance]]]:
    for run, instance in read_runs(folder.trajectories, folder.instances):
        if isinstance(instance, PlanInstance) and instance.tier == tier:
            origin = origin_of(run.trajectory_id, instance.instance_id)
            name = PlanName(instance.record_id, origin, str(tier), instance.difficulty)
            yield name, (run, instance)


def _shown(run: Trajectory, instance: PlanInstance) -> dict[str, str]:
    calls = (step.call for step in run.steps)
    return {
        "request": instance.goal,
        "tools": "\n".join(map(tool_line, instance.tools)),
        "reference_plan": "\n".join(numbered(instance.plan)),
        "plan": "\n".join(numbered(calls)),
    }
