"""The set of a study: built, or made by the models that the study names."""

from __future__ import annotations

from faultpair.calls.session import CallSession
from faultpair.sets.build import SetSource, build_from
from faultpair.sets.episodes import play
from faultpair.sets.plans import plan
from faultpair.studies.folder import StudyFolder
from faultpair.studies.manifest import read_manifest

__all__ = ["make_set"]


def make_set(folder: StudyFolder, source: SetSource, session: CallSession) -> None:
    """Make the set of a study, and remove the verdicts if it differs from the set before."""
    before = read_manifest(folder.manifest).sha256.get(folder.trajectories.name)
    if folder.study.agent is not None:
        play(folder, session)
    elif folder.study.planners:
        plan(folder, session)
    else:
        listener = session.listener
        build_from(source, folder, None if listener is None else listener.on_built)
    if before != read_manifest(folder.manifest).sha256.get(folder.trajectories.name):
        folder.verdicts.unlink(missing_ok=True)
