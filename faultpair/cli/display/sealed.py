"""The seals of the files that a command reads, and what is said of them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from faultpair.env.errors import UsageError
from faultpair.runner.current_verdicts import checked_records
from faultpair.studies.manifest import MANIFEST, read_manifest
from faultpair.studies.seals import SET

from .terminal import say

__all__ = ["check_files", "check_folder"]


def check_folder(
    folder: Path,
    *,
    study: Path | None = None,
    accept_edits: bool = False,
    except_for: Collection[str] = (),
) -> tuple[str, ...]:
    """Refuse records of a folder that are not what was sealed; return those that are accepted."""
    checked = checked_records(
        folder, say, study=study, accept_edits=accept_edits, except_for=except_for
    )
    return checked.edited


def check_files(*files: Path, accept_edits: bool = False) -> None:
    """Check the folder of each file that belongs to the records of a study.

    Raises
    ------
    UsageError
        If the files are of two studies.
    SealError
        If a record is not what was sealed, unless edits are accepted.
    """
    folders: dict[tuple[str | None, str | None, int | None], Path] = {}
    for file in files:
        if file.name in SET and (file.parent / MANIFEST).is_file():
            manifest = read_manifest(file.parent / MANIFEST, accept_edits=accept_edits)
            folders[manifest.title, manifest.domain, manifest.seed] = file.parent
    if len(folders) > 1:
        places = " and ".join(str(folder) for folder in folders.values())
        raise UsageError(f"{places} hold the records of two studies. Give files of one.")
    for folder in {file.parent for file in files if file.parent in folders.values()}:
        check_folder(folder, accept_edits=accept_edits)
