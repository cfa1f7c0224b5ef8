"""An engine whose replies, identity and errors hold no secret of this run.

A server may repeat its request, and a judge its environment. What they return is kept and
shown, so secrets are removed from it here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import getproxies

import msgspec

from faultpair.env.records import TokenChoice

from .engine import Engine, EngineOptions, Identity, Reply, Request
from .external.document import Surplus, Watched
from .secrets import PROVIDER_KEYS, Redactor, secrets_in

__all__ = ["RedactedEngine", "redacted", "redacted_errors", "redactor_for"]

_ADDRESSES = ("OPENAI_BASE_URL", "OLLAMA_HOST")


def redactor_for(name: str, options: EngineOptions) -> Redactor:
    """Return what removes the secrets that an engine could repeat."""
    bound = (key.variable for key in options.bound_keys)
    variables = (*PROVIDER_KEYS.values(), *bound, *options.secret_variables, options.key_from or "")
    keys = [os.environ.get(variable, "").strip() for variable in variables]
    addresses = [os.environ.get(variable, "") for variable in _ADDRESSES]
    addresses += [*getproxies().values(), options.base_url or ""]
    if name.startswith(("http://", "https://")):
        addresses.append(name)
    in_addresses = (secret for address in addresses for secret in secrets_in(address))
    return Redactor((*keys, (options.api_key or "").strip(), *in_addresses))


@contextmanager
def redacted_errors(redact: Redactor) -> Iterator[None]:
    """Remove secrets from the message of an exception, and what caused it."""
    try:
        yield
    except Exception as error:
        error.args = tuple(redact(arg) if isinstance(arg, str) else arg for arg in error.args)
        raise error from None


def redacted(engine: Engine, redact: Redactor) -> Engine:
    """Return an engine without the secrets in all that it returns, raises, or says besides."""
    if isinstance(engine, Watched):
        return _RedactedWatched(engine, redact, engine)
    return RedactedEngine(engine, redact)


class RedactedEngine:
    """An engine, with the secrets removed from all that it returns or raises."""

    def __init__(self, engine: Engine, redact: Redactor) -> None:
        self._engine = engine
        self._redact = redact

    @property
    def name(self) -> str:
        return self._engine.name

    @property
    def max_parallel(self) -> int:
        with redacted_errors(self._redact):
            return self._engine.max_parallel

    def identify(self) -> Identity:
        with redacted_errors(self._redact):
            identity = self._engine.identify()
        facts = msgspec.structs.asdict(identity)
        return Identity(**{name: text and self._redact(text) for name, text in facts.items()})

    def context_tokens(self) -> int | None:
        with redacted_errors(self._redact):
            return self._engine.context_tokens()

    def count_tokens(self, request: Request) -> int | None:
        with redacted_errors(self._redact):
            return self._engine.count_tokens(request)

    def complete(self, request: Request) -> Reply:
        with redacted_errors(self._redact):
            reply = self._engine.complete(request)
        return msgspec.structs.replace(
            reply,
            text=self._redact(reply.text),
            finish_reason=self._redact(reply.finish_reason),
            tokens=self._tokens(reply.tokens),
        )

    def close(self) -> None:
        with redacted_errors(self._redact):
            self._engine.close()

    def _tokens(self, tokens: tuple[TokenChoice, ...]) -> tuple[TokenChoice, ...]:
        """Return tokens without a secret that one of them holds, or several in a row."""
        texts = self._redact.each(choice.token for choice in tokens)
        return tuple(
            msgspec.structs.replace(
                choice,
                token=text,
                top=tuple((self._redact(other), logprob) for other, logprob in choice.top),
            )
            for choice, text in zip(tokens, texts, strict=True)
        )


class _RedactedWatched(RedactedEngine):
    """An engine that says more than answers, with the secrets removed from that too."""

    def __init__(self, engine: Engine, redact: Redactor, watched: Watched) -> None:
        super().__init__(engine, redact)
        self._watched = watched

    def end_processes(self) -> None:
        with redacted_errors(self._redact):
            self._watched.end_processes()

    def take_surplus(self) -> list[Surplus]:
        return [
            Surplus(process, self._redact(quote)) for process, quote in self._watched.take_surplus()
        ]

    def take_messages(self) -> list[str]:
        return list(map(self._redact, self._watched.take_messages()))
