"""The tables of alignment, in the order in which a reader wants them."""

from __future__ import annotations

from collections.abc import Callable

from ...estimate import Estimate
from ...table import Table
from ..numbers import Alignment
from . import conditions, judges, levels, rankings

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
