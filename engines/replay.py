"""Kept replies as an engine: ``replay:path/to/replies.jsonl`` sends nothing and costs nothing."""

from __future__ import annotations

import re
import threading
from pathlib import Path

from msgspec import UNSET

from faultpair.env.errors import EngineError, UsageError
from faultpair.env.jsonl import read_records
from faultpair.env.records import Exchange, TokenChoice

from .engine import Engine, EngineOptions, Identity, Reply, Request, request_hash
from .external.document import digest_of

__all__ = ["open_replay"]


def open_replay(path: str, *, options: EngineOptions) -> Engine:
    """Open a file of kept exchanges, without void replies and attempts that have none."""
    if not Path(path).is_file():
        raise UsageError(f"replay:{path}: there is no such file.")
    return _ReplayEngine(path, options)


class _ReplayEngine:
    """Replies by the hash of their request, in their order; the last one repeats.

    A reply keeps its latency and its counts of tokens. Of its log-probabilities only those
    at the token of the verdict were kept.
    """

    max_parallel = 1

    def __init__(self, path: str, options: EngineOptions) -> None:
        self.name = f"replay:{path}"
        self._path = Path(path)
        self._context_tokens = options.context_tokens
        self._origins: set[tuple[str | None, str | None, str | None]] = set()
        self._rest: dict[str, list[Reply]] = {}
        self._lock = threading.Lock()
        void = {
            kept.process for kept in read_records(self._path, Exchange) if kept.voided is not UNSET
        }
        for kept in read_records(self._path, Exchange):
            if kept.process not in void:
                self._keep(kept)
        for replies in self._rest.values():
            replies.reverse()

    def identify(self) -> Identity:
        """Return the engine that gave the kept replies, if it is the same for all."""
        engine, version, digest = next(iter(self._origins), (None,) * 3)
        if len(self._origins) > 1:
            engine = version = digest = None
        return Identity(
            "replay",
            engine_version=version,
            model=engine,
            model_digest=digest,
            build=f"replies {digest_of(self._path)}",
        )

    def context_tokens(self) -> int | None:
        return self._context_tokens

    def count_tokens(self, request: Request) -> int | None:
        return None

    def complete(self, request: Request) -> Reply:
        key = request_hash(request)
        with self._lock:
            rest = self._rest.get(key)
            if rest is None:
                raise EngineError(
                    f"{self._path} holds no reply to the request {key}, but those of "
                    f"{len(self._rest)} others; the prompt or the settings may have changed."
                )
            return rest.pop() if len(rest) > 1 else rest[0]

    def close(self) -> None:
        """Do nothing: the file is closed."""

    def _keep(self, kept: Exchange) -> None:
        if kept.text is None:
            return
        self._origins.add((kept.engine, kept.engine_version, kept.model_digest))
        self._rest.setdefault(kept.request_hash, []).append(_reply(kept, kept.text))


def _reply(kept: Exchange, text: str) -> Reply:
    return Reply(
        text,
        prompt_tokens=kept.prompt_tokens,
        completion_tokens=kept.completion_tokens,
        cached_tokens=kept.cached_tokens,
        latency_s=kept.latency_s,
        finish_reason=kept.finish_reason or "stop",
        tokens=() if kept.decision is None else _split_at(text, kept.decision),
    )


def _split_at(text: str, decision: TokenChoice) -> tuple[TokenChoice, ...]:
    """Return a text as three tokens: the text before the decision, the decision, and the rest.

    A verdict comes after the reasoning, so the last of several places counts, preferably one
    at which a word ends: ``false`` in ``false_promise`` is not a verdict.
    """
    token = re.escape(decision.token)
    places = list(re.finditer(rf"{token}(?!\w)", text)) or list(re.finditer(token, text))
    if not places:
        return (decision,)
    start, end = places[-1].span()
    sides = (TokenChoice(text[:start], 0.0), decision, TokenChoice(text[end:], 0.0))
    return tuple(side for side in sides if side.token)
