"""The base class of fault types: sites, edits, and examples.

A fault edits the calls of a clean run by one operation at one site, plus follow-ups that
its class declares; the edited calls are then replayed in a fresh world, so that no
observation is written by hand. A control has the same form and must not change a verdict.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

from faultpair.env.records import Call, Cell, Record, ReplyPolicy, Trajectory

__all__ = [
    "Calls",
    "Delete",
    "Edit",
    "Example",
    "Fault",
    "FollowUp",
    "Insert",
    "Move",
    "Operation",
    "Replace",
    "Site",
    "Truncate",
]

Calls = tuple[Call, ...]
"""The calls of a run in order; what a fault may read and never changes in place."""


class Site(Record, frozen=True):
    """A place of a fault: a 0-based step of the clean run.

    ``variant`` names one of several forms of the fault at one step.
    """

    step: int
    variant: str | None = None


class Replace(Record, frozen=True):
    """Put another call in place of the one at a step."""

    at: int
    call: Call
    thought: str | None = None


class Insert(Record, frozen=True):
    """Put a call before the one at a step."""

    at: int
    call: Call


class Delete(Record, frozen=True):
    """Leave out the call at a step."""

    at: int


class Move(Record, frozen=True):
    """Take the call at one step and make it at another index of the resulting list."""

    at: int
    to: int


class Truncate(Record, frozen=True):
    """Leave out the call at a step and all after it; ``last_word`` is the reply then."""

    at: int
    last_word: str


Operation = Replace | Insert | Delete | Move | Truncate


class FollowUp(Record, frozen=True):
    """An argument of a later call that the operation makes necessary.

    ``at`` is the call's index in the clean run. Its class must declare
    ``"tool.argument"`` in `Fault.follow_ups`; a trailing ``*`` matches any ending.
    """

    at: int
    argument: str
    value: Any


class Edit(Record, frozen=True):
    """One operation, its declared follow-ups, and what was done in words."""

    operation: Operation
    words: str
    follow_ups: tuple[FollowUp, ...] = ()
    variant: str | None = None


class Example(Record, frozen=True):
    """What a fault makes of the index-th instance of seed 0, as a reader can check it.

    ``tools`` lists the calls of the faulty run; ``failure_step`` is None for a control.
    """

    index: int
    tools: tuple[str, ...]
    failure_step: int | None
    cell: Cell
    policy: ReplyPolicy = ReplyPolicy.KEEP
    variant: str | None = None


class Fault(ABC):
    """A fault type. Write one class, add one line to a catalog or one entry point.

    The docstring says what a careless agent would have been thinking.
    """

    name: ClassVar[str]
    domain: ClassVar[str]
    scenarios: ClassVar[tuple[str, ...]] = ()
    """Where hosts can be, so that a search skips the rest; empty means everywhere."""
    follow_ups: ClassVar[tuple[str, ...]] = ()
    """The arguments that an edit may adjust beside its operation, as ``tool.argument``."""
    is_control: ClassVar[bool] = False
    """Whether the edit is harmless, so that no judge should flag it."""
    policies: ClassVar[tuple[ReplyPolicy, ...]] = tuple(ReplyPolicy)
    """Under which reply policies it can be planted; an edit of the reply has only ``keep``."""

    def may_host(self, instance: Any) -> bool:
        """Return False if an instance alone shows that its run has no site.

        A builder calls it before the clean run; `sites` decides.
        """
        return True

    def no_such_policy(self, policy: ReplyPolicy) -> str:
        """Return the message for a policy that the fault lacks."""
        allowed = ", ".join(self.policies)
        return f"{self.name!r} has no policy {policy.value!r}; it has: {allowed}."

    @abstractmethod
    def sites(self, instance: Any, run: Trajectory) -> Iterator[Site]:
        """Yield the places in a clean run where this fault can be planted, perhaps none."""

    @abstractmethod
    def edit(self, instance: Any, run: Calls, site: Site, rng: Random) -> Edit:
        """Return the edit at a site; equal streams give equal edits."""

    @abstractmethod
    def examples(self) -> tuple[Example, ...]:
        """Return at least one example of what the fault does."""
