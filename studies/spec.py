"""The schema of `study.toml`: what a study builds, which judges judge it, what it contrasts."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import count
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from faultpair.engines.catalog import shown_name
from faultpair.engines.engine import ProcessOptions
from faultpair.engines.secrets import is_variable
from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError
from faultpair.env.plans.records import Tier
from faultpair.env.records import ReplyPolicy
from faultpair.judges.plans.conditions import GroundTruth, PlanForm
from faultpair.judges.task import AnswerForm

from .section import JudgeId, Name, Section
from .stop_spec import StopSpec

__all__ = [
    "CLEAN_FORMS",
    "MOST_PASSES",
    "AgentSpec",
    "ContrastSpec",
    "ModelJudgeSpec",
    "Name",
    "PlanJudgeSpec",
    "PlannerSpec",
    "PlantSpec",
    "StudySpec",
    "VoteSpec",
]

MOST_PASSES = 1_000
EngineName = Annotated[str, Field(min_length=1, max_length=10_000)]


def _variable(text: str) -> str:
    if not is_variable(text):
        raise ValueError("expected the name of an environment variable, not the key itself")
    return text


KeyFrom = Annotated[str, AfterValidator(_variable)] | None
"""The environment variable that holds the key of an engine's server. It is never sealed."""

Count = Annotated[int, Field(ge=0, le=10_000_000)]
Passes = Annotated[int, Field(ge=1, le=MOST_PASSES)]
Seed = Annotated[int, Field(ge=-(2**63), lt=2**63)]  # as those of TOML

CLEAN_FORMS = ("a number", "a table")
"""What errors call the two forms of the key ``clean``."""

Clean = Annotated[
    Annotated[Count, Tag(CLEAN_FORMS[0])] | Annotated[dict[Name, Count], Tag(CLEAN_FORMS[1])],
    Discriminator(lambda value: CLEAN_FORMS[isinstance(value, dict)]),
]


class PlantSpec(Section):
    """A fault type or control to plant: how often, with which reply policy, in which variant."""

    name: Name
    count: Annotated[int, Field(ge=1, le=10_000_000)]
    policy: Annotated[ReplyPolicy, Field(strict=False)] = ReplyPolicy.KEEP
    variant: Name | None = None


class ContrastSpec(Section):
    """One judge minus another; ``reading`` says what the result will mean."""

    name: Name
    judge: JudgeId
    against: JudgeId
    metric: Literal["delta", "false-alarms"] = "delta"
    group: Name = "all"
    reading: Annotated[str, Field(max_length=10_000)] = ""


class ModelJudgeSpec(Section):
    """A judge that is a model: its view, its task, its engine, its number of passes.

    ``pairs`` limits it to that many faults, the first in the set's fixed order, and
    their clean parents. ``env`` names the environment variables that the process of an external
    judge gets besides the usual ones, ``folder`` is where it works, and ``memory_mb`` limits its
    memory.
    """

    id: JudgeId
    engine: EngineName
    key_from: KeyFrom = None
    view: Name = "full-steps"
    task: Name = "check-steps"
    form: Annotated[AnswerForm | None, Field(strict=False)] = None
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    seed: Seed = 7
    samples: Passes = 1
    repeats: Passes = 1
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 400
    pairs: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    graded: bool = True
    env: Annotated[tuple[Name, ...], Field(strict=False)] = ()
    folder: Name | None = None
    memory_mb: Annotated[int, Field(ge=1, le=10_000_000)] | None = None

    @property
    def process(self) -> ProcessOptions:
        """What the process of an external judge is given; no part of the judge's seal."""
        return ProcessOptions(env=self.env, folder=self.folder, memory_mb=self.memory_mb)


class PlanJudgeSpec(Section):
    """A judge that grades plans: its condition, its engine, its number of passes, its tiers.

    ``default`` is the score that a rubric starts from. ``thinking`` adds the switch
    that some models understand; None adds nothing. ``retries`` is the number of
    requests that may follow one whose answer cannot be parsed. No tiers means all.
    """

    id: JudgeId
    engine: EngineName
    key_from: KeyFrom = None
    ground_truth: Annotated[GroundTruth, Field(strict=False)] = GroundTruth.NONE
    form: Annotated[PlanForm, Field(strict=False)] = PlanForm.RUBRIC
    default: float = 1.0
    thinking: bool | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    seed: Seed = 7
    repeats: Passes = 1
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 400
    retries: Annotated[int, Field(ge=0, le=2)] = 2
    tiers: Annotated[tuple[Annotated[Tier, Field(strict=False)], ...], Field(strict=False)] = ()

    @property
    def question(self) -> dict[str, Any]:
        """The settings that its answers depend on: all but id, tiers, repeats and key."""
        return self.model_dump(exclude={"id", "tiers", "repeats", "key_from"})

    @model_validator(mode="after")
    def _has_a_default_on_its_scale(self) -> Self:
        if self.default not in (0.5, 1.0):
            raise ValueError("default is the score that a rubric starts from: 1 or 0.5")
        if self.default == 0.5 and self.form is not PlanForm.RUBRIC:
            raise ValueError(f"default = 0.5 is for form = 'rubric', and the form is '{self.form}'")
        return self


