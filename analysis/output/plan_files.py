"""What a study of plans becomes: its numbers, its tables, its figures."""

from __future__ import annotations

from dataclasses import dataclass

from ..data.study_data import StudyData
from ..figures.alignment import alignment_figures
from ..figures.plans import plan_pairs_figure
from ..plans.alignment.numbers import Alignment, alignment_numbers, compute
from ..plans.data import Plans
from ..plans.effects import effect_table
from ..plans.generators import attrition_numbers, variant_numbers
from ..plans.graders import GraderPass, first_passes, grade_numbers, grid_of, seats_of, setup_of
from ..plans.pairs import PlanPairs, pair_numbers
from ..plans.reference_effects import measured, move_numbers
from ..plans.specificity import aim_numbers
from ..stats.estimate import Estimate, count
from ..tables import plans as of_plans
from ..tables import plans_paired
from ..tables.alignment import alignment_tables
from ..tables.table import Table

__all__ = ["PLANS", "PlanResults", "results_of"]

PLANS = "plans/"
"""What the names of these numbers begin with among those of a study."""

RESAMPLES = "design/resamples"
"""How many resamples all of them rest on but those of pairs, which have those of the study."""


@dataclass(frozen=True, slots=True)
class PlanResults:
    """The numbers of a study of plans by name, and what they are about."""

    plans: Plans
    seats: tuple[GraderPass, ...]
    planted: PlanPairs
    alignment: Alignment
    numbers: dict[str, Estimate]

    def named(self) -> dict[str, Estimate]:
        """Return the numbers under the names that they have among those of the study."""
        return {f"{PLANS}{name}": number for name, number in self.numbers.items()}

    def tables(self) -> dict[str, Table]:
        """Return every table that has a row, by name."""
        numbers, first = self.numbers, first_passes(self.seats)
        made = [
            of_plans.graders(self.plans, self.seats, numbers),
            of_plans.attrition(self.plans, numbers),
            of_plans.variants(self.plans, numbers),
        ]
        if self.planted:
            made += [
                plans_paired.aim(first, numbers),
                plans_paired.pairs(self.planted, first, numbers),
                plans_paired.every_pair(self.planted, first, numbers),
                effect_table(measured()),
            ]
        own = {table.name: table for table in made if table.rows}
        return own | alignment_tables(self.alignment, numbers)

    def figures(self) -> dict[str, str]:
        """Return the SVG text of every figure by name.

        Raises
        ------
        UsageError
            If matplotlib is not installed.
        """
        drawn = alignment_figures(self.alignment, self.numbers)
        if self.planted:
            from ..figures.style import as_svg

            first = first_passes(self.seats)
            figure = plan_pairs_figure(self.planted, first, self.numbers)
            drawn["plan-pairs"] = as_svg(figure)
        return drawn


def results_of(study: StudyData, plans: Plans, n_resamples: int) -> PlanResults:
    """Make every number of the plans of a study."""
    seats = seats_of(study, plans)
    planted = PlanPairs.of(study, plans)
    setup = setup_of(plans, n_resamples)
    alignment = compute(grid_of(plans, seats), setup, human=plans.human)
    numbers = {RESAMPLES: count(setup.n_resamples, setup.n_resamples)}
    numbers |= grade_numbers(seats) | attrition_numbers(plans)
    numbers |= variant_numbers(plans, study.runs, setup.n_resamples)
    if planted:
        numbers |= aim_numbers(planted, plans, seats, n_resamples)
        numbers |= pair_numbers(planted, plans, seats, n_resamples)
        numbers |= move_numbers(measured())
    return PlanResults(plans, seats, planted, alignment, numbers | alignment_numbers(alignment))
