"""Votes: one verdict of several passes of a judge on a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec.structs import asdict, replace

from faultpair.env.records import Verdict
from faultpair.judges.judge import Finding
from faultpair.studies.spec import VoteSpec

__all__ = ["votes_on"]

T = TypeVar("T", int, str)


def votes_on(verdicts: Iterable[Verdict], vote: VoteSpec, *, samples: int = 1) -> Iterator[Verdict]:
    """Yield the vote on each run whose first ``k`` passes are known.

    A later pass does not replace one that is still open: the vote would change when
    that pass is judged. ``samples`` is the number of passes in a repeat.
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
    return replace(
        cast[0],
        judge_id=vote.id,
        sample=0,
        repeat=0,
        latency_s=round(sum(verdict.latency_s for verdict in cast), 6),
        prompt_tokens=sum(verdict.prompt_tokens for verdict in cast),
        completion_tokens=sum(verdict.completion_tokens for verdict in cast),
        error=None,
        shared_from=None,
        **asdict(_outcome(cast, vote)),
    )


def _outcome(cast: Sequence[Verdict], vote: VoteSpec) -> Finding:
    """Return the outcome of a vote; an unscored pass makes it unscored.

    Confidence is the share of the passes that agree with the outcome, the score is
    the share that flag; step and type are those named most often, the first of
    several (release of trajectory-judge, convention 9).
    """
    flagging = [verdict for verdict in cast if verdict.faulty]
    rationale = f"{len(flagging)} of {len(cast)} passes flag the run"
    if any(verdict.faulty is None for verdict in cast):
        return Finding(None, rationale=rationale, unscored="a pass of the vote is unscored")
    needed = 1 if vote.rule == "any" else len(cast) // 2 + 1
    faulty = len(flagging) >= needed
    agreeing = len(flagging) if faulty else len(cast) - len(flagging)
    return Finding(
        faulty=faulty,
        failure_step=_mode(verdict.failure_step for verdict in flagging) if faulty else None,
        failure_type=_mode(verdict.failure_type for verdict in flagging) if faulty else None,
        confidence=max(0.5, agreeing / len(cast)),
        rationale=rationale,
        score=len(flagging) / len(cast),
    )


def _mode(values: Iterable[T | None]) -> T | None:
    counts = Counter(value for value in values if value is not None)
    return max(counts, key=counts.__getitem__, default=None)
