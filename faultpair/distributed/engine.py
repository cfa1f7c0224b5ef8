"""An engine that computes each request on a worker of a cluster.

A call is not a task of Dask, which would repeat a lost task silently. Here a call on a
worker that dies is a failed attempt: it is kept and counted, and the request is repeated
on another worker.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pkgutil import resolve_name
from typing import Any, TypeVar

from faultpair.distributed import worker
from faultpair.engines.catalog import open_engine, provider_of
from faultpair.engines.engine import Engine, EngineOptions, Identity, Reply, Request
from faultpair.env.errors import EngineError

from .cluster import Client

__all__ = ["judging_on"]

LOCAL_PROVIDERS = ("scripted", "local", "python", "replay")
"""Providers that compute in the process that opens them; all others wait for a server."""

T = TypeVar("T")


def judging_on(client: Client) -> Callable[[str, EngineOptions], Engine]:
    """Return a function that opens engines, those that compute on the workers of a cluster."""

    def open_on_workers(name: str, options: EngineOptions) -> Engine:
        if provider_of(name) in LOCAL_PROVIDERS:
            # A worker does not know which variables of this process hold keys.
            engine: Engine = resolve_name("faultpair.engines.keys:open_with_key")(
                lambda _, options: _ClusterEngine(client, name, options), name, name, options
            )
            return engine
        return open_engine(name, options)

    return open_on_workers


class _ClusterEngine:
    """The same engine on each worker; a request goes to the least busy one."""

    def __init__(self, client: Client, name: str, options: EngineOptions) -> None:
        self.name = name
        self._client = client
        # The runner limits the requests underway over all workers, so no worker does.
        self._options = EngineOptions(
            context_tokens=options.context_tokens,
            timeout_s=options.timeout_s,
            threads=options.threads,
            process=options.process,
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
        return self._known().context_tokens

    def count_tokens(self, request: Request) -> int | None:
        return self._run(worker.count_tokens, request)

    def complete(self, request: Request) -> Reply:
        answer = self._run(worker.complete, request)
        if answer.identity != self._known().identity:
            raise EngineError(
                f"The workers have different engines: one answers as {answer.identity}, another "
                f"as {self._known().identity}. Give all of them the same versions and files."
            )
        return answer.reply

    def close(self) -> None:
        """Do nothing; an engine lives as long as its worker."""

    def _known(self) -> worker.Facts:
        if self._facts is None:
            self._facts = self._run(worker.facts)
        return self._facts

    def _run(self, job: Callable[..., Coroutine[Any, Any, T]], *arguments: object) -> T:
        with self._least_busy() as address:
            try:
                results: dict[str, T] = self._client.run(
                    job, self.name, self._options, *arguments, workers=[address], on_error="raise"
                )
            except (OSError, TimeoutError) as error:
                raise EngineError(
                    f"The worker {address} was lost while it computed "
                    f"({type(error).__name__}: {error}).",
                    transient=True,
                ) from error
        return results[address]

    @contextmanager
    def _least_busy(self) -> Iterator[str]:
        with self._lock:
            # Among equally busy workers, the first by address.
            address = min(sorted(self._workers()), key=self._busy.__getitem__)
            self._busy[address] += 1
        try:
            yield address
        finally:
            with self._lock:
                self._busy[address] -= 1

    def _workers(self) -> list[str]:
        try:
            addresses = list(self._client.nthreads())
        except (OSError, TimeoutError) as error:
            raise EngineError(f"The Dask scheduler cannot be reached any more: {error}.") from error
        if not addresses:
            raise EngineError("The cluster has no worker at present.", transient=True)
        return addresses
