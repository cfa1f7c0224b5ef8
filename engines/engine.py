"""The contract of an engine: it has a name and a version, and turns a request into a reply.

A request holds all that is sent. It has no id and no label, so two equal requests are the
same request, whatever runs they are about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

import msgspec

from faultpair.env.errors import UsageError
from faultpair.env.records import Record, TokenChoice

__all__ = [
    "BoundKey",
    "Engine",
    "EngineOptions",
    "Identity",
    "Message",
    "ProcessOptions",
    "Reply",
    "Request",
    "provider_of",
    "request_hash",
]


class Message(Record, frozen=True):
    """One turn of a conversation; ``role`` is ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


class Request(Record, frozen=True):
    """The input of an engine.

    ``json_schema`` asks for a reply that fits it; ``top_logprobs`` is the number of
    alternatives to return at each token, 0 for none.
    """

    messages: tuple[Message, ...]
    json_schema: dict[str, Any] | None = None
    temperature: float = 0.0
    seed: int = 0
    max_tokens: int = 512
    top_logprobs: int = 0


class Reply(Record, frozen=True):
    """The output of an engine. ``finish_reason`` is ``stop``, or ``length`` for a cut reply.

    ``prompt_tokens`` counts the whole prompt, ``cached_tokens`` the part of it that came from
    the cache of the engine. ``tokens`` is empty where log-probabilities were not requested
    or are not supported. ``process`` numbers the process of a program whose answer does not
    say which question it belongs to.
    """

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    latency_s: float = 0.0
    finish_reason: str = "stop"
    tokens: tuple[TokenChoice, ...] = ()
    process: int | None = None


class Identity(Record, frozen=True):
    """The engine, its version, the model and a digest of its weights.

    ``build`` describes the build of the engine where it can change an answer.
    """

    engine: str
    engine_version: str | None = None
    model: str | None = None
    model_digest: str | None = None
    build: str | None = None


class Engine(Protocol):
    """Answers requests, from several threads at once."""

    @property
    def name(self) -> str:
        """The name that `open_engine` opened it by, such as ``local:smollm2-135m``."""
        ...

    @property
    def max_parallel(self) -> int:
        """The number of requests at once beyond which more do not help, at least 1."""
        ...

    def identify(self) -> Identity:
        """Return engine, version and model, asking a server for them.

        Raises
        ------
        EngineError
            If the server cannot be reached or has no such model.
        """
        ...

    def context_tokens(self) -> int | None:
        """Return the context size in tokens, prompt and reply together; None if unknown."""
        ...

    def count_tokens(self, request: Request) -> int | None:
        """Return the length of a request's prompt in tokens; None if the engine cannot count."""
        ...

    def complete(self, request: Request) -> Reply:
        """Answer a request.

        Raises
        ------
        EngineError
            If there is no complete reply; it says whether to try again, and when.
        """
        ...

    def close(self) -> None:
        """Release what the engine holds; a second call has no effect."""
        ...


def request_hash(request: Request) -> str:
    """Return the SHA-256 of a request as JSON.

    Keys keep their order, since the order of a schema's fields is the order of the answer.
    """
    return sha256(msgspec.json.encode(request)).hexdigest()


def provider_of(name: str) -> str:
    """Return the word before the first colon or slash of an engine's name; "" without either."""
    provider, *rest = re.split("[:/]", name, maxsplit=1)
    return provider if rest else ""


class BoundKey(NamedTuple):
    """The environment variable that holds the key of one server."""

    origin: str
    """Scheme, host and port, such as ``https://host:443``."""
    variable: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessOptions:
    """What the process of an external judge is given beyond the usual.

    ``env`` names environment variables to pass, ``folder`` is where it works, None for an empty
    folder, and ``memory_mb`` limits the resident memory of it and its child processes.
    """

    env: tuple[str, ...] = ()
    folder: str | None = None
    memory_mb: int | None = None

    def over(self, base: ProcessOptions) -> ProcessOptions:
        """Return these options, with those of ``base`` where they are unset."""
        return ProcessOptions(
            env=tuple(dict.fromkeys((*base.env, *self.env))),
            folder=base.folder if self.folder is None else self.folder,
            memory_mb=base.memory_mb if self.memory_mb is None else self.memory_mb,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """Options beside the name of an engine, each used by the engines that it concerns.

    If ``base_url`` or ``api_key`` is None, the environment supplies it; the key is in no
    representation. ``timeout_s`` bounds a whole reply, not its pauses. ``parallel`` is the
    number of requests at once, None for the default of the engine. ``threads`` is for
    engines that compute in this process. ``first_process`` is the number of the first process
    that an engine starts, ``process`` what the processes of a judge are given.

    ``key_from`` is the variable that holds the key of this engine, ``bound_keys`` those of
    servers; ``api_key`` goes to an engine that has neither. ``secret_variables`` are further
    variables whose values no reply and no error may repeat.

    Raises
    ------
    UsageError
        For a number that is not positive.
    """

    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    key_from: str | None = None
    bound_keys: tuple[BoundKey, ...] = ()
    secret_variables: tuple[str, ...] = ()
    context_tokens: int | None = None
    timeout_s: float = 120.0
    parallel: int | None = None
    threads: int | None = None
    first_process: int = 1
    process: ProcessOptions = ProcessOptions()

    def __post_init__(self) -> None:
        for option in fields(self):
            value = getattr(self, option.name)
            if isinstance(value, int | float) and not value > 0:
                raise UsageError(f"{option.name} is {value}; expected a number above 0.")
