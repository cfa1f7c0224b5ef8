"""The tables of a study, in the order in which a reader wants them."""

from __future__ import annotations

from collections.abc import Callable

from ..data.study_data import StudyData
from ..stats.estimate import Estimate
from . import agent, attribution, calibration, comparison, detection, models, pairing, plans
from . import cost as conduct
from .table import Table

__all__ = ["BUILDERS", "OF_PLANS", "tables_of"]

Builder = Callable[[StudyData, dict[str, Estimate]], Table]

BUILDERS: tuple[Builder, ...] = (
    detection.summary,
    detection.main,
    detection.design,
    detection.precision,
    pairing.cells,
    pairing.strata,
    pairing.types,
    pairing.scenarios,
    pairing.reach,
    pairing.policies,
    pairing.wordings,
    attribution.localisation,
    attribution.confusion,
    calibration.calibration,
    calibration.reliability,
    conduct.conduct,
    conduct.controls,
    comparison.differences,
    comparison.contrasts,
    comparison.passes,
    comparison.panel,
)

OF_MODELS: tuple[Builder, ...] = (
    models.judges,
    models.graded,
    models.noise,
    models.votes,
    agent.agent,
)
"""Tables of studies in which a model judges or acts; a study without one has none of them."""

OF_PLANS: tuple[Builder, ...] = (
    detection.summary,
    plans.design,
    pairing.types,
    pairing.scenarios,
    conduct.conduct,
    conduct.controls,
    comparison.contrasts,
    comparison.passes,
)
"""Tables that graded plans have, too, by whether any grade is below 1: there is no reply and
no confidence. What else they have is in `faultpair.analysis.output.plan_files`."""

OF_STEPS: tuple[Builder, ...] = (attribution.localisation, attribution.confusion)
"""Tables that plans have where some judge says at which call a plan goes wrong."""


def tables_of(study: StudyData, numbers: dict[str, Estimate]) -> dict[str, Table]:
    """Return every table of a study by name."""
    always, if_any = BUILDERS, OF_MODELS
    if study.plans is not None:
        of_steps = OF_STEPS if (study.verdicts.step >= 0).any() else ()
        always, if_any = (), (*OF_PLANS, *of_steps, *OF_MODELS)
    tables = [build(study, numbers) for build in always]
    own = (build(study, numbers) for build in if_any)
    return {table.name: table for table in (*tables, *(table for table in own if table.rows))}
