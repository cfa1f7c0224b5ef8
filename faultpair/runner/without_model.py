"""Asking judges about runs, one exhibit at a time, and keeping what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Instance, Trajectory, Verdict
from faultpair.judges.exhibit import Exhibit, exhibit_of
from faultpair.judges.judge import Judge

__all__ = ["verdict_of", "verdicts_of"]


def verdict_of(judge: Judge, trajectory_id: str, exhibit: Exhibit) -> Verdict:
    """Ask a judge about one exhibit and sign its finding with the ids it never saw."""
    finding = judge.judge(exhibit)
    return Verdict(
        trajectory_id,
        judge.judge_id,
        finding.faulty,
        finding.failure_step,
        finding.failure_type,
        finding.confidence,
        finding.rationale,
        view=judge.view,
        task=judge.task,
        score=finding.score,
        scores=finding.scores,
        unscored=finding.unscored,
    )


def verdicts_of(
    judges: Callable[[str], Sequence[Judge]], runs: Iterable[tuple[Trajectory, Instance]]
) -> Iterator[Verdict]:
    """Yield the verdicts of judges on runs, run by run; ``judges`` gives those of a domain."""
    chosen: dict[str, Sequence[Judge]] = {}
    for trajectory, instance in runs:
        if trajectory.domain not in chosen:
            chosen[trajectory.domain] = judges(trajectory.domain)
        for judge in chosen[trajectory.domain]:
            yield verdict_of(
                judge, trajectory.trajectory_id, _exhibit_for(judge, trajectory, instance)
            )


def _exhibit_for(judge: Judge, trajectory: Trajectory, instance: Instance) -> Exhibit:
    if judge.view.endswith("with-reference"):
        required = DOMAINS[trajectory.domain].required(instance)
        return exhibit_of(trajectory, instance, reference=required)
    return exhibit_of(trajectory, instance)
