"""Void answers: those of a process that gave more answers than it was asked questions.

It is not known which of them belongs to which question. They stay in the exchange log; a
record after them says that they are void, and their requests are sent again. A judge whose
answers become void a second time is asked no more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from faultpair.engines.engine import Engine
from faultpair.engines.external.document import Surplus, Watched
from faultpair.env.records import Exchange
from faultpair.studies.exchanges import ExchangeLog

__all__ = ["MOST_VOIDS", "VoidWatch", "is_stopped", "why_stopped"]

MOST_VOIDS = 1
"""How many times the answers of a judge may become void before it is asked no more."""


@dataclass(slots=True)
class VoidWatch:
    """Asks an engine for its surplus answers, and records which answers are void.

    ``n_void`` counts the processes whose answers became void.
    """

    engine: Watched
    log: ExchangeLog
    report: Callable[[str], None]
    n_void: int = 0
    _pending: list[Surplus] = field(default_factory=list)

    @classmethod
    def of(
        cls, engine: Engine, log: ExchangeLog, report: Callable[[str], None]
    ) -> VoidWatch | None:
        """Return the watch of an engine that says which answers are void, None for another one."""
        return cls(engine, log, report) if isinstance(engine, Watched) else None

    def look(self) -> list[Exchange]:
        """Pass on the messages of the engine, and return the answers that became void."""
        for message in self.engine.take_messages():
            self.report(message)
        found, self._pending = [*self._pending, *self.engine.take_surplus()], []
        return [answer for surplus in found for answer in self._void(surplus)]

    def _void(self, surplus: Surplus) -> list[Exchange]:
        reason = (
            f"{self.engine.name} gave one answer more than it was asked questions: {surplus.quote}."
        )
        answers = self.log.void(surplus.process, reason)
        if not answers:  # another worker has yet to hand them over
            self._pending.append(surplus)
            return []
        self.n_void += 1
        self.report(
            f"{reason} It is not known which answer belongs to which question, so those of this "
            f"process are void. Requests that are open again: {len(answers)}."
        )
        return answers


def is_stopped(judge_id: str, log: ExchangeLog) -> bool:
    """Return whether a judge is asked no more."""
    return log.voids[judge_id] > MOST_VOIDS


def why_stopped(judge_id: str, log: ExchangeLog) -> str:
    """Return why a judge is asked no more, and what to do."""
    return (
        f"{judge_id} is asked no more: {log.voids[judge_id]} times it gave more answers than it "
        'was asked questions. Let it repeat the "n" of each question in its answer, as '
        '{"n": 1, "faulty": true}, and give it another id or another folder with --out.'
    )
