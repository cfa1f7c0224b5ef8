"""The tables of alignment, in the order in which a reader wants them."""

from __future__ import annotations

from collections.abc import Callable

from ..plans.alignment.numbers import Alignment
from ..stats.estimate import Estimate
from . import alignment_conditions as conditions
from . import alignment_judges as judges
from . import alignment_levels as levels
from . import alignment_rankings as rankings
from .table import Table

__all__ = ["BUILDERS", "alignment_tables"]

Builder = Callable[[Alignment, dict[str, Estimate]], Table]

BUILDERS: tuple[Builder, ...] = (
    levels.overall,
    levels.cells,
    levels.metrics,
    levels.topologies,
    levels.accuracy,
    conditions.lift,
    conditions.decline,
    rankings.decision,
    judges.agreement,
    judges.confusion,
    judges.gap,
    rankings.weightings,
    rankings.binary,
    rankings.jury,
    conditions.anchoring,
    conditions.cases,
    judges.bias,
    judges.self_preference,
    judges.flips,
    judges.human,
    judges.human_judges,
)


def alignment_tables(alignment: Alignment, numbers: dict[str, Estimate]) -> dict[str, Table]:
    """Return every table that has a row, by name."""
    tables = (build(alignment, numbers) for build in BUILDERS)
    return {table.name: table for table in tables if table.rows}
