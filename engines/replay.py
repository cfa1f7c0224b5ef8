"""Kept replies as an engine: ``replay:path/to/replies.jsonl`` asks nobody and costs nothing."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import msgspec

from faultpair.env.errors import EngineError, UsageError
from faultpair.env.jsonl import read_records
from faultpair.env.records import TokenChoice

from .engine import Engine, Identity, Reply, Request, request_hash
from .external.document import digest_of
from .options import EngineOptions

__all__ = ["open_replay"]


class _Kept(msgspec.Struct, frozen=True):
    """What is read of an `faultpair.env.records.Exchange`; its other fields are ignored."""

    request_hash: str
    text: str | None = None
    finish_reason: str | None = None
    decision: TokenChoice | None = None
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    latency_s: float = 0.0
    engine: str | None = None
    engine_version: str | None = None
    model_digest: str | None = None


def open_replay(path: str, *, options: EngineOptions) -> Engine:
    """Read a file of kept exchanges; attempts without a reply are left out.

    Raises
    ------
    UsageError
        If there is no such file.
    RecordError
        If a line of it is no exchange.
    """
    if not Path(path).is_file():
        raise UsageError(f"replay:{path}: there is no such file of kept replies.")
    return _ReplayEngine(path, options)


class _ReplayEngine:
    """Replies by the hash of their request; asked again, the next one, and the last repeats.

    A reply keeps the seconds and the tokens that it took when it was given. Of the
    log-probabilities it has those at the token that gives the verdict, for only
    they were kept.
    """

    max_parallel = 1

    def __init__(self, path: str, options: EngineOptions) -> None:
        self.name = f"replay:{path}"
        self._path = Path(path)
        self._context_tokens = options.context_tokens
        self._answerers: set[tuple[str | None, str | None, str | None]] = set()
        self._rest: dict[str, list[Reply]] = {}
        self._lock = threading.Lock()
        for kept in read_records(self._path, _Kept):
            self._keep(kept)
        for replies in self._rest.values():
            replies.reverse()

    def identify(self) -> Identity:
        """Return who answered when the replies were kept, if it was always the same."""
        engine, version, digest = next(iter(self._answerers), (None,) * 3)
        if len(self._answerers) > 1:
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
        asked = request_hash(request)
        with self._lock:
            rest = self._rest.get(asked)
            if rest is None:
                raise EngineError(
                    f"No reply to the request {asked} is kept in {self._path}. It holds those of "
                    f"{len(self._rest)} requests; the prompt or the settings may have changed."
                )
            return rest.pop() if len(rest) > 1 else rest[0]

    def close(self) -> None:
        """Do nothing; the file was closed when it was read."""

    def _keep(self, kept: _Kept) -> None:
        if kept.text is None:
            return
        self._answerers.add((kept.engine, kept.engine_version, kept.model_digest))
        self._rest.setdefault(kept.request_hash, []).append(_reply(kept, kept.text))


def _reply(kept: _Kept, text: str) -> Reply:
    return Reply(
        text,
        prompt_tokens=kept.prompt_tokens,
        completion_tokens=kept.completion_tokens,
        cached_tokens=kept.cached_tokens,
        latency_s=kept.latency_s,
        finish_reason=kept.finish_reason or "stop",
        tokens=() if kept.decision is None else _around(text, kept.decision),
    )


def _around(text: str, decision: TokenChoice) -> tuple[TokenChoice, ...]:
    """Return the tokens of a text as far as they are known: the decision, and what is around it.

    A verdict comes after the reasoning, so of several places it is the last, and
    preferably one where a word ends: ``false`` is not that in ``false_promise``.
    """
    token = re.escape(decision.token)
    places = list(re.finditer(rf"{token}(?!\w)", text)) or list(re.finditer(token, text))
    if not places:
        return (decision,)
    start, end = places[-1].span()
    sides = (TokenChoice(text[:start], 0.0), decision, TokenChoice(text[end:], 0.0))
    return tuple(side for side in sides if side.token)
