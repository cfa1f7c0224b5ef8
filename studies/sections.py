"""The sections of a study file: what is planted, who judges, who plays, and what is contrasted."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from faultpair.env.plans.records import Tier
from faultpair.env.records import ReplyPolicy
from faultpair.judges.plans.conditions import GroundTruth, PlanForm
from faultpair.judges.task import AnswerForm

__all__ = [
    "AgentSpec",
    "ContrastSpec",
    "ModelJudgeSpec",
    "Name",
    "PlanJudgeSpec",
    "PlannerSpec",
    "PlantSpec",
    "Section",
    "VoteSpec",
]

Name = Annotated[str, Field(min_length=1)]


class Section(BaseModel):
    """A table of a study file; a key that it does not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PlantSpec(Section):
    """How many of one fault type or control to plant, in which form, under which policy."""

    name: Name
    count: Annotated[int, Field(ge=1)]
    policy: Annotated[ReplyPolicy, Field(strict=False)] = ReplyPolicy.KEEP
    variant: Name | None = None


class ContrastSpec(Section):
    """One judge minus another, and what the result was agreed to mean before the runs."""

    name: Name
    judge: Name
    against: Name
    metric: Literal["delta", "false-alarms"] = "delta"
    group: Name = "all"
    reading: str = ""


class ModelJudgeSpec(Section):
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


class PlanJudgeSpec(Section):
    """A judge that grades plans: the condition, who is asked, how often, on which tiers.

    ``default`` is the score that a rubric starts from. ``thinking`` adds the switch
    that some models understand; left out, nothing is said. ``retries`` is how often an
    answer that cannot be read is asked for again.
    """

    id: Name
    engine: Name
    ground_truth: Annotated[GroundTruth, Field(strict=False)] = GroundTruth.NONE
    form: Annotated[PlanForm, Field(strict=False)] = PlanForm.RUBRIC
    default: float = 1.0
    thinking: bool | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    seed: int = 7
    repeats: Annotated[int, Field(ge=1)] = 1
    max_tokens: Annotated[int, Field(ge=1)] = 400
    retries: Annotated[int, Field(ge=0, le=2)] = 2
    tiers: Annotated[tuple[Annotated[Tier, Field(strict=False)], ...], Field(strict=False)] = ()

    @property
    def question(self) -> dict[str, Any]:
        """What makes its answers those of another judge: all but id, tiers and repeats."""
        return self.model_dump(exclude={"id", "tiers", "repeats"})

    @model_validator(mode="after")
    def _has_a_default_on_its_scale(self) -> Self:
        if self.default not in (0.5, 1.0):
            raise ValueError("default is the score that a rubric starts from: 1 or 0.5")
        if self.default == 0.5 and self.form is not PlanForm.RUBRIC:
            raise ValueError(f"default = 0.5 is for form = 'rubric', and the form is '{self.form}'")
        return self


class VoteSpec(Section):
    """A judge made of another's passes: the majority of the first ``k``, or any one of them."""

    id: Name
    of: Name
    k: Annotated[int, Field(ge=1)] = 3
    rule: Literal["majority", "any"] = "majority"


class AgentSpec(Section):
    """A model that plays the world: its runs are the set, and none is planted."""

    engine: Name
    episodes: Annotated[int, Field(ge=1)]
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    seed: int = 7
    turns: Annotated[int, Field(ge=1)] = 10


class PlannerSpec(Section):
    """A model that plans: its plans of the clean records, at every tier, are the set.

    The id becomes the end of the id of each of its plans.
    """

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.:-]*$")]
    engine: Name
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    seed: int = 7
    max_tokens: Annotated[int, Field(ge=1)] = 500
