"""An engine whose every request is computed on a worker of a cluster.

Calls are no tasks of Dask's: it would make a lost one again without a word. Here a
call on a worker that dies is a failed attempt, which is kept and counted before
the request is made again elsewhere.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from faultpair.distributed import worker
from faultpair.engines.catalog import open_engine, provider_of
from faultpair.engines.engine import Engine, Identity, Reply, Request
from faultpair.engines.options import EngineOptions
from faultpair.env.errors import EngineError

from .cluster import Client

__all__ = ["judging_on"]

COMPUTE = ("scripted", "local", "python", "replay")
"""Providers that compute where they are opened; all others only wait for somebody else."""

T = TypeVar("T")


def judging_on(client: Client) -> Callable[[str, EngineOptions], Engine]:
    """Return what opens engines on the workers of a cluster, those at least that compute."""

    def open_there(name: str, options: EngineOptions) -> Engine:
        if provider_of(name) in COMPUTE:
            return _ClusterEngine(client, name, options)
        return open_engine(name, options)

    return open_there


class _ClusterEngine:
    """One engine on each worker, all of them the same; the least busy one is asked."""

    def __init__(self, client: Client, name: str, options: EngineOptions) -> None:
        self.name = name
        self._client = client
        # How many are underway in all is the runner's affair, not that of each worker.
        self._options = EngineOptions(
            context_tokens=options.context_tokens,
            timeout_s=options.timeout_s,
            threads=options.threads,
        )
        self._busy: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._facts: worker.Facts | None = None

    @property
    def max_parallel(self) -> int:
        return self._known().max_parallel * len(self._workers())

    def identify(self) -> Identity:
        return self._known().identity

    def context_tokens(self) -> int | None:
        return self._known().room

    def count_tokens(self, request: Request) -> int | None:
        return self._ask(worker.n_tokens, request)

    def complete(self, request: Request) -> Reply:
        answer = self._ask(worker.answer, request)
        if answer.identity != self._known().identity:
            raise EngineError(
                f"The workers have different engines: one answers as {answer.identity}, another "
                f"as {self._known().identity}. Give all of them the same versions and files."
            )
        return answer.reply

    def close(self) -> None:
        """Do nothing; engines go with the workers that hold them."""

    def _known(self) -> worker.Facts:
        if self._facts is None:
            self._facts = self._ask(worker.facts)
        return self._facts

    def _ask(self, job: Callable[..., Coroutine[Any, Any, T]], *what: object) -> T:
        with self._least_busy() as address:
            try:
                came: dict[str, T] = self._client.run(
                    job, self.name, self._options, *what, workers=[address], on_error="raise"
                )
            except (OSError, TimeoutError) as error:
                raise EngineError(
                    f"The worker {address} was lost while it computed "
                    f"({type(error).__name__}: {error}).",
                    transient=True,
                ) from error
        return came[address]

    @contextmanager
    def _least_busy(self) -> Iterator[str]:
        with self._lock:
            # In the order of their addresses, so that a cluster of one is no special case.
            address = min(sorted(self._workers()), key=self._busy.__getitem__)
            self._busy[address] += 1
        try:
            yield address
        finally:
            with self._lock:
                self._busy[address] -= 1

    def _workers(self) -> list[str]:
        try:
            found = list(self._client.nthreads())
        except (OSError, TimeoutError) as error:
            raise EngineError(f"The Dask scheduler is gone: {error}.") from error
        if not found:
            raise EngineError("The cluster has no worker just now.", transient=True)
        return found
