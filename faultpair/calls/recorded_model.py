"""A model that makes runs: its answers are the kept turns first, then those of its engine.

The engine is opened only if a turn is missing, and must be the one that was sealed before
its first answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from faultpair.engines.engine import Identity, Reply, Request, request_hash
from faultpair.env.errors import StudyError
from faultpair.env.records import ModelTurn
from faultpair.studies.preregistration import GeneratorSeal
from faultpair.studies.transcript import Transcript

from .client import Attempt, record_fields
from .session import CallSession
from .worker_pool import Post, WorkerPool

__all__ = ["RecordedModel"]

T = TypeVar("T")
R = TypeVar("R")
_Ask = Callable[[str, int, Request], Iterator[ModelTurn]]
"""Makes attempts at a question of a run, which has a number."""


class Unanswered(Exception):  # noqa: N818 — no failure: it ends the work on one item
    """A question of a run has no answer, so the run stays open."""


class Conversation:
    """The questions of one run, one after the other, and the turns they have taken so far."""

    def __init__(self, trajectory_id: str, transcript: Transcript, ask: _Ask) -> None:
        self.turns = list(transcript.of(trajectory_id))
        self._trajectory_id = trajectory_id
        self._path = transcript.path
        self._ask = ask
        # A failed attempt settles nothing: its question is asked again.
        self._kept = iter([turn for turn in self.turns if turn.error is None])
        self._n_questions = 0

    def __call__(self, request: Request) -> Reply | None:
        """Answer a question; None if the request does not fit into the context.

        Raises
        ------
        Unanswered
            If no answer is kept, and the engine gives none.
        StudyError
            If the kept answer is to another question.
        """
        number, self._n_questions = self._n_questions, self._n_questions + 1
        turn = next(self._kept, None) or self._new_turn(number, request)
        if turn.request_hash != request_hash(request):
            raise StudyError(
                f"{self._path} holds an answer of {self._trajectory_id} to another question than "
                f"the one asked now (its number {number}): the prompt, the settings, the world or "
                "the seed has changed since. Restore what changed, or run the study elsewhere "
                "with --out."
            )
        if turn.text is None:
            return None
        return Reply(turn.text, finish_reason=turn.finish_reason or "stop")

    def _new_turn(self, number: int, request: Request) -> ModelTurn:
        for turn in self._ask(self._trajectory_id, number, request):
            self.turns.append(turn)
            if turn.error is None:
                return turn
        raise Unanswered


Conversations = Callable[[str], Conversation]
"""Opens the conversation of a run by its id."""


@dataclass(frozen=True, slots=True)
class RecordedModel:
    """One model that a study names, and its kept turns.

    ``why_unreadable`` returns the reason that an answer cannot be used, None if it can.
    """

    seal: GeneratorSeal
    transcript: Transcript
    why_unreadable: Callable[[Reply], str | None]

    def map(
        self,
        work: Callable[[Conversations, T], R],
        items: Sequence[T],
        session: CallSession,
        on_made: Callable[[int, R], None],
    ) -> list[R | None]:
        """Return the result of each item in their order, None where an answer is missing.

        Parameters
        ----------
        work : asks its questions in conversations; two items may be worked on at once
        on_made : receives number and result of each item that took new turns, as it ends
        """
        results = [self._result(work, item, _ask_nothing) for item in items]
        missing = [number for number, result in enumerate(results) if result is None]
        limits, outcome = session.limits, session.outcome
        outcome.reached_limit = limits.left(outcome).is_spent
        if not missing or outcome.is_over:
            return results

        def keep(turn: ModelTurn, attempt: Attempt) -> None:
            self.transcript.add(turn)
            outcome.count(attempt)
            if attempt.is_final and attempt.error is not None:
                session.report(f"{turn.trajectory_id}: {attempt.error}")

        def take(number: int, result: R | None) -> None:
            results[number] = result
            if result is not None:
                on_made(number, result)

        options = replace(session.factory.options, key_from=self.seal.key_from)
        with closing(session.factory.open(self.seal.terms["engine"], options)) as engine:
            identity = engine.identify()
            self.seal.enter(identity)
            # One by default: with more, the order of turns in the file is by chance.
            parallel = min(options.parallel or 1, len(missing))
            budget, policy = limits.left(outcome), limits.retry_policy
            pool = WorkerPool.on(engine, parallel, policy=policy, budget=budget, noun="chat")

            def make(number: int, post: Post[ModelTurn]) -> R | None:
                def ask(run: str, index: int, request: Request) -> Iterator[ModelTurn]:
                    for attempt in pool.client.attempts(request):
                        turn = self._turn(run, index, request, attempt, identity)
                        post(turn, attempt)
                        yield turn

                return self._result(work, items[number], ask)

            pool.run(missing, work=make, keep=keep, on_made=take, group_of=lambda number: number)
        outcome.stopped = pool.stopped
        outcome.reached_limit = limits.left(outcome).is_spent
        return results

    def _result(self, work: Callable[[Conversations, T], R], item: T, ask: _Ask) -> R | None:
        with suppress(Unanswered):
            return work(lambda run: Conversation(run, self.transcript, ask), item)
        return None

    def _turn(
        self, run: str, index: int, request: Request, attempt: Attempt, identity: Identity
    ) -> ModelTurn:
        """Return an attempt as it is kept."""
        reply = attempt.reply
        answer: dict[str, Any] = {}
        if reply is not None:
            # A lone surrogate is legal in JSON, and no text.
            text = reply.text.encode("utf-8", "replace").decode()
            answer = {
                "text": text,
                "finish_reason": reply.finish_reason,
                "unreadable": self.why_unreadable(Reply(text, finish_reason=reply.finish_reason)),
            }
        return ModelTurn(
            trajectory_id=run,
            index=index,
            request_hash=request_hash(request),
            prompt_hash=self.seal.terms["prompt_hash"],
            **record_fields(attempt, identity),
            **answer,
        )


def _ask_nothing(run: str, index: int, request: Request) -> Iterator[ModelTurn]:
    return iter(())
