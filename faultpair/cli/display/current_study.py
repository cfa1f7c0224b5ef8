"""A study with its verdicts as they are now, also after a run that did not end."""

from __future__ import annotations

from dataclasses import replace

from faultpair.analysis.data.study_data import StudyData, load_study
from faultpair.analysis.plans.data import Plans, load_plans
from faultpair.env.errors import StudyError
from faultpair.runner.current_verdicts import current_verdicts
from faultpair.studies.folder import StudyFolder, refuse_another_study

from .terminal import say

__all__ = ["load_current"]


def load_current(
    folder: StudyFolder, *, accept_edits: bool = False
) -> tuple[StudyData, Plans | None]:
    """Return the records of a study, and its plans if they are graded.

    A message says if the verdicts had to be derived.

    Raises
    ------
    StudyError
        If the folder holds no trajectories, or neither verdicts nor kept answers.
    RecordError
        If a record in it does not fit, or is not what was sealed and edits are not accepted.
    """
    refuse_another_study(folder)
    # Records may be in another folder than the study file, whose folder names the study.
    name = folder.file.resolve().parent.name
    with current_verdicts(folder.out, say, study=folder.file, accept_edits=accept_edits) as (
        verdicts,
        edited,
    ):
        for file in (folder.trajectories, verdicts):
            if not file.is_file():
                raise StudyError(
                    f"Study '{name}' has no {file.name} in {folder.out}; run it first. "
                    "If its records lie elsewhere, name their folder with --out."
                )
        study = load_study(folder.out, verdicts, edited=edited)
        return replace(study, name=name), load_plans(folder.out, study, verdicts)
