"""`faultpair power`: the precision that a study can reach, and the calls that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from faultpair.analysis.data.study_data import read_runs, read_scenarios
from faultpair.analysis.stats.planned_judge import Answers, PlannedJudge
from faultpair.analysis.tables.power import Aim, calls_table, contrast_power_table, power_table
from faultpair.analysis.tables.table import Table
from faultpair.runner.panel import panel_of
from faultpair.sets.build import Progress, built_set
from faultpair.studies.folder import StudyFolder, open_study

from .display.judge_loads import loads_of
from .display.progress import counting
from .display.sealed_study import check_design
from .display.table_layout import marked_tables, show_tables
from .display.terminal import AcceptEdits, StudyPath, require

__all__ = ["command", "power_tables"]


def command(
    study: StudyPath,
    base_rates: Annotated[
        list[float] | None,
        typer.Option(
            "--base-rate",
            help="Assumed share of clean runs that a judge flags, 0.05 if not given; "
            "may be given again.",
        ),
    ] = None,
    half_width: Annotated[
        float, typer.Option(help="The half-width that is wanted of an interval of Δ.")
    ] = 0.05,
    delta: Annotated[
        float, typer.Option(help="The Δ at which half-widths are given; widest near 0.5.")
    ] = 0.5,
    floor: Annotated[
        float | None, typer.Option(help="A Δ that a judge is to be shown to be above.")
    ] = None,
    abstain: Annotated[
        float, typer.Option(help="Assumed share of runs that a judge leaves unscored.")
    ] = 0.0,
    answers: Annotated[
        Answers,
        typer.Option(help="How a judge's verdicts on the runs of one instance go together."),
    ] = Answers.ONE,
    accept_edits: AcceptEdits = False,
) -> None:
    """Compute what a study can show, and how many calls it takes, before a judge is asked."""
    folder, rates = replace(open_study(study), accepts_edits=accept_edits), base_rates or [0.05]
    mark = check_design(folder)
    with counting("trajectories") as progress:
        judges = [PlannedJudge(rate, answers, abstain) for rate in rates]
        tables = power_tables(folder, progress, judges=judges, aim=Aim(half_width, delta, floor))
    show_tables(marked_tables(tables, mark))


def power_tables(
    folder: StudyFolder,
    progress: Progress | None = None,
    *,
    judges: Sequence[PlannedJudge],
    aim: Aim,
) -> list[Table]:
    """Return tables of power for every judge planned for, and the requests of the study's judges.

    The set is that of the study file as it is now, built for this if the folder holds
    another one. A half-width is given at ``aim.delta``, or at the largest Δ that a base rate
    allows.
    """
    share = "from 0 to less than 1"
    for judge in judges:
        rate, silent = judge.base_rate, judge.abstains
        require("--base-rate", rate, share, holds=0 <= rate < 1)
        require("--abstain", silent, share, holds=0 <= silent < 1)
    width, delta, floor = aim.half_width, aim.delta, aim.floor
    require("--half-width", width, "above 0 and at most 1", holds=0 < width <= 1)
    require("--delta", delta, "from 0 to 1", holds=0 <= delta <= 1)
    if floor is not None:
        require("--floor", floor, "above -1 and below 1", holds=-1 < floor < 1)
    study, name = folder.study, folder.file.resolve().parent.name
    panel = panel_of(study)
    with built_set(folder, progress) as made:
        runs = read_runs([made.trajectories], read_scenarios(made.instances))
        loads = loads_of(panel, made)
    tables: list[Table] = []
    for judge in judges:
        tables.append(power_table(name, runs, judge, aim))
        if study.contrasts:
            tables.append(contrast_power_table(name, runs, study.contrasts, judge))
    return [*tables, *([calls_table(name, loads)] if loads else [])]
