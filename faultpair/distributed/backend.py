"""Where the work is done: in this process, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated, NamedTuple

import typer

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import Engine
from faultpair.engines.options import EngineOptions
from faultpair.env.errors import UsageError
from faultpair.sets.build import SetSource, runs_by_instance

__all__ = ["Backend", "Executor", "ExecutorName", "Scheduler", "Workers", "open_backend"]


class Executor(StrEnum):
    """Who builds and computes."""

    HERE = "here"
    DASK = "dask"


class Backend(NamedTuple):
    """What makes the lots of a set, and what opens an engine."""

    source: SetSource = runs_by_instance
    open: Callable[[str, EngineOptions], Engine] = open_engine


ExecutorName = Annotated[
    Executor, typer.Option("--executor", help="Build and compute in this process, or with Dask.")
]
Scheduler = Annotated[
    str | None, typer.Option(help="A Dask scheduler that runs, such as tcp://host:8786.")
]
Workers = Annotated[
    int | None, typer.Option(help="Dask processes on this machine; one a core.", min=1)
]


@contextmanager
def open_backend(
    executor: Executor, scheduler: str | None, workers: int | None
) -> Iterator[Backend]:
    """Yield the hands of an executor for as long as there is work.

    Raises
    ------
    UsageError
        If the options do not go together, or Dask is not installed.
    """
    if executor is Executor.HERE:
        if scheduler is not None or workers is not None:
            raise UsageError("--scheduler and --workers are for --executor dask; add that.")
        yield Backend()
        return
    if scheduler is not None and workers is not None:
        raise UsageError("A scheduler has its own workers: give --scheduler or --workers.")
    from .build import building_on
    from .cluster import cluster
    from .engine import judging_on

    with cluster(scheduler, workers) as client:
        yield Backend(building_on(client), judging_on(client))
