"""Verdicts: what the judges of a panel say of a set, as far as it is known.

They are a function of the set, the code and the ledger. So `verdicts.jsonl` can
be written again at any time without a call, and a reader of answers that was
mended mends the verdicts with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TypeVar

import msgspec

from faultpair.env.records import Exchange, Verdict
from faultpair.studies.exchanges import ExchangeLog, RequestKey
from faultpair.studies.spec import VoteSpec

from .parts import Parts
from .requests import JudgeRequest, answer_in, standing

__all__ = ["known_verdicts", "settled_verdict", "votes_on"]

T = TypeVar("T", int, str)


def known_verdicts(
    asks: Sequence[JudgeRequest], votes: Sequence[VoteSpec], ledger: ExchangeLog
) -> Iterator[Verdict]:
    """Yield every verdict of those who ask that needs no further call, then the votes on them."""
    passes: dict[str, list[Verdict]] = {vote.of: [] for vote in votes}
    samples: dict[str, int] = {}
    for ask, verdict in _whole_verdicts(asks, ledger):
        if verdict.judge_id in passes:
            passes[verdict.judge_id].append(verdict)
            samples[verdict.judge_id] = ask.judge.samples // ask.judge.parts
        yield verdict
    for vote in votes:
        yield from votes_on(passes[vote.of], vote, samples=samples.get(vote.of, 1))


def _whole_verdicts(
    asks: Sequence[JudgeRequest], ledger: ExchangeLog
) -> Iterator[tuple[JudgeRequest, Verdict]]:
    parts = Parts()
    heirs = _Heirs({ask.trajectory_id for ask in asks})
    for first in asks:
        ask, exchange = standing(first, ledger)
        if exchange is not None:
            exchange = heirs.owned(ask, exchange)
            verdict = parts.add(settled_verdict(ask, exchange), ask.judge.parts)
            if verdict is not None:
                yield ask, verdict


class _Heirs:
    """Who answers belong to whose run has left the set: the first run that shares them.

    A set that was planned or played by another, or built with other faults, may ask what
    was asked before.
    """

    def __init__(self, present: Set[str]) -> None:
        self._present = present
        self._heirs: dict[RequestKey, str] = {}

    def owned(self, ask: JudgeRequest, exchange: Exchange) -> Exchange:
        """Return an exchange whose run is one of the set."""
        if exchange.trajectory_id in self._present:
            return exchange
        heir = self._heirs.setdefault(ask.asked, ask.trajectory_id)
        return msgspec.structs.replace(exchange, trajectory_id=heir)


def settled_verdict(ask: JudgeRequest, exchange: Exchange) -> Verdict:
    """Return the verdict of an exchange on the run of an ask, which may share it with another."""
    is_shared = exchange.trajectory_id != ask.trajectory_id
    answer = answer_in(exchange)
    finding = None if answer is None else ask.judge.read(answer, ask.exhibit)
    return Verdict(
        ask.trajectory_id,
        ask.judge.judge_id,
        finding.faulty if finding else None,
        finding.failure_step if finding else None,
        finding.failure_type if finding else None,
        finding.confidence if finding else None,
        finding.rationale if finding else "",
        0.0 if is_shared else exchange.latency_s,
        0 if is_shared else exchange.prompt_tokens,
        0 if is_shared else exchange.completion_tokens,
        exchange.error,
        ask.judge.view,
        ask.judge.task,
        exchange.engine,
        exchange.engine_version,
        exchange.model_digest,
        exchange.prompt_hash,
        ask.asked.sample,
        ask.asked.repeat,
        finding.score if finding else None,
        finding.scores if finding else None,
        unscored=finding.unscored if finding else exchange.unsent or "no answer came",
        shared_from=exchange.trajectory_id if is_shared else None,
    )


def votes_on(verdicts: Iterable[Verdict], vote: VoteSpec, *, samples: int = 1) -> Iterator[Verdict]:
    """Yield the vote on each run whose first ``k`` passes are known.

    A pass that is still open may not be replaced by a later one: the vote would
    change when it comes. ``samples`` is how many of them make up a repeat.
    """
    passes: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        passes.setdefault(verdict.trajectory_id, []).append(verdict)
    for cast in passes.values():
        cast.sort(key=lambda verdict: (verdict.repeat, verdict.sample))
        places = [verdict.repeat * samples + verdict.sample for verdict in cast[: vote.k]]
        if places == list(range(vote.k)):
            yield _vote(cast[: vote.k], vote)


def _vote(cast: Sequence[Verdict], vote: VoteSpec) -> Verdict:
    """Return the outcome of a vote; a pass that is unscored makes it unscored.

    Confidence is the share of the passes that agree with the outcome, the score is
    the share that flag; step and type are those most often named, the first of
    several (release of trajectory-judge, convention 9).
    """
    first = cast[0]
    flagging = [verdict for verdict in cast if verdict.faulty]
    is_unscored = any(verdict.faulty is None for verdict in cast)
    needed = 1 if vote.rule == "any" else len(cast) // 2 + 1
    faulty = None if is_unscored else len(flagging) >= needed
    agreeing = len(flagging) if faulty else len(cast) - len(flagging)
    return Verdict(
        first.trajectory_id,
        vote.id,
        faulty,
        _mode(verdict.failure_step for verdict in flagging) if faulty else None,
        _mode(verdict.failure_type for verdict in flagging) if faulty else None,
        None if is_unscored else max(0.5, agreeing / len(cast)),
        f"{len(flagging)} of {len(cast)} passes flag the run",
        round(sum(verdict.latency_s for verdict in cast), 6),
        sum(verdict.prompt_tokens for verdict in cast),
        sum(verdict.completion_tokens for verdict in cast),
        None,
        first.view,
        first.task,
        first.engine,
        first.engine_version,
        first.model_digest,
        first.prompt_hash,
        score=None if is_unscored else len(flagging) / len(cast),
        unscored="a pass of the vote is unscored" if is_unscored else None,
    )


def _mode(values: Iterable[T | None]) -> T | None:
    counts = Counter(value for value in values if value is not None)
    return max(counts, key=counts.__getitem__, default=None)
