"""What all requests of one run share: its limits, its engines, its listener and its counts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Protocol

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import Engine, EngineOptions, Identity, ProcessOptions
from faultpair.env.errors import FaultpairError
from faultpair.env.records import Verdict

from .run_limits import RunLimits, RunOutcome

__all__ = ["CallSession", "EngineFactory", "ProgressListener"]


@dataclass(frozen=True, slots=True)
class EngineFactory:
    """Opens engines by name, all with the same options."""

    options: EngineOptions = field(default_factory=EngineOptions)
    open: Callable[[str, EngineOptions], Engine] = open_engine

    def with_process(self, process: ProcessOptions) -> EngineFactory:
        """Return a factory of engines whose processes are given more."""
        options = replace(self.options, process=process.over(self.options.process))
        return replace(self, options=options)

    def identity_of(self, name: str) -> Identity | None:
        """Return who answers under a name, None if it cannot be opened."""
        try:
            with closing(self.open(name, self.options)) as engine:
                return engine.identify()
        except FaultpairError:
            return None


class ProgressListener(Protocol):
    """Receives the events of a run."""

    def on_built(self, n: int) -> None:
        """Receive the number of runs that were built since the last call."""

    def on_message(self, text: str) -> None:
        """Receive a message for the user."""

    def on_start(self, total: int) -> None:
        """Receive how many requests of judges may be settled at most."""

    def on_attempt(self, judge_id: str, verdict: Verdict | None) -> None:
        """Receive the verdict of an attempt, None if the attempt settled none."""


@dataclass(slots=True)
class CallSession:
    """The state of one run, shared by all that send requests in it."""

    factory: EngineFactory = field(default_factory=EngineFactory)
    limits: RunLimits = field(default_factory=RunLimits)
    listener: ProgressListener | None = None
    outcome: RunOutcome = field(default_factory=RunOutcome)

    def report(self, text: str) -> None:
        """Send a message to the listener, if there is one."""
        if self.listener is not None:
            self.listener.on_message(text)
