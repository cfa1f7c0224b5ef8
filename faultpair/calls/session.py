"""What all requests of one run share: its limits, its engines, its listener and its counts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import Engine, EngineOptions, Identity, ProcessOptions
from faultpair.env.errors import FaultpairError
from faultpair.env.records import Verdict
from faultpair.studies.sealed_stop import StopRecord

from .client import Attempt, CallBudget, RetryPolicy

__all__ = ["CallSession", "EngineFactory", "ProgressListener", "RunLimits", "RunOutcome"]


@dataclass(frozen=True, slots=True)
class EngineFactory:
    """Opens engines by name, all with the same options."""

    options: EngineOptions = field(default_factory=EngineOptions)
    open: Callable[[str, EngineOptions], Engine] = open_engine

    def with_options(self, **options: Any) -> EngineFactory:
        """Return a factory whose engines have other values of some options."""
        return replace(self, options=replace(self.options, **options))

    def with_process(self, process: ProcessOptions) -> EngineFactory:
        """Return a factory of engines whose processes are given more."""
        return self.with_options(process=process.over(self.options.process))

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
class RunOutcome:
    """How a run ended."""

    n_asked: int = 0
    """Requests of agents, planners and judges that it settled."""
    n_calls: int = 0
    """Attempts that it made."""
    n_open: int = 0
    """Requests of judges that it could have sent and that are not settled."""
    n_failed: int = 0
    """Requests of judges that ended in an error."""
    n_unmade: int = 0
    """Runs that a model has yet to make; until then no judge is asked."""
    reached_limit: bool = False
    stopped: str | None = None
    """Why it stopped, if too many requests failed."""
    ended: dict[str, StopRecord] = field(default_factory=dict)
    """What is known under `[stop]` of each judge that it watches."""
    edited: tuple[str, ...] = ()
    """Kept records that are not what was sealed, and were accepted."""

    @property
    def is_over(self) -> bool:
        """Whether no further request may be made in this run."""
        return self.reached_limit or self.stopped is not None

    def count(self, attempt: Attempt) -> None:
        """Count an attempt that was kept."""
        self.n_calls += attempt.unsent is None
        self.n_asked += attempt.is_final


@dataclass(frozen=True, slots=True)
class RunLimits:
    """How far a run goes, and how it sends requests.

    ``verdicts`` limits the requests that are settled and ``calls`` the attempts, of agents,
    planners and judges together; ``only`` names the judges that are asked, all if it is
    empty; ``repeats`` is how often each goes over the set, None for the study's number.
    ``share`` sends equal requests once; ``retry_errors`` also sends those again that got
    no answer; with ``goes_on`` judges are asked further whose result is clear under `[stop]`;
    ``retry_policy`` says when a failed one is repeated.
    """

    verdicts: int | None = None
    calls: int | None = None
    only: tuple[str, ...] = ()
    repeats: int | None = None
    share: bool = True
    retry_errors: bool = False
    goes_on: bool = False
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)

    def left(self, outcome: RunOutcome) -> CallBudget:
        """Return the requests and the calls that are left to a run."""
        return CallBudget(_rest(self.verdicts, outcome.n_asked), _rest(self.calls, outcome.n_calls))

    def bound(self, n_open: int, outcome: RunOutcome | None = None) -> int:
        """Return how many of the open requests a run may still settle at most."""
        budget = self.left(outcome or RunOutcome())
        return min(n for n in (n_open, budget.requests, budget.calls) if n is not None)


def _rest(most: int | None, used: int) -> int | None:
    return None if most is None else max(0, most - used)


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
