"""Attrition: requests to planners that brought no plan, by kind, and the costs of all requests."""

from __future__ import annotations

from collections.abc import Sequence

from faultpair.agents.parse_plan import Attrition
from faultpair.agents.plan_facts import PlanFacts

from ..stats.estimate import Estimate, count, point
from ..stats.intervals import proportion
from .alignment.key import ALL_TIERS, PlanKey, PlanNumbers
from .data import Plans

__all__ = ["attrition_numbers"]

A_COST = "a cost, not a sample statistic"


def attrition_numbers(plans: Plans) -> PlanNumbers:
    """Return, by planner and tier, requests, plans, lost requests by kind, and costs."""
    numbers: PlanNumbers = {}
    for planner in dict.fromkeys(facts.planner for facts in plans.attempts):
        own = [facts for facts in plans.attempts if facts.planner == planner]
        for tier in (ALL_TIERS, *dict.fromkeys(str(facts.tier) for facts in own)):
            some = [facts for facts in own if tier in (ALL_TIERS, facts.tier)]
            key = PlanKey("attrition", generator=planner, tier=tier)
            numbers |= {key._replace(of=name): n for name, n in _summary(some).items()}
    return numbers


def _summary(facts: Sequence[PlanFacts]) -> dict[str, Estimate]:
    n = len(facts)
    kept = sum(one.attrition is None for one in facts)
    costs = {
        "seconds": sum(one.latency_s for one in facts),
        "prompt-tokens": sum(one.prompt_tokens for one in facts),
        "completion-tokens": sum(one.completion_tokens for one in facts),
    }
    return {
        "planned": count(n, n),
        "kept": count(kept, n),
        "kept-share": proportion(kept, n, "there is no plan"),
        **{
            f"lost={kind}": count(sum(one.attrition is kind for one in facts), n)
            for kind in Attrition
        },
        **{name: point(all_ / n, n, "mean", A_COST) for name, all_ in costs.items()},
    }
