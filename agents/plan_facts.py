"""The facts of a planner's attempts beyond their labels, and their summary.

They are kept as records, so that counting them needs neither the world nor the reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from faultpair.env.plans.records import Plan, PlanInstance, Tier
from faultpair.env.records import ModelTurn, Record

from .episode_facts import usage_of
from .parse_plan import Attrition, NoPlan

__all__ = ["PlanFacts", "PlanningSummary", "facts_of_plan", "summarise_plans"]


class PlanFacts(Record, frozen=True):
    """The outcome of one request for a plan; if there is a plan, a trajectory has this id.

    ``attrition`` is the kind of failure, None if there is a plan. ``scores`` are those of
    the programmatic reference as printed, by metric, None without a plan. Tokens and
    seconds are sums over all turns.
    """

    trajectory_id: str
    instance_id: str
    record_id: str
    topology: str
    tier: Tier
    sector: str
    planner: str
    attrition: Attrition | None
    n_calls: int
    scores: dict[str, float] | None
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    latency_s: float = 0.0


@dataclass(frozen=True, slots=True)
class PlanningSummary:
    """Counts over the plans of one planner; ``lost`` counts by kind of attrition and tier."""

    planner: str
    n_requests: int
    n_plans: int
    n_perfect: int
    lost: dict[Attrition, dict[Tier, int]]

    def __str__(self) -> str:
        plans = "plan" if self.n_plans == 1 else "plans"
        requests = "request" if self.n_requests == 1 else "requests"
        lines = [
            f"{self.planner}: {self.n_plans} {plans} of {self.n_requests} {requests}, "
            f"{self.n_perfect} perfect by the reference"
        ]
        for kind, tiers in self.lost.items():
            counts = ", ".join(f"{tier} {n}" for tier, n in tiers.items())
            lines.append(f"  no plan, {kind}: {sum(tiers.values())} ({counts})")
        return "\n".join(lines)


def facts_of_plan(
    instance: PlanInstance,
    planner: str,
    plan: Plan | NoPlan,
    scores: Mapping[str, float] | None,
    turns: Sequence[ModelTurn],
) -> PlanFacts:
    """Return the facts of an attempt from its plan, its scores and its turns."""
    attrition, n_calls = (plan.kind, 0) if isinstance(plan, NoPlan) else (None, len(plan))
    return PlanFacts(
        trajectory_id=f"{instance.instance_id}-{planner}",
        instance_id=instance.instance_id,
        record_id=instance.record_id,
        topology=instance.difficulty,
        tier=instance.tier,
        sector=instance.sector,
        planner=planner,
        attrition=attrition,
        n_calls=n_calls,
        scores=None if scores is None else dict(scores),
        **usage_of(turns),
    )


def summarise_plans(facts: Iterable[PlanFacts]) -> tuple[PlanningSummary, ...]:
    """Count the outcomes, planner by planner in the order of their first attempts."""
    groups: dict[str, list[PlanFacts]] = {}
    for fact in facts:
        groups.setdefault(fact.planner, []).append(fact)
    return tuple(_summary(planner, group) for planner, group in groups.items())


def _summary(planner: str, facts: Sequence[PlanFacts]) -> PlanningSummary:
    scored = [fact.scores for fact in facts if fact.scores is not None]
    return PlanningSummary(
        planner,
        len(facts),
        len(scored),
        sum(all(value == 1 for value in scores.values()) for scores in scored),
        dict(_lost(facts)),
    )


def _lost(facts: Sequence[PlanFacts]) -> Iterable[tuple[Attrition, dict[Tier, int]]]:
    for kind in Attrition:
        tiers = Counter(fact.tier for fact in facts if fact.attrition is kind)
        if tiers:
            yield kind, {tier: tiers[tier] for tier in Tier if tiers[tier]}
