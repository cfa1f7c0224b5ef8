"""External judges: a function, an endpoint or a command that gets an exhibit as JSON.

The answer is read like a model's, except that the fault type may be any word.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar

import msgspec

from faultpair.engines.engine import Message, Reply, Request
from faultpair.env.catalog import DOMAINS

from .engine_judge import Answer
from .exhibit import Exhibit
from .finding_parser import read_finding
from .judge import Finding

__all__ = ["FORMAT", "ExternalJudge", "document_of"]

FORMAT = "faultpair-exhibit-1"
"""The version in every document, so that a judge can refuse other forms."""


@dataclass(frozen=True, slots=True)
class ExternalJudge:
    """A judge of the user. ``engine`` is its place: ``python:``, ``cmd:`` or a URL."""

    parts: ClassVar[int] = 1
    retries: ClassVar[int] = 0

    judge_id: str
    engine: str
    samples: int = 1
    view: str = "whole-exhibit"
    task: str = "its-own"

    @property
    def summary(self) -> str:
        """One line for a list of judges."""
        return f"An external judge: {self.engine}."

    def prompt_hash(self) -> str:
        """Return a digest of the form of the document; the prompt itself is unknown."""
        return sha256(FORMAT.encode()).hexdigest()

    def settings(self) -> dict[str, Any]:
        """Return its settings."""
        return {name: getattr(self, name) for name in ("view", "task", "engine", "samples")}

    def request(self, exhibit: Exhibit, *, sample: int, repeat: int) -> Request:
        """Return a request whose one message is the exhibit as JSON."""
        document = msgspec.json.encode(document_of(exhibit)).decode()
        return Request((Message("user", document),), seed=repeat * self.samples + sample)

    def answer(self, reply: Reply) -> Answer:
        """Return the text of a reply."""
        return Answer(reply.text, reply.finish_reason)

    def read(self, answer: Answer, exhibit: Exhibit) -> Finding:
        """Return the finding in a JSON answer, or the reason why there is none."""
        named = _kind_in(answer.text)
        finding = read_finding(
            answer.text, n_steps=len(exhibit.steps), kinds=(named,) if named else ()
        )
        if finding.faulty is None:
            return finding
        return msgspec.structs.replace(finding, score=_score_in(answer.text))


def document_of(exhibit: Exhibit) -> dict[str, Any]:
    """Return the document of an exhibit as plain values, for a plan with its pool."""
    document = {
        "format": FORMAT,
        "domain": exhibit.domain,
        "procedure": list(map(str, DOMAINS[exhibit.domain].procedure)),
        "goal": exhibit.goal,
        "steps": [
            {
                "index": step.index,
                "thought": step.thought,
                "call": step.call,
                "observation": step.observation,
            }
            for step in exhibit.steps
        ],
        "reply": exhibit.reply,
        "end_state": exhibit.end_state,
    }
    return document | {"tools": exhibit.tools} if exhibit.tools else document


def _kind_in(text: str) -> str | None:
    kind = _field(text, "failure_type")
    return kind if isinstance(kind, str) else None


def _score_in(text: str) -> float | None:
    score = _field(text, "score")
    is_number = isinstance(score, int | float) and not isinstance(score, bool)
    return float(score) if is_number and 0 <= score <= 1 else None


def _field(text: str, name: str) -> Any:
    try:
        return json.loads(text)[name]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
