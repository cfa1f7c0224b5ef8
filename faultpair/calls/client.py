"""One request until it is settled: sent, sent again where that may help, every attempt kept.

A request is settled by an answer, by a refusal to send it (it does not fit), or
by an error: one that trying again cannot mend, or the last of several.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from faultpair.engines.engine import Engine, Identity, Reply, Request
from faultpair.env.errors import EngineError
from faultpair.env.records import Exchange
from faultpair.runner.requests import JudgeRequest

from .context_window import why_too_long
from .limiter import AdaptiveLimiter

__all__ = ["CallBudget", "RetryPolicy", "RetryingClient"]


LONGEST_ASKED_S = 3600.0
"""The longest pause that another side may ask for; a clock cannot wait till the year 9999."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How much is put up with.

    ``attempts`` is how often a request is made at most; ``pause_s`` the pause after
    its first failure, doubled after each further one up to ``longest_pause_s``;
    ``failures`` how many requests in a row may end in an error before all stops.
    """

    attempts: int = 5
    pause_s: float = 1.0
    longest_pause_s: float = 60.0
    failures: int = 3

    def pause_after(self, attempt: int) -> float:
        """Return the seconds to wait after the attempt-th failure of a request."""
        # Past 2^30 the power is longer than any pause, and floats end at 2^1024.
        return min(self.pause_s * 2.0 ** min(attempt - 1, 30), self.longest_pause_s)

    def pause_for(self, error: EngineError, attempt: int) -> float:
        """Return the seconds to wait after a failure, as long as was asked for, within reason."""
        return max(self.pause_after(attempt), min(error.retry_after_s or 0.0, LONGEST_ASKED_S))


@dataclass(slots=True)
class CallBudget:
    """How many calls may be made yet; any number if ``left`` is None."""

    left: int | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> bool:
        """Take one call; False if none is left."""
        with self._lock:
            if self.left is not None:
                self.left -= 1
            return self.left is None or self.left >= 0


@dataclass(frozen=True, slots=True)
class RetryingClient:
    """Takes requests to an engine.

    It has ``room`` for so many tokens, None if unknown; ``prompt_hashes`` are those
    of the judges that ask.
    """

    engine: Engine
    identity: Identity
    room: int | None
    prompt_hashes: Mapping[str, str]
    patience: RetryPolicy
    throttle: AdaptiveLimiter
    budget: CallBudget

    def attempts(self, ask: JudgeRequest) -> Iterator[Exchange]:
        """Yield each attempt as it ends; the last one is final, unless all is stopped before.

        Whoever takes an attempt gives its place back when it is kept, so that no
        more answers wait to be written than requests may be underway.
        """
        request = ask.request()
        for attempt in range(1, self.patience.attempts + 1):
            era = self.throttle.enter()
            if era is None:
                return
            is_last = attempt == self.patience.attempts
            try:
                exchange = self._try(ask, request, ask.n_attempts + attempt)
            except EngineError as error:
                pause_s = self.patience.pause_for(error, attempt)
                if error.is_overload:
                    self.throttle.was_full(era, pause_s)
                is_final = is_last or not error.transient
                yield _exchange(
                    self, ask, ask.n_attempts + attempt, error=str(error), is_final=is_final
                )
                if is_final or not self.throttle.wait(pause_s):
                    return
            else:
                if exchange is not None:
                    yield exchange
                return

    def _try(self, ask: JudgeRequest, request: Request, attempt: int) -> Exchange | None:
        """Send a request; None if no call is left to be made."""
        reason = why_too_long(self.engine, request, self.room, what="prompt")
        if reason is not None:
            return _exchange(self, ask, attempt - 1, unsent=reason)
        if not self.budget.take():
            self.throttle.leave()
            self.throttle.stop()
            return None
        reply = self.engine.complete(request)
        self.throttle.went_well()
        return _answered(self, ask, attempt, reply)


def _answered(caller: RetryingClient, ask: JudgeRequest, attempt: int, reply: Reply) -> Exchange:
    answer = ask.judge.answer(reply)
    return _exchange(
        caller,
        ask,
        attempt,
        text=answer.text,
        finish_reason=answer.finish_reason,
        decision=answer.decision,
        prompt_tokens=reply.prompt_tokens,
        cached_tokens=reply.cached_tokens,
        completion_tokens=reply.completion_tokens,
        latency_s=round(reply.latency_s, 6),
    )


def _exchange(caller: RetryingClient, ask: JudgeRequest, attempt: int, **what: object) -> Exchange:
    return Exchange(
        ask.trajectory_id,
        ask.key.judge_id,
        ask.key.sample,
        ask.key.repeat,
        attempt,
        ask.key.request_hash,
        caller.prompt_hashes[ask.key.judge_id],
        caller.identity.engine,
        caller.identity.engine_version,
        caller.identity.model_digest,
        **what,  # type: ignore[arg-type]
    )
