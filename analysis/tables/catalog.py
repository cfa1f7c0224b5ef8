"""The catalog of tables, in the order in which a reader wants them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..data.study_data import StudyData
from ..metrics.key import Numbers
from ..plans.alignment.catalog import Alignment
from ..plans.alignment.key import PlanNumbers
from ..plans.catalog import PlanResults
from ..plans.graders import first_passes
from ..plans.reference_effects import measured_effects
from . import (
    agent,
    alignment_conditions,
    alignment_judges,
    alignment_levels,
    alignment_rankings,
    attribution,
    calibration,
    comparison,
    cost,
    detection,
    models,
    pairing,
    plan_pairs,
    plans,
    stopping,
    type_sample,
)
from .late_parents import late_parents
from .paper_intervals import paper_intervals
from .table import Table

__all__ = [
    "OF_PLANS",
    "alignment_tables",
    "late_parents",
    "paper_intervals",
    "plan_tables",
    "tables_of",
]

Builder = Callable[[StudyData, Numbers], Table]

BUILDERS: tuple[Builder, ...] = (
    detection.summary,
    detection.main,
    detection.design,
    detection.precision,
    detection.type_scenarios,
    pairing.cells,
    pairing.strata,
    pairing.types,
    type_sample.types_as_a_sample,
    pairing.scenarios,
    pairing.reach,
    pairing.policies,
    pairing.wordings,
    attribution.localisation,
    attribution.confusion,
    calibration.calibration,
    calibration.reliability,
    cost.cost,
    cost.controls,
    comparison.differences,
    comparison.contrasts,
    comparison.passes,
    comparison.panel,
)

OF_MODELS: tuple[Builder, ...] = (
    models.judges,
    models.graded,
    models.repeatability,
    models.more_passes,
    models.votes,
    models.vote_shares,
    agent.agent,
    stopping.stopping,
)
"""Tables of studies in which a model judges or acts; a study without one has none of them."""

OF_PLANS: tuple[Builder, ...] = (
    detection.summary,
    plans.design,
    pairing.types,
    type_sample.types_as_a_sample,
    pairing.scenarios,
    cost.cost,
    cost.controls,
    comparison.contrasts,
    comparison.passes,
)
"""Tables that graded plans have, too, with a plan flagged where a grade is below 1: a plan has
no reply and a grade no confidence. The others are those of `plan_tables`."""

OF_STEPS: tuple[Builder, ...] = (attribution.localisation, attribution.confusion)
"""Tables that plans have where some judge names the call at which a plan goes wrong."""

OF_ALIGNMENT: tuple[Callable[[Alignment, PlanNumbers], Table], ...] = (
    alignment_levels.overall,
    alignment_levels.cells,
    alignment_levels.metrics,
    alignment_levels.topologies,
    alignment_levels.accuracy,
    alignment_conditions.lift,
    alignment_conditions.decline,
    alignment_rankings.decision,
    alignment_judges.agreement,
    alignment_judges.confusion,
    alignment_rankings.weightings,
    alignment_rankings.binary,
    alignment_rankings.jury,
    alignment_conditions.anchoring,
    alignment_conditions.cases,
    alignment_judges.bias,
    alignment_judges.self_preference,
    alignment_judges.flips,
    alignment_judges.human,
    alignment_judges.human_judges,
)


def tables_of(study: StudyData, numbers: Numbers, *, are_plans: bool = False) -> dict[str, Table]:
    """Return the tables of judges that flag runs, by name."""
    always, if_any = BUILDERS, OF_MODELS
    if are_plans:
        of_steps = OF_STEPS if (study.verdicts.step >= 0).any() else ()
        always, if_any = (), (*OF_PLANS, *of_steps, *OF_MODELS)
    tables = [build(study, numbers) for build in always]
    tables += [table for build in if_any if (table := build(study, numbers)).rows]
    return _by_name(stopping.uncorrected(tables, study))


def plan_tables(results: PlanResults) -> dict[str, Table]:
    """Return every table of graded plans that has a row, by name."""
    data, numbers, first = results.plans, results.numbers, first_passes(results.passes)
    tables = [
        plans.graders(data, results.passes, numbers),
        plans.attrition(data, numbers),
        plans.variants(data, numbers),
    ]
    if results.planted:
        tables += [
            plan_pairs.specificity(first, numbers),
            plan_pairs.pairs(results.planted, first, numbers),
            plan_pairs.every_pair(results.planted, first, numbers),
            plan_pairs.effect_table(measured_effects()),
        ]
    return _with_rows(tables) | alignment_tables(results.alignment, numbers)


def alignment_tables(alignment: Alignment, numbers: PlanNumbers) -> dict[str, Table]:
    """Return every table of alignment that has a row, by name."""
    return _with_rows(build(alignment, numbers) for build in OF_ALIGNMENT)


def _with_rows(tables: Iterable[Table]) -> dict[str, Table]:
    return _by_name(table for table in tables if table.rows)


def _by_name(tables: Iterable[Table]) -> dict[str, Table]:
    return {table.name: table for table in tables}
