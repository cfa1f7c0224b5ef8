"""What a judge is: a view, a task, and one method from exhibit to finding."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from faultpair.env.records import Record

from .exhibit import Exhibit

__all__ = ["Finding", "Judge", "Named"]


class Finding(Record, frozen=True):
    """A judge's answer on one exhibit; the runner adds ids and makes it a `Verdict`.

    ``confidence`` is that in the finding itself, in [0.5, 1]. ``unscored`` holds
    a reason when there is no finding, and then ``faulty`` is None. ``score`` is
    P(faulty) in [0, 1] where the judge has one. ``scores`` holds, by metric, the
    ``value`` in [0, 1] and the ``reason`` of a judge that grades several.
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
    """What every judge says of itself.

    ``summary`` says in one line what it rests on.
    ``view`` names what of the exhibit it reads; a view whose name ends in
    ``with-reference`` makes the runner fill `Exhibit.reference`.
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
