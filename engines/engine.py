"""What an engine is: something with a name and a version that turns a request into a reply.

A request is the whole of what is sent. It holds no id and no label, and two
equal requests are the same request, wherever they came from.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Protocol

import msgspec

from faultpair.env.records import Record, TokenChoice

__all__ = ["Engine", "Identity", "Message", "Reply", "Request", "request_hash"]


class Message(Record, frozen=True):
    """One turn of a conversation; ``role`` is ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


class Request(Record, frozen=True):
    """All that an engine is sent.

    ``json_schema`` asks for a reply that fits it; ``top_logprobs`` asks for that
    many alternatives at each token, none at all if it is 0.
    """

    messages: tuple[Message, ...]
    json_schema: dict[str, Any] | None = None
    temperature: float = 0.0
    seed: int = 0
    max_tokens: int = 512
    top_logprobs: int = 0


class Reply(Record, frozen=True):
    """What came back. ``finish_reason`` is ``stop``, or ``length`` where the reply was cut off.

    ``prompt_tokens`` counts the whole prompt; ``cached_tokens`` is the part of it
    that the engine still knew. ``tokens`` is empty where no log-probabilities were
    asked for or none are given.
    """

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    latency_s: float = 0.0
    finish_reason: str = "stop"
    tokens: tuple[TokenChoice, ...] = ()


class Identity(Record, frozen=True):
    """Who answers: the engine, its version, the model and a digest of its weights.

    ``build`` says how the engine was built, where that may move an answer.
    """

    engine: str
    engine_version: str | None = None
    model: str | None = None
    model_digest: str | None = None
    build: str | None = None


class Engine(Protocol):
    """Anything that answers requests. It may be asked from several threads at once."""

    @property
    def name(self) -> str:
        """The name that `open_engine` opened it by, such as ``local:smollm2-135m``."""
        ...

    @property
    def max_parallel(self) -> int:
        """How many requests at once are of use, at least 1."""
        ...

    def identify(self) -> Identity:
        """Return who answers; a server is asked.

        Raises
        ------
        EngineError
            If it cannot be reached or has no such model.
        """
        ...

    def context_tokens(self) -> int | None:
        """Return the context size in tokens, prompt and reply together; None if unknown."""
        ...

    def count_tokens(self, request: Request) -> int | None:
        """Return the length of a request's prompt in tokens; None if only a call could tell."""
        ...

    def complete(self, request: Request) -> Reply:
        """Answer a request.

        Raises
        ------
        EngineError
            If no whole reply came; it says whether to try again, and when.
        """
        ...

    def close(self) -> None:
        """Let go of what the engine holds; closing twice does no harm."""
        ...


def request_hash(request: Request) -> str:
    """Return the SHA-256 of a request as JSON.

    Keys keep their order: a schema whose fields stand in another order asks for
    another answer.
    """
    return sha256(msgspec.json.encode(request)).hexdigest()
