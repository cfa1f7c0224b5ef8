"""`faultpair build`: make the set of a study."""

from __future__ import annotations

from typing import Annotated

import typer

from faultpair.distributed.backend import Executor, open_backend
from faultpair.runner.panel import panel_of
from faultpair.sets.build import build_from
from faultpair.studies.folder import open_study
from faultpair.studies.lock import held

from .display.progress import counting
from .display.terminal import OutFolder, StudyPath, console, say_world

__all__ = ["ExecutorName", "Scheduler", "Workers", "command"]

ExecutorName = Annotated[
    Executor, typer.Option("--executor", help="Build and compute in this process, or with Dask.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(help="The address of a running Dask scheduler, such as tcp://host:8786."),
]
Workers = Annotated[
    int | None,
    typer.Option(help="Dask processes on this machine; one for each core if not given.", min=1),
]


def command(
    study: StudyPath,
    out: OutFolder = None,
    executor: ExecutorName = Executor.HERE,
    scheduler: Scheduler = None,
    workers: Workers = None,
) -> None:
    """Build a study's set: clean runs, planted faults, controls, in one fixed order."""
    folder = open_study(study, out)
    panel_of(folder.study)  # its judges are refused before the work, not after
    with (
        open_backend(executor, scheduler, workers) as backend,
        held(folder.out),
        counting("trajectories") as progress,
    ):
        report = build_from(backend.source, folder, progress)
    console.print(
        f"{report.n_trajectories} trajectories of {report.n_instances} instances "
        f"in {folder.trajectories}",
        soft_wrap=True,
    )
    say_world(folder.study)
