"""`faultpair human-sample`: plans for people to read and grade, as a table for a spreadsheet."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from faultpair.analysis.output.human_sheet import sheet
from faultpair.analysis.plans.alignment.human import PlanName, Sample, sampled
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError, UsageError
from faultpair.env.plans.records import Tier
from faultpair.studies.files import write_text
from faultpair.studies.folder import StudyFolder, open_study
from faultpair.studies.overwriting import refuse_to_overwrite

from .display.sampled_plans import SampledPlan, named_plans
from .display.sealed_study import check_study
from .display.terminal import AcceptEdits, StudyPath, console, errors

__all__ = ["command"]


def command(
    study: StudyPath,
    tier: Annotated[
        Tier | None, typer.Option(help="Tier of the requests; the hardest if not given.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The file to write; human-sample.csv beside the records if not given."),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(help="The folder that holds the set; that of the study if not given."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    accept_edits: AcceptEdits = False,
) -> None:
    """Draw plans for human review, as a table to fill in."""
    folder = replace(open_study(study, records), accepts_edits=accept_edits)
    mark = check_study(folder)
    file = out or folder.out / "human-sample.csv"
    inputs = (folder.file, folder.trajectories, folder.instances)
    refuse_to_overwrite(file, force=force, inputs=inputs, may_hold="grades")
    sample = _sample_of(folder, tier)
    for row in sample.rows.values() if mark else ():
        row["request"] = f"[{mark}] {row['request']}"
    _write_sample(file, sample)
    for shortfall in sample.shortfalls:
        errors.print(shortfall, highlight=False)
    console.print(f"{len(sample.rows)} plans in {file}", highlight=False, soft_wrap=True)


def _sample_of(folder: StudyFolder, tier: Tier | None) -> Sample:
    """Draw plans of a tier, the hardest if none is given; no judge has to have graded them."""
    chosen = tier or max(folder.study.tiers, key=list(Tier).index)
    plans = _plans(folder, chosen)
    values = {name: plan.values for name, plan in plans.items()}
    sample = sampled(values, folder.study.seed, chosen)
    rows = {name: row | plans[name].cells for name, row in sample.rows.items()}
    return Sample(rows, sample.shortfalls)


def _write_sample(path: Path, sample: Sample) -> None:
    """Write a sample as a table with empty cells for the grades."""
    write_text(path, sheet(sample.rows.values()))


def _plans(folder: StudyFolder, tier: Tier) -> dict[PlanName, SampledPlan]:
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
    plans = dict(named_plans(folder, tier))
    if not plans:
        raise UsageError(
            f"{folder.trajectories} holds no plan at tier {tier}. The study has the tiers "
            f"{', '.join(folder.study.tiers)}."
        )
    return {name: plans[name] for name in sorted(plans, key=partial(_rank, domain.scenarios))}


def _rank(topologies: tuple[str, ...], name: PlanName) -> tuple[int, PlanName]:
    is_known = name.topology in topologies
    return topologies.index(name.topology) if is_known else len(topologies), name
