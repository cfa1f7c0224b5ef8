"""The set of a study whose runs models make."""

from __future__ import annotations

from faultpair.calls.session import CallSession
from faultpair.studies.folder import StudyFolder

from .episodes import make_episodes
from .plans import make_plans

__all__ = ["generate"]


def generate(folder: StudyFolder, session: CallSession) -> None:
    """Make what is missing: the episodes of an agent, or the plans of planners."""
    make = make_plans if folder.study.agent is None else make_episodes
    make(folder, session)
