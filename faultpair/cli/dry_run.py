"""What a run would ask, said without asking anybody: ``faultpair run --dry-run``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from faultpair.calls.session import RunLimits
from faultpair.runner.requests import Run, pending, plan_requests, standing
from faultpair.runner.selection import select_judges
from faultpair.sets.build import build
from faultpair.studies.exchanges import read_exchange_log
from faultpair.studies.folder import StudyFolder
from faultpair.studies.runs import read_runs
from faultpair.studies.spec import StudySpec

__all__ = ["forecast"]


def forecast(
    folder: StudyFolder,
    *,
    extra: Sequence[str] = (),
    limits: RunLimits = RunLimits(),  # noqa: B008
) -> Iterator[str]:
    """Yield a line on each judge that may ask, and one on all; nothing is written in the folder.

    Raises
    ------
    StudyError
        If the study names what does not exist, or no longer makes the set that
        the kept answers are about.
    """
    ledger = read_exchange_log(folder.replies)
    turnout = select_judges(folder, extra, limits, ledger)
    if folder.study.is_played and not folder.trajectories.exists():
        yield from _to_be_played(folder.study)
        return
    runs = _runs_of(folder)
    total = 0
    for seat in turnout.seats:
        asks = list(plan_requests([seat], runs))
        n_known = sum(standing(ask, ledger)[1] is not None for ask in asks)
        n_calls = sum(
            1 for _ in pending(asks, ledger, share=limits.share, retry=limits.retry_errors)
        )
        total += n_calls
        yield (
            f"{seat.judge.judge_id}: {len(asks)} verdicts, {n_known} of them known; "
            f"{n_calls} requests to make"
        )
    yield f"In this run: {limits.bound(total)} of {total} requests; one that fails is made again."


def _to_be_played(study: StudySpec) -> Iterator[str]:
    agent = study.agent
    if agent is not None:
        yield (
            f"{agent.engine} is to play {agent.episodes} episodes of {agent.turns} turns at most; "
            "what the judges ask is known once they are played."
        )
    n_records = sum(map(study.wants, range(study.clean)))
    for planner in study.planners:
        yield (
            f"{planner.engine} is to plan {n_records} records at {len(study.tiers)} tiers as "
            f"{planner.id}; what the judges ask is known once they are planned."
        )


def _runs_of(folder: StudyFolder) -> list[Run]:
    """Return the runs of a study: those that models have made, else those that a build makes."""
    if folder.study.is_played:
        return list(read_runs(folder.trajectories, folder.instances))
    with TemporaryDirectory(prefix="faultpair-") as scratch:
        made = replace(folder, out=Path(scratch))
        build(made)
        return list(read_runs(made.trajectories, made.instances))
