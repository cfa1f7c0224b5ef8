"""The cluster that work goes to: one that is there, or one of processes of this machine."""

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
    """A result that is being made."""

    def result(self) -> Any: ...


class Client(Protocol):
    """What is used of a Dask client, which has no types of its own."""

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
    """Yield a client of a scheduler, or of as many worker processes here as there are cores.

    Parameters
    ----------
    scheduler : the address of a scheduler that runs, such as ``tcp://host:8786``
    workers : the number of processes, where none runs

    Raises
    ------
    UsageError
        If the extra ``distributed`` is not installed.
    InfrastructureError
        If the scheduler cannot be reached.
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
            f"No Dask scheduler can be reached at {scheduler}: {error}. See whether it runs."
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
        silence_logs=logging.CRITICAL,  # a worker that is lost is told of in our words
    )
    with processes, dask.Client(processes) as client:
        yield client
