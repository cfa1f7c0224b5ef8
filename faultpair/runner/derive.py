"""All verdicts of a set: of judges without a model, of settled requests, and of votes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Verdict
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.judge import Judge
from faultpair.studies.files import write_lines
from faultpair.studies.spec import VoteSpec

from .panel import Panel
from .requests import RequestState, Run
from .verdicts import make_verdict, whole_verdicts
from .votes import votes_on

__all__ = ["judge_without_model", "known_verdicts", "write_verdicts"]


def write_verdicts(
    path: Path, panel: Panel, runs: Iterable[Run], states: Sequence[RequestState] = ()
) -> None:
    """Write the verdicts of a panel on some runs, whole or not at all."""
    with write_lines(path) as lines:
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
            yield make_verdict(
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
    for request, verdict in whole_verdicts(states):
        if verdict.judge_id in passes:
            passes[verdict.judge_id].append(verdict)
            samples[verdict.judge_id] = request.judge.samples // request.judge.parts
        yield verdict
    for vote in votes:
        yield from votes_on(passes[vote.of], vote, samples=samples.get(vote.of, 1))
