"""The folder of a study: its `study.toml`, which is parsed here alone, and its records' paths."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from faultpair.engines.secrets import shown_text
from faultpair.env.errors import FaultpairError, StudyError

from .manifest import MANIFEST, STUDY_FILE, Manifest, readable_manifest
from .spec import CLEAN_FORMS, StudySpec
from .validate import refuse_contradictions

__all__ = [
    "StudyFolder",
    "StudyIdentity",
    "errors_named_by",
    "identity_of",
    "open_study",
    "problems_in",
    "read_study",
    "refuse_another_study",
    "refuse_records_of_others",
]

StudyIdentity = tuple[str | None, str | None, int | None]

MOST_BYTES = 1_000_000
"""The longest study file that is read."""


@dataclass(frozen=True, slots=True)
class StudyFolder:
    """A study, its file, and the folder ``out`` of its records.

    ``accepts_edits`` says that records which are not what was sealed may be used.
    """

    study: StudySpec
    file: Path
    out: Path
    accepts_edits: bool = False

    @property
    def trajectories(self) -> Path:
        return self.out / "trajectories.jsonl"

    @property
    def instances(self) -> Path:
        return self.out / "instances.jsonl"

    @property
    def verdicts(self) -> Path:
        return self.out / "verdicts.jsonl"

    @property
    def replies(self) -> Path:
        return self.out / "replies.jsonl"

    @property
    def manifest(self) -> Path:
        return self.out / MANIFEST


@contextmanager
def errors_named_by(folder: Path, copy: Path) -> Iterator[None]:
    """Name the folder of a study in errors, in place of a temporary one with copies from it."""
    try:
        yield
    except FaultpairError as error:
        error.args = tuple(str(arg).replace(str(copy), str(folder)) for arg in error.args)
        raise


def open_study(path: Path, out: Path | None = None) -> StudyFolder:
    """Read a study from its file or its folder; its records go to ``out`` or beside the file.

    Raises
    ------
    StudyError
        If the file is missing, is not TOML, or a field of it is wrong.
    """
    file = path / STUDY_FILE if path.is_dir() else path
    return StudyFolder(_parse(file, _read(file)), file, out or file.parent)


def read_study(folder: Path) -> StudySpec | None:
    """Return the study of a folder of records; None if its file is elsewhere, as with --out."""
    return open_study(folder).study if (folder / STUDY_FILE).is_file() else None


def identity_of(study: Manifest | StudySpec) -> StudyIdentity:
    """Return what tells a study from another one: its title, its domain and its seed."""
    return study.title, study.domain, study.seed


def refuse_another_study(folder: StudyFolder) -> None:
    """Refuse a folder given for the records of a study that holds those of another one.

    A study may be edited in its own folder; a folder beside it that was named by mistake
    would lose its set, or lend its numbers to the wrong study.
    """
    if folder.out.resolve() == folder.file.resolve().parent:
        return
    kept, study = readable_manifest(folder.manifest), folder.study
    if kept.title is None or identity_of(kept) == identity_of(study):
        return
    raise StudyError(
        f"{folder.out} holds the records of another study, {kept.title!r} with seed {kept.seed}, "
        f"and {folder.file} is {study.title!r} with seed {study.seed}. Name another folder with "
        "--out."
    )


def refuse_records_of_others(folder: StudyFolder) -> None:
    """Refuse to make a set beside the study file of another study, or beside foreign verdicts.

    Raises
    ------
    StudyError
        If the folder of records holds such a file.
    """
    own = folder.out / STUDY_FILE
    if own.is_file() and not own.samefile(folder.file):
        there, study = open_study(own).study, folder.study
        if identity_of(there) != identity_of(study):
            raise StudyError(
                f"{own} is another study, {there.title!r}, whose records belong there. Name "
                "another folder with --out."
            )
    has_run = folder.manifest.is_file() or folder.replies.is_file()
    if folder.verdicts.is_file() and not has_run:
        raise StudyError(
            f"{folder.verdicts} belongs to no run: there is no {MANIFEST} beside it. Move it away, "
            "or name another folder with --out."
        )


def _read(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise StudyError(
            f"Cannot read the study {file}: {error.strerror}. "
            "Give the path of a study.toml or of the folder that holds it."
        ) from error
    if len(content) > MOST_BYTES:
        raise StudyError(f"The study {file} is longer than {MOST_BYTES:,} bytes. Make several.")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise StudyError(f"The study {file} is not UTF-8 text.") from error


def _parse(file: Path, text: str) -> StudySpec:
    try:
        study = StudySpec.model_validate(tomllib.loads(text))
    except ValidationError as error:
        raise StudyError(f"The study {file} is not valid:\n{problems_in(error)}") from error
    except (ValueError, RecursionError) as error:  # a number or a nesting without bounds, too
        raise StudyError(f"The study {file} is not TOML: {error}.") from error
    refuse_contradictions(file, study)
    return study


def problems_in(error: ValidationError) -> str:
    """Return a line for each key that does not fit."""
    return "\n".join(
        f"  {_key(problem['loc'])}: {_description(problem)}" for problem in error.errors()
    )


def _key(parts: tuple[int | str, ...]) -> str:
    """Return the key that an error is about, without the form in which it was read."""
    return ".".join(str(part) for part in parts if part not in CLEAN_FORMS)


def _description(problem: Mapping[str, Any]) -> str:
    if problem["type"] == "missing":
        return "it is missing"
    if problem["type"] == "extra_forbidden":
        return "there is no such key here"
    if problem["loc"][-1] == "key_from":  # it may be a key
        return str(problem["msg"])
    return f"{problem['msg']} (it is {shown_text(repr(problem['input'])):.60})"
