"""The judges and planners of a study of plans: each engine, and the condition that it judges under.

In a study file an engine under a condition is one judge, and the tables of alignment want
engine and condition apart. A condition is named after the ground truth that is shown, and
after each setting that is unusual.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import ValidationError

from faultpair.env.errors import RecordError
from faultpair.judges.plans.conditions import GroundTruth, PlanForm
from faultpair.studies.folder import problems_in, read_study
from faultpair.studies.manifest import MANIFEST, read_manifest
from faultpair.studies.spec import PlanJudgeSpec, PlannerSpec

from .graders import CORRUPTED, WITH_TRUTH, WITHOUT

__all__ = ["PlanSettings"]

_TRUTHS = {
    GroundTruth.SHOWN: WITH_TRUTH,
    GroundTruth.NONE: WITHOUT,
    GroundTruth.CORRUPTED: CORRUPTED,
}
_THINKING = {True: "thinking", False: "not-thinking", None: "thinking-unsaid"}
_OF_THE_ENGINE: dict[str, Callable[[Any], str]] = {
    "thinking": lambda value: _THINKING[value],
    "temperature": lambda value: f"temperature-{value:g}",
    "seed": lambda value: f"seed-{value}",
    "max_tokens": lambda value: f"max-tokens-{value}",
    "retries": lambda value: f"retries-{value}",
}
"""The settings whose usual value is a matter of the engine, and how another is named."""

SpecT = TypeVar("SpecT", PlanJudgeSpec, PlannerSpec)


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """All judges of plans and all planners of a study."""

    judges: tuple[PlanJudgeSpec, ...] = ()
    planners: tuple[PlannerSpec, ...] = ()

    @classmethod
    def of(cls, folder: Path, *, accept_edits: bool = False) -> Self:
        """Join those of the study file with those that are in the manifest alone.

        Raises
        ------
        StudyError
            If the study file is not valid.
        RecordError
            If the manifest is not valid, or a sealed judge or planner does not fit.
        """
        study = read_study(folder)
        manifest = read_manifest(folder / MANIFEST, accept_edits=accept_edits)
        of_plans = {
            name: manifest.entry("judges", name)
            for name, seal in manifest.judges.items()
            if seal.ground_truth is not None
        }
        of_planners = {name: manifest.entry("planners", name) for name in manifest.planners}
        return cls(
            _joined(PlanJudgeSpec, study.plan_judges if study is not None else (), of_plans),
            _joined(PlannerSpec, study.planners if study is not None else (), of_planners),
        )

    def conditions(self) -> dict[str, str]:
        """Return the condition of each judge by its id, such as ``without-gt-binary``.

        The form of the grades and the score to start from are named if they are not the
        default, since they make another scale. Thinking, temperature and the like are named
        if they are not usual of the engine. Usual is the default if one of the engine's
        judges has it, else what its first judge has.
        """
        return {judge.id: self._condition(judge) for judge in self.judges}

    def own_planners(self) -> dict[str, str]:
        """Return the planner that has the same engine, by the engine of each judge."""
        planner_of: dict[str, str] = {}
        for planner in self.planners:
            planner_of.setdefault(planner.engine, planner.id)
        asked = dict.fromkeys(judge.engine for judge in self.judges)
        return {engine: planner_of[engine] for engine in asked if engine in planner_of}

    def _condition(self, judge: PlanJudgeSpec) -> str:
        words = [_TRUTHS[judge.ground_truth]]
        if judge.form is not PlanForm.RUBRIC:
            words.append(judge.form)
        if judge.default == 0.5:
            words.append("from-half")
        for setting, named in _OF_THE_ENGINE.items():
            value = getattr(judge, setting)
            if value != self._usual(judge.engine, setting):
                words.append(named(value))
        return "-".join(words)

    def _usual(self, engine: str, setting: str) -> Any:
        values = [getattr(judge, setting) for judge in self.judges if judge.engine == engine]
        default = PlanJudgeSpec.model_fields[setting].default
        return default if default in values else values[0]


def _joined(
    kind: type[SpecT], named: Iterable[SpecT], seals: Mapping[str, dict[str, Any]]
) -> tuple[SpecT, ...]:
    """Return what the study file names, then what is sealed and no longer named."""
    specs = {spec.id: spec for spec in named}
    for name, seal in seals.items():
        if name not in specs:
            specs[name] = _spec(kind, name, seal)
    return tuple(specs.values())


def _spec(kind: type[SpecT], name: str, seal: dict[str, Any]) -> SpecT:
    settings = {key: value for key, value in seal.items() if key in kind.model_fields}
    try:
        return kind.model_validate({**settings, "id": name})
    except ValidationError as error:
        raise RecordError(
            f"The manifest has a seal of {name!r} that does not fit:\n{problems_in(error)}"
        ) from error
