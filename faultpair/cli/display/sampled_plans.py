"""Plans as a table for people shows them, and their programmatic values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from faultpair.analysis.output.human_sheet import plan_cells
from faultpair.analysis.plans.alignment.human import PlanName
from faultpair.analysis.plans.data import origin_of
from faultpair.env.plans.records import PlanInstance, Tier
from faultpair.judges.plan_metrics.metrics import score
from faultpair.studies.folder import StudyFolder
from faultpair.studies.runs import read_runs

__all__ = ["SampledPlan", "named_plans"]


class SampledPlan(NamedTuple):
    """The programmatic values of a plan, and the cells that show it."""

    values: Sequence[float]
    cells: dict[str, str]


def named_plans(folder: StudyFolder, tier: Tier) -> Iterator[tuple[PlanName, SampledPlan]]:
    """Yield the plans of a folder at a tier, with their names."""
    for run, instance in read_runs(folder.trajectories, folder.instances):
        if isinstance(instance, PlanInstance) and instance.tier == tier:
            origin = origin_of(run.trajectory_id, instance.instance_id)
            name = PlanName(instance.record_id, origin, str(tier), instance.difficulty)
            values = score(run.calls, instance.plan).values
            yield name, SampledPlan(values, plan_cells(instance, run.calls))
