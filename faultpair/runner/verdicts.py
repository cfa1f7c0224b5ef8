"""All verdicts of a set: of judges without a model, of settled requests, and of votes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from faultpair.calls.client import Attempt
from faultpair.engines.engine import Identity
from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Exchange, Verdict
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.judge import Finding, Judge
from faultpair.studies.exchanges import RequestKey
from faultpair.studies.files import write_lines
from faultpair.studies.spec import VoteSpec

from .panel import Panel
from .requests import JudgeRequest, RequestState, Run, answer_in, exchange_of
from .votes import votes_on

__all__ = [
    "ReadAttempt",
    "judge_without_model",
    "known_verdicts",
    "read_attempt",
    "settled_verdict",
    "write_verdicts",
]

_NOT_ASKED = Verdict(
    trajectory_id="",
    judge_id="",
    faulty=None,
    failure_step=None,
    failure_type=None,
    confidence=None,
    rationale="",
)
"""Holds the engine, the cost and the error of a verdict that needed no request."""


def write_verdicts(
    path: Path,
    panel: Panel,
    runs: Iterable[Run],
    states: Sequence[RequestState] = (),
    *,
    seal: Callable[[str], None] | None = None,
) -> None:
    """Write the verdicts of a panel on some runs, whole or not at all (see `write_lines`)."""
    with write_lines(path, seal=seal) as lines:
        for verdict in judge_without_model(lambda _: panel.without_model, runs):
            lines.write(verdict)
        for verdict in known_verdicts(states, panel.votes):
            lines.write(verdict)


def judge_without_model(
    judges: Callable[[str], Sequence[Judge]], runs: Iterable[Run]
) -> Iterator[Verdict]:
    """Yield the verdicts of judges on runs, run by run; ``judges`` gives those of a domain."""
    chosen: dict[str, Sequence[Judge]] = {}
    for trajectory, instance in runs:
        if trajectory.domain not in chosen:
            chosen[trajectory.domain] = judges(trajectory.domain)
        for judge in chosen[trajectory.domain]:
            reference = None
            if judge.view.endswith("with-reference"):
                reference = DOMAINS[trajectory.domain].required(instance)
            yield _make_verdict(
                trajectory_id=trajectory.trajectory_id,
                judge_id=judge.judge_id,
                view=judge.view,
                task=judge.task,
                finding=judge.judge(exhibit_of(trajectory, instance, reference=reference)),
            )


def known_verdicts(states: Sequence[RequestState], votes: Sequence[VoteSpec]) -> Iterator[Verdict]:
    """Yield the verdicts of all settled requests, then the votes on them."""
    passes: dict[str, list[Verdict]] = {vote.of: [] for vote in votes}
    samples: dict[str, int] = {}
    for request, verdict in _whole_verdicts(states):
        if verdict.judge_id in passes:
            passes[verdict.judge_id].append(verdict)
            samples[verdict.judge_id] = request.judge.samples // request.judge.parts
        yield verdict
    for vote in votes:
        yield from votes_on(passes[vote.of], vote, samples=samples.get(vote.of, 1))


def _make_verdict(
    *,
    trajectory_id: str,
    judge_id: str,
    view: str | None,
    task: str | None,
    finding: Finding,
    asked: Exchange | Verdict = _NOT_ASKED,
    sample: int = 0,
    repeat: int = 0,
    shared_from: str | None = None,
) -> Verdict:
    """Return the verdict of a finding; engine, cost and error are those of ``asked``."""
    return Verdict(
        trajectory_id=trajectory_id,
        judge_id=judge_id,
        faulty=finding.faulty,
        failure_step=finding.failure_step,
        failure_type=finding.failure_type,
        confidence=finding.confidence,
        rationale=finding.rationale,
        latency_s=asked.latency_s,
        prompt_tokens=asked.prompt_tokens,
        completion_tokens=asked.completion_tokens,
        error=asked.error,
        view=view,
        task=task,
        engine=asked.engine,
        engine_version=asked.engine_version,
        model_digest=asked.model_digest,
        prompt_hash=asked.prompt_hash,
        sample=sample,
        repeat=repeat,
        score=finding.score,
        scores=finding.scores,
        unscored=finding.unscored,
        shared_from=shared_from,
    )


def settled_verdict(request: JudgeRequest, exchange: Exchange) -> Verdict:
    """Return the verdict of an exchange; one that is shared with another run costs nothing."""
    judge, answer = request.judge, answer_in(exchange)
    if answer is None:
        finding = Finding(None, unscored=exchange.unsent or "no answer came")
    else:
        finding = judge.read(answer, request.exhibit)
    is_shared = exchange.trajectory_id != request.trajectory_id
    free = {"latency_s": 0.0, "prompt_tokens": 0, "completion_tokens": 0}
    return _make_verdict(
        trajectory_id=request.trajectory_id,
        judge_id=judge.judge_id,
        view=judge.view,
        task=judge.task,
        finding=finding,
        asked=replace(exchange, **free) if is_shared else exchange,
        sample=request.key.sample,
        repeat=request.key.repeat,
        shared_from=exchange.trajectory_id if is_shared else None,
    )


class ReadAttempt(NamedTuple):
    """An attempt at a request as the log keeps it, and its verdict if it is final and shown."""

    request: JudgeRequest
    exchange: Exchange
    verdict: Verdict | None


def read_attempt(
    request: JudgeRequest,
    attempt: Attempt,
    identity: Identity,
    *,
    prompt_hash: str,
    is_shown: bool,
) -> ReadAttempt:
    """Read an attempt, in the thread that made it; a verdict is made only to be shown."""
    exchange = exchange_of(request, attempt, identity, prompt_hash=prompt_hash)
    verdict = settled_verdict(request, exchange) if is_shown and exchange.is_final else None
    return ReadAttempt(request, exchange, verdict)


def _whole_verdicts(states: Sequence[RequestState]) -> Iterator[tuple[JudgeRequest, Verdict]]:
    """Yield the verdict of each settled request, or of all parts of a pass together.

    An answer about a run that is no longer in the set belongs to the first run with an
    equal request.
    """
    present = {state.request.trajectory_id for state in states}
    heirs: dict[RequestKey, str] = {}
    incomplete: dict[tuple[str, str, int, int], list[Verdict]] = {}
    for state in states:
        request, exchange = state.request, state.settled
        if exchange is None:
            continue
        if exchange.trajectory_id not in present:
            heir = heirs.setdefault(request.key, request.trajectory_id)
            exchange = replace(exchange, trajectory_id=heir)
        n_parts = request.judge.parts
        judge_id, sample, repeat, _ = request.key
        key = (request.trajectory_id, judge_id, repeat, sample // n_parts)
        parts = incomplete.setdefault(key, [])
        parts.append(settled_verdict(request, exchange))
        if len(parts) == n_parts:
            yield request, _merged(incomplete.pop(key))


def _merged(parts: Sequence[Verdict]) -> Verdict:
    """Return parts as one verdict, unscored if a part is or if two grade the same metric."""
    if len(parts) == 1:
        return parts[0]
    parts = sorted(parts, key=lambda part: part.sample)
    scores = {name: entry for part in parts for name, entry in (part.scores or {}).items()}
    unscored = _first(part.unscored for part in parts)
    if unscored is None and len(scores) < len(parts):
        unscored = "two answers grade the same metric"
    is_shared = all(part.shared_from is not None for part in parts)
    return replace(
        parts[0],
        faulty=None if unscored else any(part.faulty for part in parts),
        latency_s=round(sum(part.latency_s for part in parts), 6),
        prompt_tokens=sum(part.prompt_tokens for part in parts),
        completion_tokens=sum(part.completion_tokens for part in parts),
        error=_first(part.error for part in parts),
        sample=0,
        scores=None if unscored else scores,
        unscored=unscored,
        shared_from=parts[0].shared_from if is_shared else None,
    )


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value is not None), None)
