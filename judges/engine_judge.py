"""The protocol of judges with an engine: they write requests and read answers.

The runner sends the requests and keeps the replies, so that a kept answer can be read
again without a call.
"""

from __future__ import annotations

from typing import Any, Protocol

from faultpair.engines.engine import Reply, Request
from faultpair.env.records import Record, TokenChoice

from .exhibit import Exhibit
from .judge import Finding, Named

__all__ = ["Answer", "EngineJudge"]


class Answer(Record, frozen=True):
    """The raw text of a reply, why it ended, and the token that gives the verdict."""

    text: str
    finish_reason: str = "stop"
    decision: TokenChoice | None = None


class EngineJudge(Named, Protocol):
    """A judge that writes a request about a run and reads the answer to it."""

    @property
    def engine(self) -> str:
        """The name of its engine."""
        ...

    @property
    def samples(self) -> int:
        """The number of answers to one exhibit in one pass, at least 1."""
        ...

    @property
    def parts(self) -> int:
        """The number of answers in one verdict: 1, or all samples."""
        ...

    @property
    def retries(self) -> int:
        """The number of redraws of an unreadable answer."""
        ...

    def prompt_hash(self) -> str:
        """Return a digest of all fixed text of its prompts."""
        ...

    def settings(self) -> dict[str, Any]:
        """Return all settings of the judge, as plain values."""
        ...

    def request(self, exhibit: Exhibit, *, sample: int, repeat: int) -> Request:
        """Return the request about an exhibit; equal exhibits make equal requests."""
        ...

    def answer(self, reply: Reply) -> Answer:
        """Return the part of a reply that is kept."""
        ...

    def read(self, answer: Answer, exhibit: Exhibit) -> Finding:
        """Return the finding in an answer, or the reason why there is none."""
        ...
