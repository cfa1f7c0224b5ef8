"""`faultpair human-sample`: plans for people to read and grade, as a table for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from faultpair.analysis.output.human_sheet import plan_cells, sheet
from faultpair.analysis.plans.alignment.human import PlanName, Sample, sampled
from faultpair.analysis.plans.data import origin_of
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError, UsageError
from faultpair.env.plans.records import PlanInstance, Tier
from faultpair.judges.plan_metrics.metrics import score
from faultpair.studies.files import write_text
from faultpair.studies.folder import StudyFolder, open_study
from faultpair.studies.runs import read_runs

from .display.terminal import StudyPath, console, errors

__all__ = ["command"]


class _Plan(NamedTuple):
    """The programmatic values of a plan, and the cells that show it."""

    values: Sequence[float]
    cells: dict[str, str]


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
) -> None:
    """Draw plans for human review, as a table to fill in."""
    folder = open_study(study, records)
    file = out or folder.out / "human-sample.csv"
    sample = _sample_of(folder, tier)
    _write_sample(file, sample, force=force)
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


def _write_sample(path: Path, sample: Sample, *, force: bool) -> None:
    """Write a sample as a table with empty cells for the grades."""
    if path.exists() and not force:
        raise UsageError(
            f"{path} exists, and may hold grades. Name another file with --out, or overwrite it "
            "with --force."
        )
    write_text(path, sheet(sample.rows.values()))


def _plans(folder: StudyFolder, tier: Tier) -> dict[PlanName, _Plan]:
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
    plans = dict(_named(folder, tier))
    if not plans:
        raise UsageError(
            f"{folder.trajectories} holds no plan at tier {tier}. The study has the tiers "
            f"{', '.join(folder.study.tiers)}."
        )
    return {name: plans[name] for name in sorted(plans, key=partial(_rank, domain.scenarios))}


def _rank(topologies: tuple[str, ...], name: PlanName) -> tuple[int, PlanName]:
    is_known = name.topology in topologies
    return topologies.index(name.topology) if is_known else len(topologies), name


def _named(folder: StudyFolder, tier: Tier) -> Iterator[tuple[PlanName, _Plan]]:
    for run, instance in read_runs(folder.trajectories, folder.instances):
        if isinstance(instance, PlanInstance) and instance.tier == tier:
            origin = origin_of(run.trajectory_id, instance.instance_id)
            name = PlanName(instance.record_id, origin, str(tier), instance.difficulty)
            values = score(run.calls, instance.plan).values
            yield name, _Plan(values, plan_cells(instance, run.calls))
