"""Asking a model that plays or plans: from what is kept as far as that reaches, then for real.

The engine is opened at the first question that nothing kept answers, and who it
is must agree with what was sealed when the first of its answers came.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from faultpair.agents.episode_agent import Complete
from faultpair.calls.session import EngineFactory
from faultpair.engines.engine import Engine, Identity, Reply, Request, request_hash
from faultpair.env.errors import EngineError, StudyError
from faultpair.env.records import ModelTurn
from faultpair.studies.generator_seal import GeneratorSeal
from faultpair.studies.transcript import Transcript

from .client import RetryPolicy
from .context_window import why_too_long
from .parallel_map import parallel_map

__all__ = ["RecordedModel"]

T = TypeVar("T")
R = TypeVar("R")


@dataclass(slots=True)
class RecordedModel:
    """Lets one model answer all that it is asked, and keeps every attempt.

    Several episodes may ask at a time; one that still asks when all is closed is turned away.
    ``why_unreadable`` says why an answer is of no use, None if it is of some.
    """

    seal: GeneratorSeal
    book: Transcript
    means: EngineFactory
    patience: RetryPolicy
    why_unreadable: Callable[[Reply], str | None]
    _engine: Engine | None = None
    _identity: Identity | None = None
    _room: int | None = None
    _is_closed: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def serve(self, work: Callable[[T], R], items: Sequence[T]) -> list[R]:
        """Return what comes of each item where the work on it asks this model; close after it.

        So many are worked on at a time as the options allow requests, one if they do not say.
        """
        try:
            return parallel_map(work, items, self.means.options.parallel or 1)
        finally:
            self.close()

    def answering(self, trajectory_id: str) -> Complete:
        """Return what answers the questions of one episode, one after the other."""
        return _Conversation(self, trajectory_id, _settled(self.book.of(trajectory_id)))

    def ask(self, trajectory_id: str, index: int, request: Request) -> Reply | None:
        """Ask the model, again where that may help; None if the request does not fit.

        Raises
        ------
        EngineError
            If no answer came; what is kept so far is where the next run goes on.
        """
        engine, identity = self._opened()
        head = self._head(trajectory_id, index, request, identity)
        reason = why_too_long(engine, request, self._room, what="chat")
        if reason is not None:
            self._keep(ModelTurn(attempt=0, unsent=reason, **head))
            return None
        return self._answer(engine, request, head)

    def close(self) -> None:
        """Let go of the engine, if one was opened; nothing is kept after that."""
        with self._lock:
            engine, self._engine, self._is_closed = self._engine, None, True
        if engine is not None:
            engine.close()

    def _opened(self) -> tuple[Engine, Identity]:
        with self._lock:
            self._refuse_if_closed()
            if self._engine is None or self._identity is None:
                self._engine = self.means.open(self.seal.terms["engine"], self.means.options)
                self._identity = self._engine.identify()
                self.seal.enter(self._identity)
                self._room = self._engine.context_tokens()
            return self._engine, self._identity

    def _keep(self, turn: ModelTurn) -> None:
        with self._lock:
            self._refuse_if_closed()
            self.book.add(turn)

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise EngineError("The play is over; this episode goes on when the study runs again.")

    def _answer(self, engine: Engine, request: Request, head: dict[str, Any]) -> Reply:
        attempt = 1
        while True:
            try:
                reply = _clean(engine.complete(request))
            except EngineError as error:
                self._keep(ModelTurn(attempt=attempt, error=str(error), **head))
                if not error.transient or attempt >= self.patience.attempts:
                    raise
                time.sleep(self.patience.pause_for(error, attempt))
                attempt += 1
            else:
                self._keep(_answered(head, attempt, reply, self.why_unreadable(reply)))
                return reply

    def _head(
        self, trajectory_id: str, index: int, request: Request, identity: Identity
    ) -> dict[str, Any]:
        return {
            "trajectory_id": trajectory_id,
            "index": index,
            "request_hash": request_hash(request),
            "prompt_hash": self.seal.terms["prompt_hash"],
            "engine": identity.engine,
            "engine_version": identity.engine_version,
            "model_digest": identity.model_digest,
        }


@dataclass(slots=True)
class _Conversation:
    """One episode's questions: answered from what is kept first, by the model then."""

    asker: RecordedModel
    trajectory_id: str
    kept: Iterator[ModelTurn]
    index: int = 0

    def __call__(self, request: Request) -> Reply | None:
        index, self.index = self.index, self.index + 1
        turn = next(self.kept, None)
        if turn is None:
            return self.asker.ask(self.trajectory_id, index, request)
        if turn.request_hash != request_hash(request):
            raise StudyError(self._other_question(index))
        if turn.text is None:
            return None
        return Reply(turn.text, finish_reason=turn.finish_reason or "stop")

    def _other_question(self, index: int) -> str:
        return (
            f"{self.asker.book.path} holds an answer of {self.trajectory_id} to another question "
            f"than the one asked now (its number {index}): the prompt, the settings, the world or "
            "the seed has changed since. Restore what changed, or run the study elsewhere with "
            "--out."
        )


def _settled(turns: list[ModelTurn]) -> Iterator[ModelTurn]:
    """Yield what was answered or could not be sent; a failed attempt settles nothing."""
    return iter([turn for turn in turns if turn.error is None])


def _answered(
    head: dict[str, Any], attempt: int, reply: Reply, unreadable: str | None
) -> ModelTurn:
    return ModelTurn(
        attempt=attempt,
        text=reply.text,
        finish_reason=reply.finish_reason,
        unreadable=unreadable,
        prompt_tokens=reply.prompt_tokens,
        cached_tokens=reply.cached_tokens,
        completion_tokens=reply.completion_tokens,
        latency_s=round(reply.latency_s, 6),
        **head,
    )


def _clean(reply: Reply) -> Reply:
    """Return a reply that can be written: a lone surrogate is legal JSON and no text."""
    text = reply.text.encode("utf-8", "replace").decode()
    return msgspec.structs.replace(reply, text=text)
