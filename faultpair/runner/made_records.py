"""Records that a study folder keeps by their hashes alone, made again in a temporary folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from faultpair.env.errors import StudyError
from faultpair.studies.folder import StudyFolder, open_study
from faultpair.studies.manifest import MANIFEST, STUDY_FILE, read_manifest

from .current_verdicts import current_verdicts
from .panel import panel_of
from .run import run_study

__all__ = ["CurrentRecords", "are_kept_by_hash", "current_records", "kept_or_made"]


class CurrentRecords(NamedTuple):
    """The folder with the records of a study, its file of verdicts, and what was edited in it."""

    folder: Path
    verdicts: Path
    edited: tuple[str, ...] = ()


@contextmanager
def current_records(
    folder: Path, report: Callable[[str], None], *, accept_edits: bool = False
) -> Iterator[CurrentRecords]:
    """Yield the records of a study, made again if it keeps their hashes, with its verdicts.

    See `current_verdicts` for the parameters and the errors.
    """
    with (
        kept_or_made(folder) as records,
        current_verdicts(records, report, accept_edits=accept_edits) as (verdicts, edited),
    ):
        yield CurrentRecords(records, verdicts, edited)


@contextmanager
def kept_or_made(folder: Path) -> Iterator[Path]:
    """Yield a folder with the records of a study: its own, or a temporary one of its name.

    Raises
    ------
    StudyError
        If the study makes another set now than the one whose hashes its manifest has.
    """
    if not are_kept_by_hash(folder):
        yield folder
        return
    with TemporaryDirectory(prefix="faultpair-") as scratch:
        made = Path(scratch, folder.resolve().name)
        made.mkdir()
        for name in (STUDY_FILE, MANIFEST):
            shutil.copyfile(folder / name, made / name)
        run_study(open_study(made))
        _refuse_another_set(folder, made)
        yield made


def are_kept_by_hash(folder: Path) -> bool:
    """Return whether a study has no records but their hashes, and no judge of it needs a model."""
    if not ((folder / STUDY_FILE).is_file() and (folder / MANIFEST).is_file()):
        return False
    study = open_study(folder)
    return _has_hashes_alone(study) and not study.study.made_by_models and _needs_no_model(study)


def _has_hashes_alone(study: StudyFolder) -> bool:
    records = (study.instances, study.trajectories, study.verdicts, study.replies)
    hashes = read_manifest(study.manifest).sha256
    return study.trajectories.name in hashes and not any(file.exists() for file in records)


def _needs_no_model(study: StudyFolder) -> bool:
    return bool(study.study.judge_ids) and not panel_of(study.study).assignments


def _refuse_another_set(folder: Path, made: Path) -> None:
    kept, now = (read_manifest(each / MANIFEST).sha256 for each in (folder, made))
    if unlike := [name for name, digest in kept.items() if now.get(name) != digest]:
        raise StudyError(
            f"The study {folder / STUDY_FILE} makes another set now than the one whose hashes are "
            f"in {folder / MANIFEST}: {', '.join(unlike)} differ. Restore the study file, or "
            f"build the set again: faultpair build {folder}"
        )
