"""What came of asking models for plans, and its summary.

The facts of an attempt are kept as a record, so that whoever counts them needs
neither the world nor the reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from faultpair.env.plans.records import PlanInstance, Tier
from faultpair.env.records import ModelTurn, Record

from .parse_plan import Attrition, NoPlan, Plan

__all__ = ["PlanFacts", "PlanningSummary", "facts_of_plan", "summarise_plans"]


class PlanFacts(Record, frozen=True):
    """What one attempt to plan came to; there is a trajectory of this id if there is a plan.

    ``attrition`` says why there is none, and is None if there is one. ``scores`` are those
    of the programmatic reference as printed, by metric, None without a plan. Tokens and
    seconds are sums over all that the model was asked.
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
            told = ", ".join(f"{tier} {n}" for tier, n in tiers.items())
            lines.append(f"  no plan, {kind}: {sum(tiers.values())} ({told})")
        return "\n".join(lines)


def facts_of_plan(
    instance: PlanInstance,
    planner: str,
    plan: Plan | NoPlan,
    scores: Mapping[str, float] | None,
    turns: Sequence[ModelTurn],
) -> PlanFacts:
    """Return the facts of an attempt from its plan, its scores and what the model was asked."""
    lost, n_calls = (plan.kind, 0) if isinstance(plan, NoPlan) else (None, len(plan))
    return PlanFacts(
        f"{instance.instance_id}-{planner}",
        instance.instance_id,
        instance.record_id,
        instance.difficulty,
        instance.tier,
        instance.sector,
        planner,
        lost,
        n_calls,
        None if scores is None else dict(scores),
        sum(turn.prompt_tokens for turn in turns),
        sum(turn.cached_tokens for turn in turns),
        sum(turn.completion_tokens for turn in turns),
        round(sum(turn.latency_s for turn in turns), 6),
    )


def summarise_plans(facts: Iterable[PlanFacts]) -> tuple[PlanningSummary, ...]:
    """Count what the attempts came to, planner by planner as they come first."""
    groups: dict[str, list[PlanFacts]] = {}
    for fact in facts:
        groups.setdefault(fact.planner, []).append(fact)
    return tuple(_harvest(planner, group) for planner, group in groups.items())


def _harvest(planner: str, facts: Sequence[PlanFacts]) -> PlanningSummary:
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
