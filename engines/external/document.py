"""What judges from outside are given and give back: one JSON object each way.

An answer holds ``faulty``, and may hold ``failure_step``, ``failure_type``,
``confidence``, ``rationale`` and ``score``. Here it need only be an object: what it
says is for the judge to read.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec

from faultpair.env.errors import EngineError

from ..engine import Request

__all__ = ["answer_text", "digest_of", "document_in"]


def document_in(request: Request) -> bytes:
    """Return the JSON in a request, its last message, on one line."""
    try:
        return msgspec.json.format(request.messages[-1].content.encode(), indent=-1)
    except msgspec.DecodeError as error:
        raise EngineError(
            "A judge from outside is given an exhibit as JSON, and the last message of this "
            f"request is none: {error}."
        ) from error


def answer_text(answer: object, whom: str) -> str:
    """Return an answer as JSON text.

    Raises
    ------
    EngineError
        If it is no dict, or holds what JSON cannot.
    """
    if not isinstance(answer, dict):
        raise EngineError(
            f"{whom} answered with a {type(answer).__name__}; expected a dict such as "
            "{'faulty': True}."
        )
    try:
        return msgspec.json.encode(answer).decode()
    except (TypeError, ValueError, RecursionError) as error:
        raise EngineError(f"{whom} answered with what JSON cannot hold: {error}.") from error


def digest_of(path: Path) -> str:
    """Return the digest of a judge's own file."""
    return f"sha256:{sha256(path.read_bytes()).hexdigest()}"
