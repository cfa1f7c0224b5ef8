"""The labels of a model's plans: from the programmatic reference, and from running the plan.

A plan is faulty if any of the four printed metrics is below 1. They see structure
alone, so what is called its first fault is the first call whose tool or whose
arguments' names are not the reference's; a wrong value is seen by the outcome only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from faultpair.agents.parse_plan import Plan
from faultpair.env.catalog import DOMAINS
from faultpair.env.kernel import Action, replay, run_episode
from faultpair.env.plans.records import PlanInstance
from faultpair.env.records import Call, Label, Trajectory
from faultpair.judges.plan_metrics.metrics import Scores, score

__all__ = ["IMPERFECT", "first_departure", "labelled_plan"]

IMPERFECT = "imperfect_plan"


def labelled_plan(
    instance: PlanInstance, plan: Plan, trajectory_id: str
) -> tuple[Trajectory, Scores]:
    """Return a plan as a labelled run, and its scores."""
    domain = DOMAINS[instance.domain]
    episode = run_episode(domain, instance, replay([Action(call) for call in plan]))
    scores = score(plan, instance.plan)
    faulty = not scores.perfect
    label = Label(
        faulty,
        first_departure(plan, instance.plan) if faulty else None,
        IMPERFECT if faulty else None,
        domain.reached(instance, episode.end_state),
    )
    return episode.recorded(trajectory_id, instance, label, domain=domain.name), scores


def first_departure(plan: Sequence[Call], reference: Sequence[Call]) -> int | None:
    """Return the place of the first call that is not as in the reference, None if none is.

    A plan that is the beginning of the reference departs where it ends, at its last call.
    """
    pairs = zip(_structure(plan), _structure(reference), strict=False)
    departed = (place for place, (made, wanted) in enumerate(pairs) if made != wanted)
    longest_common = min(len(plan), len(reference))
    place = next(departed, longest_common)
    if place == len(plan) == len(reference):
        return None
    return min(place, len(plan) - 1)


def _structure(calls: Sequence[Call]) -> Iterator[tuple[str, frozenset[str]]]:
    return ((call.tool, frozenset(call.args)) for call in calls)
