"""Who grades plans and who makes them, from a study file: the judge asked, and its condition.

In a study file an engine under a condition is one judge. The tables of alignment want
them apart: who is asked, and how. A condition is named after the ground truth, and
after whatever else is unusual about it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec

from faultpair.env.errors import StudyError
from faultpair.env.plans.records import Tier
from faultpair.judges.plans.conditions import GroundTruth, PlanForm

__all__ = ["CORRUPTED", "WITHOUT", "WITH_TRUTH", "Cast", "PlanJudgeEntry", "PlannerEntry"]

WITH_TRUTH = "with-gt"
WITHOUT = "without-gt"
CORRUPTED = "corrupted-gt"

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

T = TypeVar("T")


class PlanJudgeEntry(msgspec.Struct, frozen=True, gc=False):
    """A judge that grades plans, as its study or its seal has it; no tiers stand for all."""

    id: str
    engine: str
    ground_truth: GroundTruth = GroundTruth.NONE
    form: PlanForm = PlanForm.RUBRIC
    default: float = 1.0
    thinking: bool | None = None
    temperature: float = 0.0
    seed: int = 7
    max_tokens: int = 400
    retries: int = 2
    tiers: tuple[Tier, ...] = ()


class PlannerEntry(msgspec.Struct, frozen=True, gc=False):
    """A model that plans."""

    id: str
    engine: str


@dataclass(frozen=True, slots=True)
class Cast:
    """All who grade or make the plans of a study."""

    judges: tuple[PlanJudgeEntry, ...] = ()
    planners: tuple[PlannerEntry, ...] = ()

    @classmethod
    def of(cls, folder: Path) -> Self:
        """Read the study file and the seals of its manifest; what only the latter names counts too.

        Raises
        ------
        StudyError
            If an entry does not fit.
        """
        named, sealed = _study_file(folder / "study.toml"), _seals(folder / "manifest.json")
        judges, planners = (
            {entry.get("id"): entry for entry in named.get(key, ())}
            for key in ("plan_judges", "planners")
        )
        of_plans = {
            name: seal for name, seal in sealed.get("judges", {}).items() if "ground_truth" in seal
        }
        return cls(
            _entries(_joined(judges, of_plans), PlanJudgeEntry, folder),
            _entries(_joined(planners, sealed.get("planners", {})), PlannerEntry, folder),
        )

    def conditions(self) -> dict[str, str]:
        """Return the condition of each judge by its id, such as ``without-gt-binary``.

        The form of the grades and the score to start from are named if they are not the
        default: a scale is another one whoever is asked. Thinking, temperature and the like
        are named if they are not what is usual of the engine: the default if it has a judge
        with that, else what its first judge has.
        """
        return {judge.id: self._condition(judge) for judge in self.judges}

    def own(self) -> dict[str, str]:
        """Return which planner is a judge's own model, by the judge's engine."""
        planner_of: dict[str, str] = {}
        for planner in self.planners:
            planner_of.setdefault(planner.engine, planner.id)
        asked = dict.fromkeys(judge.engine for judge in self.judges)
        return {engine: planner_of[engine] for engine in asked if engine in planner_of}

    def _condition(self, judge: PlanJudgeEntry) -> str:
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
        default = getattr(_DEFAULTS, setting)
        return default if default in values else values[0]


_DEFAULTS = PlanJudgeEntry("", "")


def _study_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig")) if path.is_file() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StudyError(f"{path} is not a study file: {error}.") from error


def _seals(path: Path) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(path.read_bytes()) if path.is_file() else {}
    except msgspec.DecodeError as error:
        raise StudyError(f"Cannot read {path}: {error}. Restore it.") from error
    return found if isinstance(found, dict) else {}


def _joined(
    named: Mapping[str, dict[str, Any]], sealed: Mapping[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return what the file names, then what is sealed and no longer named."""
    left = ({**seal, "id": name} for name, seal in sealed.items() if name not in named)
    return [*named.values(), *left]


def _entries(entries: Iterable[dict[str, Any]], kind: type[T], folder: Path) -> tuple[T, ...]:
    try:
        return tuple(msgspec.convert(entry, kind) for entry in entries)
    except msgspec.ValidationError as error:
        raise StudyError(
            f"The study in {folder} describes a judge of plans, or a planner, that does not fit: "
            f"{error}."
        ) from error
