"""Where runs are made and engines compute: in this process, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import NamedTuple

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import Engine, EngineOptions
from faultpair.env.errors import UsageError
from faultpair.sets.build import SetSource, runs_by_instance

from .build import building_on
from .cluster import cluster
from .engine import judging_on

__all__ = ["Executor", "open_backend"]


class Executor(StrEnum):
    """Where runs are made and engines compute: in this process, or on a Dask cluster."""

    HERE = "here"
    DASK = "dask"


class Backend(NamedTuple):
    """The source of a set, and the function that opens an engine."""

    source: SetSource = runs_by_instance
    open: Callable[[str, EngineOptions], Engine] = open_engine


@contextmanager
def open_backend(
    executor: Executor, scheduler: str | None, workers: int | None
) -> Iterator[Backend]:
    """Yield the backend of an executor; a cluster is closed at the end."""
    if executor is Executor.HERE:
        if scheduler is not None or workers is not None:
            raise UsageError("--scheduler and --workers are for --executor dask; add that.")
        yield Backend()
        return
    if scheduler is not None and workers is not None:
        raise UsageError("A scheduler has its own workers: give --scheduler or --workers.")
    with cluster(scheduler, workers) as client:
        yield Backend(building_on(client), judging_on(client))
