"""`faultpair power`: the precision that a study can reach, and the calls that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from faultpair.analysis.data.study_data import read_runs, read_scenarios
from faultpair.analysis.tables.power import calls_table, power_table
from faultpair.analysis.tables.table import Table
from faultpair.env.errors import UsageError
from faultpair.runner.panel import panel_of
from faultpair.sets.build import Progress, built_set
from faultpair.studies.folder import StudyFolder, open_study

from .display.judge_loads import loads_of
from .display.progress import counting
from .display.sealed import check_design
from .display.table_layout import marked_tables, show_tables
from .display.terminal import AcceptEdits, StudyPath

__all__ = ["command", "power_tables"]

INSIDE_OTHERS = ("policy=", "variant=")
"""Groups inside a cell or a type, too small to plan for."""


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
    accept_edits: AcceptEdits = False,
) -> None:
    """Compute what a study can show, and how many calls it takes, before a judge is asked."""
    folder, rates = replace(open_study(study), accepts_edits=accept_edits), base_rates or [0.05]
    mark = check_design(folder)
    with counting("trajectories") as progress:
        tables = power_tables(
            folder, progress, base_rates=rates, half_width=half_width, delta=delta
        )
    show_tables(marked_tables(tables, mark))


def power_tables(
    folder: StudyFolder,
    progress: Progress | None = None,
    *,
    base_rates: Sequence[float],
    half_width: float,
    delta: float,
) -> list[Table]:
    """Return a table of power for every base rate, and the requests of the study's judges.

    The set is that of the study file as it is now, built for this if the folder holds
    another one. A half-width is given at ``delta``, or at the largest Δ that a base rate
    allows.
    """
    for rate in base_rates:
        _require(0 <= rate < 1, "--base-rate", "from 0 to less than 1", rate)
    _require(0 < half_width <= 1, "--half-width", "above 0 and at most 1", half_width)
    _require(0 <= delta <= 1, "--delta", "from 0 to 1", delta)
    study, name = folder.study, folder.file.resolve().parent.name
    panel = panel_of(study)
    with built_set(folder, progress) as made:
        runs = read_runs([made.trajectories], read_scenarios(made.instances))
        loads = loads_of(panel, made)
    tables = [
        power_table(name, runs, base_rate=rate, wanted=half_width, delta=min(delta, 1 - rate))
        for rate in base_rates
    ]
    return [*map(_brief, tables), *([calls_table(name, loads)] if loads else [])]


def _require(holds: bool, option: str, expected: str, value: float) -> None:
    if not holds:
        raise UsageError(f"{option} must be {expected}; it is {value:g}.")


def _brief(table: Table) -> Table:
    rows = (row for row in table.rows if not str(row[0]).startswith(INSIDE_OTHERS))
    return replace(table, rows=tuple(rows))