class VoteSpec(Section):
    """A judge made of the first ``k`` passes of another: their majority, or any of them."""

    id: JudgeId
    of: JudgeId
    k: Passes = 3
    rule: Literal["majority", "any"] = "majority"


class AgentSpec(Section):
    """A model that acts in the world. Its runs are the set; nothing is planted in them."""

    engine: EngineName
    key_from: KeyFrom = None
    episodes: Annotated[int, Field(ge=1, le=10_000_000)]
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    seed: Seed = 7
    turns: Annotated[int, Field(ge=1, le=1_000)] = 10


class PlannerSpec(Section):
    """A model that plans. Its plans for the clean records, at every tier, are the set.

    The id of each of its plans ends with its id.
    """

    id: Annotated[Name, Field(pattern=r"^[A-Za-z0-9][\w.:-]*$")]
    engine: EngineName
    key_from: KeyFrom = None
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    seed: Seed = 7
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 500


class StudySpec(Section):
    """A study file.

    ``world`` is the version of the domain's world. A file without it is of world 1 for ever.
    Its key ``clean`` is a number of clean runs, or a table with a number for each
    scenario. The clean parent of each planted run is added to them. ``tiers`` are those
    at which the set holds each record, with its clean run and all that is planted in it.
    """

    title: Name
    domain: Name
    seed: Seed
    world: Literal[1, 2] = 1
    wanted: Clean = Field(default=0, alias="clean")
    tiers: tuple[Annotated[Tier, Field(strict=False)], ...] = Field(
        default=(Tier.EASY,), min_length=1, strict=False
    )
    faults: tuple[PlantSpec, ...] = Field(default=(), strict=False)
    controls: tuple[PlantSpec, ...] = Field(default=(), strict=False)
    judges: tuple[Name, ...] = Field(default=(), strict=False)
    model_judges: tuple[ModelJudgeSpec, ...] = Field(default=(), strict=False)
    plan_judges: tuple[PlanJudgeSpec, ...] = Field(default=(), strict=False)
    votes: tuple[VoteSpec, ...] = Field(default=(), strict=False)
    contrasts: tuple[ContrastSpec, ...] = Field(default=(), strict=False)
    stop: StopSpec | None = None
    agent: AgentSpec | None = None
    planners: tuple[PlannerSpec, ...] = Field(default=(), strict=False)

    @property
    def has_unnamed_world(self) -> bool:
        """Return whether it names no world, and its domain has another than the first."""
        return "world" not in self.model_fields_set and len(DOMAINS[self.domain].worlds) > 1

    @property
    def judge_ids(self) -> tuple[str, ...]:
        """The ids of all judges, votes last."""
        return (
            *map(shown_name, self.judges),
            *(judge.id for judge in self.model_judges),
            *(judge.id for judge in self.plan_judges),
            *(vote.id for vote in self.votes),
        )

    @property
    def asking(self) -> tuple[ModelJudgeSpec | PlanJudgeSpec | AgentSpec | PlannerSpec, ...]:
        """All tables that name an engine."""
        agent = () if self.agent is None else (self.agent,)
        return (*agent, *self.planners, *self.model_judges, *self.plan_judges)

    @property
    def key_variables(self) -> tuple[str, ...]:
        """The variables that hold the keys of its engines."""
        return tuple(table.key_from for table in self.asking if table.key_from is not None)

    @property
    def made_by_models(self) -> bool:
        """Whether models make the runs of the set, so that `build` cannot make them."""
        return self.agent is not None or bool(self.planners)

    @property
    def plants(self) -> tuple[PlantSpec, ...]:
        """All that is to be planted, faults first."""
        return (*self.faults, *self.controls)

    @property
    def clean(self) -> int:
        """The number of instances, from the first on, that hold all the wanted clean runs."""
        if isinstance(self.wanted, int):
            return self.wanted
        return next(reversed(self._wanted_by_scenario), -1) + 1

    def wants(self, index: int) -> bool:
        """Return whether the index-th instance is among the wanted clean runs."""
        if isinstance(self.wanted, int):
            return index < self.wanted
        return index in self._wanted_by_scenario

    @property
    def _wanted_by_scenario(self) -> dict[int, None]:
        assert isinstance(self.wanted, dict)
        return _first_of_each(self.domain, self.world, self.seed, tuple(self.wanted.items()))


@cache
def _first_of_each(
    domain: str, world: int, seed: int, counts: tuple[tuple[str, int], ...]
) -> dict[int, None]:
    """Return the indices of the first instances of each scenario, as many as wanted of each."""
    scenarios = DOMAINS[domain].scenarios
    for name, _ in counts:
        if name not in scenarios:
            raise StudyError(
                f"Clean runs are wanted of the scenario {name!r}, which {domain} does not have. "
                f"Its scenarios: {', '.join(scenarios)}."
            )
    missing = Counter(dict(counts))
    chosen: dict[int, None] = {}
    indices = count()
    while missing.total():
        index = next(indices)
        scenario = DOMAINS[domain].scenario_in(world, seed, index)
        if missing[scenario]:
            missing[scenario] -= 1
            chosen[index] = None
    return chosen
