"""The catalog of the numbers of graded plans: the one place where all of them are made."""

from __future__ import annotations

from dataclasses import dataclass

from ..data.study_data import StudyData
from ..stats.estimate import count
from .accuracy import accuracy_numbers
from .alignment.catalog import Alignment, alignment_numbers, compute
from .alignment.key import PlanKey, PlanNumbers
from .attrition import attrition_numbers
from .data import Plans
from .graders import GraderPass, grade_numbers, grader_passes, grid_of, setup_of
from .metric_drops import PlanPairs, drop_numbers
from .reference_effects import effect_numbers, measured_effects
from .specificity import specificity_numbers

__all__ = ["PlanResults", "plan_results"]

RESAMPLES = PlanKey("design", "resamples")
"""The resamples of all numbers but those of pairs, which have the number of the study."""


@dataclass(frozen=True, slots=True)
class PlanResults:
    """The numbers of a study of plans, and the data that they are computed from."""

    plans: Plans
    passes: tuple[GraderPass, ...]
    planted: PlanPairs
    alignment: Alignment
    numbers: PlanNumbers


def plan_results(study: StudyData, plans: Plans, n_resamples: int) -> PlanResults:
    """Make every number of the plans of a study."""
    passes = grader_passes(study, plans)
    planted = PlanPairs.of(study, plans)
    setup = setup_of(plans, n_resamples)
    alignment = compute(grid_of(plans, passes), setup, human=plans.human)
    numbers: PlanNumbers = {RESAMPLES: count(setup.n_resamples, setup.n_resamples)}
    numbers |= grade_numbers(passes) | attrition_numbers(plans)
    numbers |= accuracy_numbers(plans, study.runs, setup.n_resamples)
    if planted:
        numbers |= specificity_numbers(planted, plans, passes, n_resamples)
        numbers |= drop_numbers(planted, plans, passes, n_resamples)
        numbers |= effect_numbers(measured_effects())
    numbers |= alignment_numbers(alignment)
    return PlanResults(plans, passes, planted, alignment, numbers)
