"""The input and the answer of a judge from outside: one JSON object each.

An answer holds ``faulty``, and may hold ``failure_step``, ``failure_type``, ``confidence``,
``rationale`` and ``score``. Only its being an object is checked here; the judge reads it.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec

from faultpair.env.errors import EngineError

from ..engine import Request

__all__ = ["answer_text", "digest_of", "document_in"]


def document_in(request: Request) -> bytes:
    """Return the last message of a request, which is JSON, on one line."""
    try:
        return msgspec.json.format(request.messages[-1].content.encode(), indent=-1)
    except msgspec.DecodeError as error:
        raise EngineError(
            "A judge from outside is given an exhibit as JSON, but the last message of this "
            f"request is not JSON: {error}."
        ) from error


def answer_text(answer: object, judge: str) -> str:
    """Return an answer as JSON text.

    Raises
    ------
    EngineError
        If it is not a dict, or holds a value that JSON cannot.
    """
    if not isinstance(answer, dict):
        raise EngineError(
            f"{judge} answered with a {type(answer).__name__}; expected a dict such as "
            "{'faulty': True}."
        )
    try:
        return msgspec.json.encode(answer).decode()
    except (TypeError, ValueError, RecursionError) as error:
        raise EngineError(
            f"{judge} answered with a value that JSON cannot hold: {error}."
        ) from error


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, with the name of the algorithm."""
    return f"sha256:{sha256(path.read_bytes()).hexdigest()}"
