"""Reference plans: what a judge that grades plans is shown beside the plan, right or swapped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from faultpair.env.plans.records import Plan, PlanInstance
from faultpair.judges.plans.conditions import GroundTruth
from faultpair.judges.plans.corrupted import swapped_plans
from faultpair.judges.plans.plan_judge import PlanJudge
from faultpair.studies.runs import Run
from faultpair.studies.spec import StudySpec

__all__ = ["references_for", "refuse_impossible_swaps"]


def refuse_impossible_swaps(study: StudySpec, records: Iterable[PlanInstance]) -> None:
    """Raise a `UsageError` if plans are to be swapped and a topology has too few that differ."""
    if any(judge.ground_truth is GroundTruth.CORRUPTED for judge in study.plan_judges):
        swapped_plans(records, study.seed)


def references_for(judge: PlanJudge, runs: Iterable[Run]) -> Mapping[str, Plan]:
    """Return the reference plan that a judge is shown, by instance id.

    Plans are swapped over all records of the set, so that a limit on the judge moves no plan.
    """
    if judge.ground_truth is GroundTruth.NONE:
        return {}
    instances = [instance for _, instance in runs if isinstance(instance, PlanInstance)]
    if judge.ground_truth is GroundTruth.SHOWN:
        return {instance.instance_id: instance.plan for instance in instances}
    swapped = swapped_plans(instances, judge.swap_seed)
    return {instance.instance_id: swapped[instance.record_id] for instance in instances}
