"""Where the work is done: in this process, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated, NamedTuple

import typer

from engines.catalog import open_engine
from engines.engine import Engine
from engines.options import EngineOptions
from env.errors import UsageError

from .building import Source, lots_of

__all__ = ["Executor", "ExecutorName", "Hands", "Scheduler", "Workers", "hired"]


class Executor(StrEnum):
    """Who builds and computes."""

    HERE = "here"
    DASK = "dask"


class Hands(NamedTuple):
    """What makes the lots of a set, and what opens an engine."""

    source: Source = lots_of
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
def hired(executor: Executor, scheduler: str | None, workers: int | None) -> Iterator[Hands]:
    """Yield the hands of an executor for as long as there is work.

    Raises
    ------
    UsageError
        If the options do not go together, or Dask is not installed.
    """
    if executor is Executor.HERE:
        if scheduler is not None or workers is not None:
            raise UsageError("--scheduler and --workers are for --executor dask; add that.")
        yield Hands()
        return
    if scheduler is not None and workers is not None:
        raise UsageError("A scheduler has its own workers: give --scheduler or --workers.")
    from .scale.building import building_on
    from .scale.cluster import cluster
    from .scale.judging import judging_on

    with cluster(scheduler, workers) as client:
        yield Hands(building_on(client), judging_on(client))
