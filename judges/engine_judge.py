"""Judges that ask somebody: they write a request, and read what came back.

Such a judge sends nothing itself. The runner carries its requests to an engine,
keeps what comes back, and hands it over to be read; so a kept answer can be read
again at any time, without a call.
"""

from __future__ import annotations

from typing import Any, Protocol

from faultpair.engines.engine import Reply, Request
from faultpair.env.records import Record, TokenChoice

from .exhibit import Exhibit
from .judge import Finding, Named

__all__ = ["Answer", "EngineJudge"]


class Answer(Record, frozen=True):
    """What a judge reads: the raw text, why it ended, and the token that gives the verdict."""

    text: str
    finish_reason: str = "stop"
    decision: TokenChoice | None = None


class EngineJudge(Named, Protocol):
    """Anything that can write a request about a run and read the answer to it."""

    @property
    def engine(self) -> str:
        """The name of the engine that is to be asked."""
        ...

    @property
    def samples(self) -> int:
        """How many answers to one exhibit make up one pass, at least 1."""
        ...

    @property
    def parts(self) -> int:
        """How many of them make one verdict: 1, or all where each says a part of it."""
        ...

    @property
    def retries(self) -> int:
        """How often it asks again, drawn anew, for an answer that can be read."""
        ...

    def prompt_hash(self) -> str:
        """Return a digest of all that the judge says to whomever it asks."""
        ...

    def settings(self) -> dict[str, Any]:
        """Return everything that was chosen about the judge, as plain values."""
        ...

    def request(self, exhibit: Exhibit, *, sample: int, repeat: int) -> Request:
        """Return what to ask about an exhibit; equal exhibits make equal requests."""
        ...

    def answer(self, reply: Reply) -> Answer:
        """Return what is to be kept of a reply."""
        ...

    def read(self, answer: Answer, exhibit: Exhibit) -> Finding:
        """Return the finding that an answer holds, or why it holds none."""
        ...
