"""The cluster: the one of a scheduler that runs, or worker processes on this machine."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from faultpair.env.errors import InfrastructureError, UsageError

__all__ = ["Client", "Future", "cluster"]


class Future(Protocol):
    """The result of a task that may still run."""

    def result(self) -> Any: ...


class Client(Protocol):
    """The part of a Dask client that is used; Dask has no types of its own."""

    def submit(self, function: Callable[..., Any], *arguments: object, pure: bool) -> Future: ...

    def cancel(self, futures: Sequence[Future]) -> None: ...

    def nthreads(self) -> dict[str, int]: ...

    def run(
        self,
        function: Callable[..., Any],
        *arguments: object,
        workers: Sequence[str],
        on_error: str,
    ) -> dict[str, Any]: ...


@contextmanager
def cluster(scheduler: str | None = None, workers: int | None = None) -> Iterator[Client]:
    """Yield a client of a scheduler, or of worker processes on this machine, one a core.

    Parameters
    ----------
    scheduler : the address of a running scheduler, such as ``tcp://host:8786``
    workers : the number of processes on this machine, if there is no scheduler
    """
    if find_spec("distributed") is None:
        raise UsageError("Dask is not installed. Install it: pip install 'faultpair[distributed]'")
    with _connected(scheduler) if scheduler is not None else _local(workers) as client:
        yield client


@contextmanager
def _connected(scheduler: str) -> Iterator[Client]:
    dask = import_module("distributed")
    try:
        client = dask.Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise InfrastructureError(
            f"No Dask scheduler can be reached at {scheduler}: {error}. Check that it runs."
        ) from error
    with client:
        yield client


@contextmanager
def _local(workers: int | None) -> Iterator[Client]:
    dask = import_module("distributed")
    processes = dask.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        silence_logs=logging.CRITICAL,  # our own message names a lost worker
    )
    with processes, dask.Client(processes) as client:
        yield client
