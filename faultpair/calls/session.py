"""What all requests of one run share: its limits, its engines, its listener and its counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from faultpair.engines.catalog import open_engine
from faultpair.engines.engine import Engine
from faultpair.engines.options import EngineOptions
from faultpair.env.records import Verdict

from .client import RetryPolicy

__all__ = ["EngineFactory", "ProgressListener", "RunLimits", "RunOutcome"]


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
    have made, ``n_open`` are left and ``n_failed`` ended in an error. ``stopped`` says why
    the run stopped, if too many requests failed.
    """

    n_asked: int = 0
    n_calls: int = 0
    n_open: int = 0
    n_failed: int = 0
    reached_limit: bool = False
    stopped: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether no further request may be made in this run."""
        return self.reached_limit or self.stopped is not None


@dataclass(frozen=True, slots=True)
class RunLimits:
    """How far a run goes and how it asks.

    ``verdicts`` bounds the requests that are settled and ``calls`` the attempts; ``only``
    names the judges that may ask; ``repeats`` is how often each goes over the set, as often
    as the study says if None.
    """

    verdicts: int | None = None
    calls: int | None = None
    only: tuple[str, ...] = ()
    repeats: int | None = None
    share: bool = True
    retry_errors: bool = False
    patience: RetryPolicy = field(default_factory=RetryPolicy)

    def bound(self, n_open: int) -> int:
        """Return how many of the open requests may be settled at most."""
        bounds = (self.verdicts, self.calls)
        return min((n_open, *(bound for bound in bounds if bound is not None)))
