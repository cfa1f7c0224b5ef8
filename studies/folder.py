"""The folder that holds a study: its committed TOML file, and the records beside it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from faultpair.env.errors import StudyError

from .spec import FORMS_OF_CLEAN, StudySpec
from .validate import refuse_contradictions

__all__ = ["StudyFolder", "open_study"]


@dataclass(frozen=True, slots=True)
class StudyFolder:
    """Where a study lives: its file, and the names of the records beside it."""

    study: StudySpec
    file: Path
    out: Path

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
        return self.out / "manifest.json"


def open_study(path: Path, out: Path | None = None) -> StudyFolder:
    """Read a study from its file or its folder; records go to ``out`` or beside the file.

    Raises
    ------
    StudyError
        If the file is not there, is not TOML, or a field of it is wrong.
    """
    file = path / "study.toml" if path.is_dir() else path
    study = _parse(file, _read(file))
    return StudyFolder(study, file, out or file.parent)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise StudyError(
            f"Cannot read the study {file}: {error.strerror}. "
            "Give the path of a study.toml or of the folder that holds it."
        ) from error
    except UnicodeDecodeError as error:
        raise StudyError(f"The study {file} is not UTF-8 text.") from error


def _parse(file: Path, text: str) -> StudySpec:
    try:
        study = StudySpec.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"The study {file} is not TOML: {error}.") from error
    except ValidationError as error:
        raise StudyError(f"The study {file} does not hold together:\n{_listed(error)}") from error
    refuse_contradictions(file, study)
    return study


def _listed(error: ValidationError) -> str:
    return "\n".join(
        f"  {_place(problem['loc'])}: {_said(problem['type'], problem)}"
        for problem in error.errors()
    )


def _place(parts: tuple[int | str, ...]) -> str:
    """Return the key that an error is about; which form it was read in goes without saying."""
    return ".".join(str(part) for part in parts if part not in FORMS_OF_CLEAN)


def _said(kind: str, problem: Mapping[str, Any]) -> str:
    if kind == "missing":
        return "it is missing"
    if kind == "extra_forbidden":
        return "there is no such key here"
    return f"{problem['msg']} (it is {problem['input']!r:.60})"
