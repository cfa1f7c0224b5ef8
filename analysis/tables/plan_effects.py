"""The table of effects of planted faults on the references: promised, and measured."""

from __future__ import annotations

from collections.abc import Sequence

from faultpair.judges.plan_metrics.metrics import METRICS

from ..plans.reference_effects import N_RECORDS, SEED, MeasuredEffect, promise
from ..stats.estimate import count
from .table import Cell, Column, Style, Table

__all__ = ["effect_table"]

SHOWN = ("printed", "corrected")


def effect_table(
    effects: Sequence[MeasuredEffect], n_records: int = N_RECORDS, seed: int = SEED
) -> Table:
    """Give what each fault promises, and the share of sites at which each metric falls."""
    columns = (
        Column("Fault"),
        Column("Is"),
        Column("Must lower"),
        Column("Must keep"),
        Column("Holds"),
        Column("Records", Style.COUNT),
        Column("Sites", Style.COUNT),
        *(Column(f"{metric}, {variant}", Style.RATE) for variant in SHOWN for metric in METRICS),
    )
    notes = (
        "Share of sites at which the metric falls below 1, where it was 1. A metric in neither "
        "list depends on the site: it must move at some and not at others.",
        "What a fault promises is of the printed equations. Corrected: sequence by dependency, "
        "parameters by schema, tools that the domain declares alike as one.",
        f"Every site of the first {n_records} records of seed {seed}; "
        "`python -m analysis.plans.effects` counts them again.",
    )
    title = "What planted faults and controls do to the references"
    return Table("plan-effects", title, columns, tuple(map(_row, effects)), notes)


def _row(effect: MeasuredEffect) -> tuple[Cell, ...]:
    promised = {
        word: ", ".join(m for m in METRICS if promise(effect.fault.name, m) == word)
        for word in ("lowers", "keeps")
    }
    return (
        effect.fault.name,
        "control" if effect.fault.is_control else "fault",
        promised["lowers"] or "none",
        promised["keeps"] or "none",
        "yes" if effect.keeps_its_promise else "no",
        count(effect.n_records, effect.n_records),
        count(effect.n_sites, effect.n_sites),
        *(effect.share(variant, metric) for variant in SHOWN for metric in METRICS),
    )
