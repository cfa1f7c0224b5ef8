"""The protocol of judges: a view, a task, and one method from exhibit to finding."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from faultpair.env.records import Record

from .exhibit import Exhibit

__all__ = ["Finding", "Judge", "Named"]


class Finding(Record, frozen=True):
    """A judge's answer on one exhibit; the runner adds ids and makes it a `Verdict`.

    ``faulty`` is None for an unscored answer, with the reason in ``unscored``.
    ``confidence`` is that in the finding itself, in [0.5, 1]; ``score`` is P(faulty) in
    [0, 1] where the judge has one. ``scores`` holds a ``value`` in [0, 1] and a
    ``reason`` for each metric of a judge of plans.
    """

    faulty: bool | None
    failure_step: int | None = None
    failure_type: str | None = None
    confidence: float | None = None
    rationale: str = ""
    unscored: str | None = None
    score: float | None = None
    scores: dict[str, Any] | None = None


class Named(Protocol):
    """The names of a judge.

    ``summary`` is one line for a list of judges. ``view`` names the parts of the exhibit
    that it reads; for a view whose name ends in ``with-reference`` the runner fills
    `Exhibit.reference`.
    """

    @property
    def judge_id(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def view(self) -> str: ...

    @property
    def task(self) -> str: ...


@runtime_checkable
class Judge(Named, Protocol):
    """A judge that needs no engine. It keeps no state between exhibits."""

    def judge(self, exhibit: Exhibit) -> Finding:
        """Return the finding on one exhibit; equal exhibits get equal findings."""
        ...
