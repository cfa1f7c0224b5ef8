"""The seals of the files that a command reads, and the marks of what rests on edited ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from faultpair.analysis.tables.table import Table
from faultpair.env.errors import UsageError
from faultpair.runner.current_verdicts import checked_records
from faultpair.studies.manifest import MANIFEST, read_manifest
from faultpair.studies.seals import SET, edited_mark

from .terminal import say

__all__ = ["check_files", "check_folder", "marked_tables"]


def check_folder(
    folder: Path, *, study: Path | None = None, accept_edits: bool = False
) -> tuple[str, ...]:
    """Refuse records of a folder that are not what was sealed; return those that are accepted."""
    return checked_records(folder, say, study=study, accept_edits=accept_edits).edited


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


def marked_tables(tables: Iterable[Table], edited: tuple[str, ...]) -> Iterator[Table]:
    """Yield tables with the mark of edited records among their notes, if there are any."""
    for table in tables:
        yield replace(table, notes=(f"{edited_mark(edited)}.", *table.notes)) if edited else table
