"""The work of the judges of a study: verdicts and requests, before the first answer."""

from __future__ import annotations

from collections.abc import Sequence

from faultpair.analysis.tables.power import Load
from faultpair.runner.panel import JudgeAssignment, Panel
from faultpair.runner.requests import in_share, plan_requests
from faultpair.studies.folder import StudyFolder
from faultpair.studies.runs import Run, read_runs

__all__ = ["loads_of"]


def loads_of(panel: Panel, folder: StudyFolder) -> dict[str, Load]:
    """Return the work of each judge on the set of a folder, in a study without any answers."""
    runs = list(read_runs(folder.trajectories, folder.instances))
    without = {judge.judge_id: Load(judge.view, len(runs)) for judge in panel.without_model}
    assigned = {each.judge.judge_id: each for each in panel.assignments}
    models = {judge_id: _load(each, runs) for judge_id, each in assigned.items()}
    voters = {vote.id: assigned[vote.of] for vote in panel.votes}
    votes = {name: Load(of.judge.view, len(in_share(of, runs))) for name, of in voters.items()}
    return {**without, **models, **votes}


def _load(assigned: JudgeAssignment, runs: Sequence[Run]) -> Load:
    keys = [request.key for request in plan_requests([assigned], runs)]
    return Load(assigned.judge.view, len(keys), len(set(keys)))
