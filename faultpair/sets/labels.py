"""The labels of runs that models made. Nothing was planted in them, so they rest on checks.

*Episodes.* As in trajectory-judge, the pack ``rules`` of a domain is the labeller: an
episode is faulty if a rule fires or the required end state is missed. A rule gives the
type and the step. Where the end state alone is wrong, no rule found a wrong call, so the
fault is the ``outcome_fault`` of the domain, at the last step. What no rule
checks, such as an invented sentence, is missed.

*Plans.* A plan is faulty if any of the four printed metrics is below 1. They see structure
alone, so its first fault is the first call whose tool or whose arguments' names are not
the reference's; a wrong value shows in the outcome only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from faultpair.agents.parse_plan import NoPlan
from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import AnyDomain
from faultpair.env.kernel import Action, Episode, replay, run_episode
from faultpair.env.plans.records import Plan, PlanInstance
from faultpair.env.records import Call, Instance, Label, Trajectory
from faultpair.judges.catalog import find_judge
from faultpair.judges.exhibit import exhibit_of
from faultpair.judges.plan_metrics.metrics import METRICS, score

__all__ = ["IMPERFECT", "LABELLER", "first_departure", "label_episode", "label_plan"]

LABELLER = "rules"
"""The judge whose findings are the labels of episodes, in every domain."""

IMPERFECT = "imperfect_plan"

_UNKNOWN = Label(faulty=False, failure_step=None, failure_type=None, outcome_correct=False)


def label_episode(
    domain: AnyDomain, instance: Instance, episode: Episode, trajectory_id: str
) -> tuple[Trajectory, bool]:
    """Return an episode as a labelled run, and whether a rule fired."""
    exhibit = exhibit_of(
        episode.recorded(trajectory_id, instance, _UNKNOWN, domain=domain.name), instance
    )
    finding = find_judge(LABELLER, domain.name).judge(exhibit)
    correct = domain.reached(instance, episode.end_state)
    outcome_fault = None if domain.dialogue is None else domain.dialogue.outcome_fault
    last = len(episode.steps) - 1 if episode.steps else None
    if finding.faulty:
        label = Label(True, finding.failure_step, finding.failure_type, correct)
    elif not correct:
        label = Label(True, last, outcome_fault, correct)
    else:
        label = Label(False, None, None, correct)
    run = episode.recorded(trajectory_id, instance, label, domain=domain.name)
    return run, bool(finding.faulty)


def label_plan(
    instance: PlanInstance, plan: Plan | NoPlan, trajectory_id: str
) -> tuple[Trajectory | None, dict[str, float] | None]:
    """Return a plan as a labelled run, and its scores by metric; None for both without a plan."""
    if isinstance(plan, NoPlan):
        return None, None
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
    run = episode.recorded(trajectory_id, instance, label, domain=domain.name)
    return run, dict(zip(METRICS, scores.values, strict=True))


def first_departure(plan: Sequence[Call], reference: Sequence[Call]) -> int | None:
    """Return the index of the first call that differs from the reference, None if none does.

    A plan that is a prefix of the reference departs where it ends, at its last call.
    """
    pairs = zip(_structure(plan), _structure(reference), strict=False)
    departed = (index for index, (made, wanted) in enumerate(pairs) if made != wanted)
    longest_common = min(len(plan), len(reference))
    index = next(departed, longest_common)
    if index == len(plan) == len(reference):
        return None
    return min(index, len(plan) - 1)


def _structure(calls: Sequence[Call]) -> Iterator[tuple[str, frozenset[str]]]:
    return ((call.tool, frozenset(call.args)) for call in calls)
