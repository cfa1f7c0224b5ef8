"""The tables of a study, in the order in which a reader wants them."""

from __future__ import annotations

from collections.abc import Callable

from ..estimate import Estimate
from ..study import Study
from ..table import Table
from . import agent, attribution, calibration, comparison, conduct, detection, models, pairing

__all__ = ["BUILDERS", "tables_of"]

Builder = Callable[[Study, dict[str, Estimate]], Table]

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


def tables_of(study: Study, numbers: dict[str, Estimate]) -> dict[str, Table]:
    """Return every table of a study by name."""
    tables = [build(study, numbers) for build in BUILDERS]
    own = (build(study, numbers) for build in OF_MODELS)
    return {table.name: table for table in (*tables, *(table for table in own if table.rows))}
