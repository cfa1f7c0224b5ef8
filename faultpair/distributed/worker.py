"""What a worker does for a judge: it opens the engine once, and answers one request at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import Engine, Identity, Reply, Request
from faultpair.engines.options import EngineOptions

__all__ = ["Answer", "Facts", "answer", "facts", "n_tokens"]

T = TypeVar("T")


class Answer(NamedTuple):
    """A reply, and who gave it."""

    reply: Reply
    identity: Identity


class Facts(NamedTuple):
    """What the engine of a worker says of itself."""

    identity: Identity
    room: int | None
    max_parallel: int


_open: dict[tuple[str, EngineOptions], tuple[Engine, Identity]] = {}
_opening = threading.Lock()


async def answer(name: str, options: EngineOptions, request: Request) -> Answer:
    """Answer a request. It runs beside the worker's own loop, which so stays alive meanwhile."""
    return await _aside(name, options, lambda engine, who: Answer(engine.complete(request), who))


async def facts(name: str, options: EngineOptions) -> Facts:
    """Return what there is to know before the first request."""
    return await _aside(
        name, options, lambda engine, who: Facts(who, engine.context_tokens(), engine.max_parallel)
    )


async def n_tokens(name: str, options: EngineOptions, request: Request) -> int | None:
    """Count the tokens of a request."""
    return await _aside(name, options, lambda engine, who: engine.count_tokens(request))


async def _aside(name: str, options: EngineOptions, job: Callable[[Engine, Identity], T]) -> T:
    return await asyncio.to_thread(lambda: job(*_engine(name, options)))


def _engine(name: str, options: EngineOptions) -> tuple[Engine, Identity]:
    """Return an engine of this process; it lives as long as the process does."""
    with _opening:
        if (name, options) not in _open:
            engine = open_engine(name, options)
            _open[name, options] = (engine, engine.identify())
        return _open[name, options]
