"""A study: one experiment as a committed TOML file, and the folder that holds it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from env.errors import StudyError
from env.records import ReplyPolicy
from judges.task import AnswerForm

__all__ = [
    "AgentSpec",
    "ContrastSpec",
    "ModelJudgeSpec",
    "PlantSpec",
    "Study",
    "StudyFolder",
    "VoteSpec",
    "open_study",
]

Name = Annotated[str, Field(min_length=1)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PlantSpec(_Section):
    """How many of one fault type or control to plant, in which form, under which policy."""

    name: Name
    count: Annotated[int, Field(ge=1)]
    policy: Annotated[ReplyPolicy, Field(strict=False)] = ReplyPolicy.KEEP
    variant: Name | None = None


class ContrastSpec(_Section):
    """One judge minus another, and what the result was agreed to mean before the runs."""

    name: Name
    judge: Name
    against: Name
    metric: Literal["delta", "false-alarms"] = "delta"
    group: Name = "all"
    reading: str = ""


class ModelJudgeSpec(_Section):
    """A judge that is a model: what it is shown, what it is told, who is asked, how often.

    ``pairs`` limits it to that many faults, the first of the set's fixed order, with
    their clean parents.
    """

    id: Name
    engine: Name
    view: Name = "full-steps"
    task: Name = "check-steps"
    form: Annotated[AnswerForm | None, Field(strict=False)] = None
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    seed: int = 7
    samples: Annotated[int, Field(ge=1)] = 1
    repeats: Annotated[int, Field(ge=1)] = 1
    max_tokens: Annotated[int, Field(ge=1)] = 400
    pairs: Annotated[int, Field(ge=1)] | None = None
    graded: bool = True


class VoteSpec(_Section):
    """A judge made of another's passes: the majority of the first ``k``, or any one of them."""

    id: Name
    of: Name
    k: Annotated[int, Field(ge=1)] = 3
    rule: Literal["majority", "any"] = "majority"


class AgentSpec(_Section):
    """A model that plays the world: its runs are the set, and none is planted."""

    engine: Name
    episodes: Annotated[int, Field(ge=1)]
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    seed: int = 7
    turns: Annotated[int, Field(ge=1)] = 10


class Study(_Section):
    """What a study file says.

    ``clean`` is the number of clean runs wanted for their own sake; the clean
    parent of every planted run is added to them whatever it says.
    """

    title: Name
    domain: Name
    seed: int
    clean: Annotated[int, Field(ge=0)] = 0
    faults: tuple[PlantSpec, ...] = Field(default=(), strict=False)
    controls: tuple[PlantSpec, ...] = Field(default=(), strict=False)
    judges: tuple[Name, ...] = Field(default=(), strict=False)
    model_judges: tuple[ModelJudgeSpec, ...] = Field(default=(), strict=False)
    votes: tuple[VoteSpec, ...] = Field(default=(), strict=False)
    contrasts: tuple[ContrastSpec, ...] = Field(default=(), strict=False)
    agent: AgentSpec | None = None

    @property
    def plants(self) -> tuple[PlantSpec, ...]:
        """Everything to be planted, faults first."""
        return (*self.faults, *self.controls)


@dataclass(frozen=True, slots=True)
class StudyFolder:
    """Where a study lives: its file, and the names of the records beside it."""

    study: Study
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


def _parse(file: Path, text: str) -> Study:
    try:
        study = Study.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"The study {file} is not TOML: {error}.") from error
    except ValidationError as error:
        raise StudyError(f"The study {file} does not hold together:\n{_listed(error)}") from error
    if study.agent is not None and (study.plants or study.clean):
        raise StudyError(
            f"The study {file} has both an agent and clean or planted runs. Runs of a model are "
            "never mixed with planted ones: make it two studies."
        )
    if study.agent is None and not study.plants and not study.clean:
        raise StudyError(f"The study {file} asks for no runs: set clean, or list faults.")
    _refuse_repeats(file, study)
    return study


def _listed(error: ValidationError) -> str:
    return "\n".join(
        f"  {'.'.join(map(str, problem['loc']))}: {_said(problem['type'], problem)}"
        for problem in error.errors()
    )


def _said(kind: str, problem: Mapping[str, Any]) -> str:
    if kind == "missing":
        return "it is missing"
    if kind == "extra_forbidden":
        return "there is no such key here"
    return f"{problem['msg']} (it is {problem['input']!r:.60})"


def _refuse_repeats(file: Path, study: Study) -> None:
    variants: dict[tuple[str, ReplyPolicy], set[str | None]] = {}
    for plant in study.plants:
        seen = variants.setdefault((plant.name, plant.policy), set())
        # An entry without a variant draws among all, so it may not stand beside one with.
        if seen and (plant.variant in seen or None in (plant.variant, *seen)):
            raise StudyError(
                f"The study {file} lists {plant.name!r} twice with the same policy and variant. "
                "Merge the two entries, or give each a variant of its own."
            )
        seen.add(plant.variant)
