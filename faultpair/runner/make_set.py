"""The set of a study: built, or made by the models that the study names."""

from __future__ import annotations

from faultpair.calls.session import EngineFactory, ProgressListener, RunLimits
from faultpair.sets.agent import play
from faultpair.sets.build import SetSource, build_from
from faultpair.sets.planner import plan
from faultpair.studies.folder import StudyFolder
from faultpair.studies.manifest import kept_hash, read_manifest

__all__ = ["make_set"]


def make_set(
    folder: StudyFolder,
    *,
    source: SetSource,
    limits: RunLimits,
    engines: EngineFactory,
    listener: ProgressListener | None,
) -> None:
    """Make the set of a study, and remove the verdicts if it differs from the set before."""
    before = kept_hash(read_manifest(folder.manifest), folder.trajectories.name)
    on_message = None if listener is None else listener.on_message
    if folder.study.agent is not None:
        play(folder, engines, patience=limits.patience, tell=on_message)
    elif folder.study.planners:
        plan(folder, engines, patience=limits.patience, tell=on_message)
    else:
        build_from(source, folder, None if listener is None else listener.on_built)
    if before != kept_hash(read_manifest(folder.manifest), folder.trajectories.name):
        folder.verdicts.unlink(missing_ok=True)
