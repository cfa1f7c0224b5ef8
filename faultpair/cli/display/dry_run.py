"""`faultpair run --dry-run`: the requests of a run, without a request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pkgutil import resolve_name

from faultpair.calls.session import RunLimits
from faultpair.runner.requests import RequestState, pending, plan_requests
from faultpair.runner.selection import select_judges
from faultpair.sets.build import built_anew
from faultpair.studies.exchanges import read_exchange_log
from faultpair.studies.folder import StudyFolder
from faultpair.studies.manifest import HUMAN, STUDY_FILE, Manifest, read_manifest
from faultpair.studies.runs import Run, read_runs
from faultpair.studies.spec import StudySpec

from .sealed import check_folder

__all__ = ["forecast"]

FORECAST = "faultpair.cli.display.stops:expected_requests"
"""Imported for a study with `[stop]`: it brings NumPy."""


def forecast(
    folder: StudyFolder,
    *,
    extra: Sequence[str] = (),
    limits: RunLimits = RunLimits(),  # noqa: B008
) -> Iterator[str]:
    """Yield a line on each judge and one on the whole run; nothing is written in the folder."""
    check_folder(
        folder.out,
        study=folder.file,
        accept_edits=folder.accepts_edits,
        except_for=(STUDY_FILE, HUMAN),
    )
    log = read_exchange_log(folder.replies)
    selection = select_judges(folder, extra, limits, log)
    if folder.study.made_by_models and not folder.trajectories.exists():
        yield from _set_to_be_made(folder.study)
        return
    runs = _runs_of(folder)
    total = 0
    clear = set() if limits.goes_on else _clear_in(read_manifest(folder.manifest))
    for assignment in selection.assignments:
        requests = list(plan_requests([assignment], runs, selection.order))
        states = known = [RequestState.of(request, log) for request in requests]
        if not limits.share:
            states = [RequestState.of(request, log, share=False) for request in requests]
        n_known = sum(not state.is_open() for state in known)
        n_calls = sum(1 for _ in pending(states, share=limits.share, retry=limits.retry_errors))
        if assignment.judge.judge_id in clear:
            yield f"{assignment.judge.judge_id}: clear under [stop]; --go-on would ask it further"
            continue
        total += n_calls
        yield (
            f"{assignment.judge.judge_id}: {len(requests)} verdicts, {n_known} of them known; "
            f"{n_calls} requests to make"
        )
        if folder.study.stop is not None:
            yield from resolve_name(FORECAST)(folder.study.stop, requests, runs)
    yield f"In this run: {limits.bound(total)} of {total} requests; one that fails is made again."


def _clear_in(manifest: Manifest) -> set[str]:
    """Return the judges that ended in an earlier run, because their result is clear."""
    stop = manifest.stop
    ended = {} if stop is None else stop.ended
    return {
        judge_id
        for name, record in ended.items()
        if record.passed is not None
        for judge_id in (name, *name.split(" minus "))
    }


def _set_to_be_made(study: StudySpec) -> Iterator[str]:
    agent = study.agent
    if agent is not None:
        yield (
            f"{agent.engine} plays {agent.episodes} episodes of at most {agent.turns} turns; "
            "the requests of the judges are counted once they are complete."
        )
    n_records = sum(map(study.wants, range(study.clean)))
    for planner in study.planners:
        yield (
            f"{planner.engine} plans {n_records} records at {len(study.tiers)} tiers as "
            f"{planner.id}; the requests of the judges are counted once they are complete."
        )


def _runs_of(folder: StudyFolder) -> list[Run]:
    """Return the runs of a study, those of a model from its files and others from a build."""
    if folder.study.made_by_models:
        return list(read_runs(folder.trajectories, folder.instances))
    with built_anew(folder) as made:
        return list(read_runs(made.trajectories, made.instances))
