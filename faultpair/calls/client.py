"""One request until it is settled: sent, and sent again after a failure that may pass.

A request is settled by a reply, by the refusal to send it (it does not fit into the
context), or by an error: a permanent one, or the last of several attempts.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from faultpair.engines.engine import Engine, Identity, Reply, Request
from faultpair.env.errors import EngineError

from .adaptive_limiter import AdaptiveLimiter

__all__ = ["Attempt", "CallBudget", "RetryPolicy", "RetryingClient", "record_fields"]


LONGEST_RETRY_AFTER_S = 3600.0
"""The longest pause that a server may ask for; a larger value would overflow the timer."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often, and after which pauses, a failed request is sent again.

    ``attempts`` is how often a request is sent at most; ``pause_s`` the pause after
    its first failure, doubled after each further one up to ``longest_pause_s``;
    ``failures_in_a_row`` how many requests in a row may end in an error before the run stops.
    """

    attempts: int = 5
    pause_s: float = 1.0
    longest_pause_s: float = 60.0
    failures_in_a_row: int = 3

    def pause_after(self, attempt: int) -> float:
        """Return the seconds to wait after the attempt-th failure of a request."""
        # Past 2^30 the power is longer than any pause, and floats end at 2^1024.
        return min(self.pause_s * 2.0 ** min(attempt - 1, 30), self.longest_pause_s)

    def pause_for(self, error: EngineError, attempt: int) -> float:
        """Return the seconds to wait after a failure, at least as long as the server asked for."""
        return max(
            self.pause_after(attempt), min(error.retry_after_s or 0.0, LONGEST_RETRY_AFTER_S)
        )


@dataclass(slots=True)
class CallBudget:
    """How many requests may yet be started and how many calls made; None is without a limit.

    A call is one attempt at a request. A request that is not sent takes no call.
    """

    requests: int | None = None
    calls: int | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_spent(self) -> bool:
        """Whether no request could be sent any more."""
        return not self.has_request or (self.calls is not None and self.calls <= 0)

    @property
    def has_request(self) -> bool:
        """Whether another request may be started."""
        return self.requests is None or self.requests > 0

    def take_request(self) -> bool:
        """Take one request; False if none is left."""
        with self._lock:
            if self.requests is not None:
                self.requests -= 1
            return self.requests is None or self.requests >= 0

    def take_call(self) -> bool:
        """Take one call; False if none is left."""
        with self._lock:
            if self.calls is not None:
                self.calls -= 1
            return self.calls is None or self.calls >= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """How one attempt ended: with a reply, with an error, or unsent with a reason.

    ``number`` counts the attempts at a request from 1 on, and those before it where the
    request was not sent. After a final attempt no other follows.
    """

    number: int
    reply: Reply | None = None
    error: str | None = None
    unsent: str | None = None
    is_final: bool = True


def record_fields(attempt: Attempt, identity: Identity) -> dict[str, Any]:
    """Return the fields that `Exchange` and `ModelTurn` have in common, by name."""
    reply = attempt.reply or Reply("")
    return {
        "attempt": attempt.number,
        "engine": identity.engine,
        "engine_version": identity.engine_version,
        "model_digest": identity.model_digest,
        "prompt_tokens": reply.prompt_tokens,
        "cached_tokens": reply.cached_tokens,
        "completion_tokens": reply.completion_tokens,
        "latency_s": round(reply.latency_s, 6),
        "error": attempt.error,
        "unsent": attempt.unsent,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryingClient:
    """Sends requests to one engine.

    ``context_tokens`` is the size of its context, None if unknown. ``noun`` is what the
    reason of an unsent request calls its messages.
    """

    engine: Engine
    context_tokens: int | None
    policy: RetryPolicy
    limiter: AdaptiveLimiter
    budget: CallBudget
    noun: str

    def attempts(self, request: Request, *, n_attempts: int = 0) -> Iterator[Attempt]:
        """Yield each attempt as it ends; the last one is final, unless the run stops before.

        The consumer releases the limiter when it has kept an attempt, so that no more
        replies wait to be written than requests may be in flight.

        Parameters
        ----------
        n_attempts : attempts that earlier runs made at this request
        """
        if not self.budget.take_request():
            return
        for number in range(1, self.policy.attempts + 1):
            epoch = self.limiter.acquire()
            if epoch is None:
                return
            try:
                attempt = self._send(request, n_attempts + number)
            except EngineError as error:
                pause_s = self.policy.pause_for(error, number)
                if error.is_overload:
                    self.limiter.on_overload(epoch, pause_s)
                is_final = number == self.policy.attempts or not error.transient
                yield Attempt(number=n_attempts + number, error=str(error), is_final=is_final)
                if is_final or not self.limiter.wait(pause_s):
                    return
            else:
                if attempt is not None:
                    yield attempt
                return

    def _send(self, request: Request, number: int) -> Attempt | None:
        """Send a request if it fits; None if no call is left."""
        unsent = self._why_too_long(request)
        if unsent is not None:
            return Attempt(number=number - 1, unsent=unsent)
        if not self.budget.take_call():
            self.limiter.release()
            self.limiter.stop()
            return None
        reply = self.engine.complete(request)
        self.limiter.on_success()
        return Attempt(number=number, reply=reply)

    def _why_too_long(self, request: Request) -> str | None:
        """Return why a request is not sent; None if it fits, or if only a call could tell."""
        # No tokenizer makes more tokens than bytes, so most requests need no count.
        most = self.context_tokens
        if most is None or _n_bytes(request) + request.max_tokens <= most:
            return None
        n_tokens = self.engine.count_tokens(request)
        if n_tokens is None or n_tokens + request.max_tokens <= most:
            return None
        return (
            f"the {self.noun} has {n_tokens} tokens and the answer may have {request.max_tokens}; "
            f"the context holds {most}"
        )


def _n_bytes(request: Request) -> int:
    return sum(len(message.content.encode()) for message in request.messages)
