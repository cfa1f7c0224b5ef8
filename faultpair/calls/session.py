"""What all requests of one run share: its limits, its engines, who follows it, and its counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import Engine
from faultpair.engines.options import EngineOptions
from faultpair.env.records import Verdict

from .client import Attempt, CallBudget, RetryPolicy

__all__ = ["CallSession", "EngineFactory", "ProgressListener", "RunLimits", "RunOutcome"]


@dataclass(frozen=True, slots=True)
class EngineFactory:
    """How engines are opened, and with which options."""

    options: EngineOptions = field(default_factory=EngineOptions)
    open: Callable[[str, EngineOptions], Engine] = open_engine


class ProgressListener(Protocol):
    """Follows a run."""

    def on_built(self, n: int) -> None:
        """Take in that so many more runs are built."""

    def on_message(self, text: str) -> None:
        """Take in a message for the user."""

    def on_start(self, total: int) -> None:
        """Take in how many requests of judges will be settled at most."""

    def on_attempt(self, judge_id: str, verdict: Verdict | None) -> None:
        """Take in an attempt that was kept, with the verdict if it settled one."""


@dataclass(slots=True)
class RunOutcome:
    """How a run ended.

    It settled ``n_asked`` requests in ``n_calls`` attempts. Of the requests that it could
    have made, ``n_open`` are left and ``n_failed`` ended in an error; ``n_unmade`` runs of
    a set that models make are missing, so that no judge was asked. ``stopped`` says why the
    run stopped, if too many requests failed.
    """

    n_asked: int = 0
    n_calls: int = 0
    n_open: int = 0
    n_failed: int = 0
    n_unmade: int = 0
    reached_limit: bool = False
    stopped: str | None = None

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
    """How far a run goes and how it asks.

    ``verdicts`` bounds the requests that are settled and ``calls`` the attempts, of agents,
    planners and judges together; ``only`` names the judges that may ask; ``repeats`` is how
    often each goes over the set, as often as the study says if None.
    """

    verdicts: int | None = None
    calls: int | None = None
    only: tuple[str, ...] = ()
    repeats: int | None = None
    share: bool = True
    retry_errors: bool = False
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)

    def left(self, outcome: RunOutcome) -> CallBudget:
        """Return what a run may still ask."""
        return CallBudget(_rest(self.verdicts, outcome.n_asked), _rest(self.calls, outcome.n_calls))

    def bound(self, n_open: int, outcome: RunOutcome | None = None) -> int:
        """Return how many of the open requests a run may still settle at most."""
        budget = self.left(outcome or RunOutcome())
        bounds = (budget.requests, budget.calls)
        return min((n_open, *(bound for bound in bounds if bound is not None)))


@dataclass(slots=True)
class CallSession:
    """One run, as all that send requests in it see it."""

    factory: EngineFactory = field(default_factory=EngineFactory)
    limits: RunLimits = field(default_factory=RunLimits)
    listener: ProgressListener | None = None
    outcome: RunOutcome = field(default_factory=RunOutcome)

    def report(self, text: str) -> None:
        """Send a message to the user, if there is a listener."""
        if self.listener is not None:
            self.listener.on_message(text)


def _rest(most: int | None, used: int) -> int | None:
    return None if most is None else max(0, most - used)
