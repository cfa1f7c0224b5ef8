"""What external judges have in common: the input and the answer are one JSON object each.

An answer holds ``faulty``, and may hold ``failure_step``, ``failure_type``, ``confidence``,
``rationale`` and ``score``. Only its being an object is checked here; the judge reads it.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, Protocol, runtime_checkable

import msgspec

from faultpair.env.errors import EngineError

from ..engine import Reply, Request

__all__ = ["ExternalEngine", "Surplus", "Watched", "answer_text", "digest_of", "document_in"]


class Surplus(NamedTuple):
    """An answer beyond the questions, quoted, and the number of the process that gave it."""

    process: int
    quote: str


@runtime_checkable
class Watched(Protocol):
    """An engine that says more than answers: which are void, and messages to the user."""

    @property
    def name(self) -> str: ...

    def end_processes(self) -> None:
        """End idle processes, and read whether they printed more answers than questions."""
        ...

    def take_surplus(self) -> list[Surplus]:
        """Return the surplus answers that were found since the last call."""
        ...

    def take_messages(self) -> list[str]:
        """Return the messages to the user that came up since the last call."""
        ...


class ExternalEngine:
    """The part of `Engine` that is the same for all external judges; `_reply` is their own."""

    name: str

    def context_tokens(self) -> int | None:
        return None

    def count_tokens(self, request: Request) -> int | None:
        return None

    def complete(self, request: Request) -> Reply:
        document = document_in(request)
        started = perf_counter()
        text, process = self._reply(document)
        latency_s = perf_counter() - started
        return Reply(text, latency_s=latency_s, process=process)

    def close(self) -> None:
        """Release nothing, unless a subclass holds something."""

    def end_processes(self) -> None:
        """End nothing, unless a subclass has processes."""

    def take_surplus(self) -> list[Surplus]:
        return []

    def take_messages(self) -> list[str]:
        return []

    def _reply(self, document: bytes) -> tuple[str, int | None]:
        """Return the answer to an exhibit, which is JSON on one line, as JSON text.

        With it comes the process that gave it, if it has no number of a question.
        """
        raise NotImplementedError


def document_in(request: Request) -> bytes:
    """Return the last message of a request, which is JSON, on one line."""
    try:
        return msgspec.json.format(request.messages[-1].content.encode(), indent=-1)
    except msgspec.DecodeError as error:
        raise EngineError(
            "An external judge is sent an exhibit as JSON, but the last message of this request "
            f"is not JSON: {error}."
        ) from error


def answer_text(answer: dict[str, Any], judge: str) -> str:
    """Return an answer as JSON text, which takes values that JSON can hold."""
    try:
        return msgspec.json.encode(answer).decode()
    except (TypeError, ValueError, RecursionError) as error:
        raise EngineError(
            f"{judge} answered with a value that JSON cannot hold: {error}."
        ) from error


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, with the name of the algorithm."""
    return f"sha256:{sha256(path.read_bytes()).hexdigest()}"
