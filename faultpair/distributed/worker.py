"""The part of an engine that runs on a worker: opened once, it serves one request at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import Engine, EngineOptions, Identity, Reply, Request

__all__ = ["Completion", "Facts", "complete", "count_tokens", "facts"]

T = TypeVar("T")


class Completion(NamedTuple):
    """A reply, and the identity of the engine that gave it."""

    reply: Reply
    identity: Identity


class Facts(NamedTuple):
    """The properties of the engine of a worker."""

    identity: Identity
    context_tokens: int | None
    max_parallel: int


_engines: dict[tuple[str, EngineOptions], tuple[Engine, Identity]] = {}
_opening = threading.Lock()


async def complete(name: str, options: EngineOptions, request: Request) -> Completion:
    """Answer a request."""
    return await _in_thread(
        name, options, lambda engine, identity: Completion(engine.complete(request), identity)
    )


async def facts(name: str, options: EngineOptions) -> Facts:
    """Return the properties of an engine, for use before the first request."""
    return await _in_thread(
        name,
        options,
        lambda engine, identity: Facts(identity, engine.context_tokens(), engine.max_parallel),
    )


async def count_tokens(name: str, options: EngineOptions, request: Request) -> int | None:
    """Count the tokens of a request."""
    return await _in_thread(name, options, lambda engine, _: engine.count_tokens(request))


async def _in_thread(name: str, options: EngineOptions, job: Callable[[Engine, Identity], T]) -> T:
    """Run a job in a thread, so that the event loop of the worker stays responsive."""
    return await asyncio.to_thread(lambda: job(*_engine(name, options)))


def _engine(name: str, options: EngineOptions) -> tuple[Engine, Identity]:
    """Return an engine of this process; it lives as long as the process does."""
    with _opening:
        if (name, options) not in _engines:
            engine = open_engine(name, options)
            _engines[name, options] = (engine, engine.identify())
        return _engines[name, options]
