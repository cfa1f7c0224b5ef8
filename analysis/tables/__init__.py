"""The tables of a study, in the order in which a reader wants them."""

from __future__ import annotations

from collections.abc import Callable

from ..estimate import Estimate
from ..study import Study
from ..table import Table
from . import attribution, calibration, comparison, conduct, detection, pairing

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


def tables_of(study: Study, numbers: dict[str, Estimate]) -> dict[str, Table]:
    """Return every table of a study by name."""
    return {table.name: table for table in (build(study, numbers) for build in BUILDERS)}
