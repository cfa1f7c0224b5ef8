"""The set of a study whose runs models make."""

from __future__ import annotations

from faultpair.calls.session import CallSession
from faultpair.studies.folder import StudyFolder

from .episodes import play
from .plans import plan

__all__ = ["generate"]


def generate(folder: StudyFolder, session: CallSession) -> None:
    """Make what is missing: the episodes of an agent, or the plans of planners."""
    make = plan if folder.study.agent is None else play
    make(folder, session)
