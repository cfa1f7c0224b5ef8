"""A study: one experiment, as its file says it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import count
from typing import Annotated

from pydantic import Discriminator, Field, Tag

from faultpair.env.catalog import DOMAINS
from faultpair.env.errors import StudyError
from faultpair.env.plans.records import Tier

from .sections import (
    AgentSpec,
    ContrastSpec,
    ModelJudgeSpec,
    Name,
    PlanJudgeSpec,
    PlannerSpec,
    PlantSpec,
    Section,
    VoteSpec,
)

__all__ = ["FORMS_OF_CLEAN", "StudySpec"]

Count = Annotated[int, Field(ge=0, le=10_000_000)]

FORMS_OF_CLEAN = ("a number", "a table")
"""How errors call the two forms of the key ``clean``."""

Clean = Annotated[
    Annotated[Count, Tag(FORMS_OF_CLEAN[0])] | Annotated[dict[Name, Count], Tag(FORMS_OF_CLEAN[1])],
    Discriminator(lambda value: FORMS_OF_CLEAN[isinstance(value, dict)]),
]


class StudySpec(Section):
    """What a study file says.

    Its key ``clean`` is the number of clean runs wanted for their own sake, or a table
    with a number for each scenario; the clean parent of every planted run is added to
    them whatever it says. ``tiers`` are those at which each record of the workflow
    domain comes, every time with its clean run and with all that is planted in it.
    """

    title: Name
    domain: Name
    seed: int
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
    agent: AgentSpec | None = None
    planners: tuple[PlannerSpec, ...] = Field(default=(), strict=False)

    @property
    def is_played(self) -> bool:
        """Whether models make the runs of the set, so that no build can."""
        return self.agent is not None or bool(self.planners)

    @property
    def plants(self) -> tuple[PlantSpec, ...]:
        """Everything to be planted, faults first."""
        return (*self.faults, *self.controls)

    @property
    def clean(self) -> int:
        """How many instances, from the first on, hold all the wanted clean runs."""
        if isinstance(self.wanted, int):
            return self.wanted
        return next(reversed(self._wanted_by_scenario), -1) + 1

    def wants(self, index: int) -> bool:
        """Return whether the clean run of the index-th instance is wanted for its own sake."""
        if isinstance(self.wanted, int):
            return index < self.wanted
        return index in self._wanted_by_scenario

    @property
    def _wanted_by_scenario(self) -> dict[int, None]:
        assert isinstance(self.wanted, dict)
        return _first_of_each(self.domain, tuple(self.wanted.items()))


@cache
def _first_of_each(domain: str, counts: tuple[tuple[str, int], ...]) -> dict[int, None]:
    """Return the indices of the first so many instances of each scenario, in their order."""
    scenarios = DOMAINS[domain].scenarios
    for name, _ in counts:
        if name not in scenarios:
            raise StudyError(
                f"Clean runs are wanted of the scenario {name!r}, which {domain} does not have. "
                f"Its scenarios: {', '.join(scenarios)}."
            )
    missing = Counter(dict(counts))
    found: dict[int, None] = {}
    indices = count()
    while missing.total():
        index = next(indices)
        scenario = DOMAINS[domain].scenario(index)
        if missing[scenario]:
            missing[scenario] -= 1
            found[index] = None
    return found
