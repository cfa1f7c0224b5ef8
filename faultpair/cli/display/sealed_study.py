"""The seals of the records of a study, and of files of one.

Each function refuses records that are not what was sealed, as `check_folder` does.
"""

from __future__ import annotations

from pathlib import Path

from faultpair.env.errors import UsageError
from faultpair.studies.folder import StudyFolder, StudyIdentity, identity_of, refuse_another_study
from faultpair.studies.manifest import MANIFEST, STUDY_FILE, VERDICTS, read_manifest
from faultpair.studies.seals import SET

from .sealed import check_folder

__all__ = ["check_design", "check_files", "check_study"]


def check_study(folder: StudyFolder) -> str:
    """Check the records of a study, which must not be those of another one."""
    refuse_another_study(folder)
    return check_folder(folder.out, study=folder.file, accept_edits=folder.accepts_edits)


def check_design(folder: StudyFolder) -> str:
    """Check the records of a study, its study file only once a judge was asked.

    Until then a plan is for the study file as it is now, whatever set was built before.
    """
    kept = read_manifest(folder.manifest, accept_edits=folder.accepts_edits)
    is_judged = kept.sealed_logs or VERDICTS in kept.sha256
    return check_folder(
        folder.out,
        study=folder.file,
        accept_edits=folder.accepts_edits,
        except_for=() if is_judged else (STUDY_FILE,),
    )


def check_files(*files: Path, accept_edits: bool = False) -> str:
    """Check the folder of each file that belongs to the records of a study.

    Raises
    ------
    UsageError
        If the files are of two studies.
    """
    folders: dict[StudyIdentity, Path] = {}
    for file in files:
        if file.name in SET and (file.parent / MANIFEST).is_file():
            manifest = read_manifest(file.parent / MANIFEST, accept_edits=accept_edits)
            folders[identity_of(manifest)] = file.parent
    if len(folders) > 1:
        places = " and ".join(str(folder) for folder in folders.values())
        raise UsageError(f"{places} hold the records of two studies. Give files of one.")
    marks = [check_folder(folder, accept_edits=accept_edits) for folder in folders.values()]
    return "".join(marks)
