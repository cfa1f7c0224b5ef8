"""What planted faults do to the references: promised by each fault, and measured.

::

    python -m analysis.plans.effects                  plant every fault at every site of 200 records
    python -m analysis.plans.effects --records 1000   of more

Prints the table that `analysis.rebuild` puts beside planted plans; exits with 1 if a fault
breaks its promise.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from faultpair.analysis.plans.reference_effects import N_RECORDS, SEED, Measured, measured, promise
from faultpair.analysis.stats.estimate import count
from faultpair.analysis.tables.table import Cell, Column, Style, Table, as_markdown
from faultpair.judges.plan_metrics.metrics import METRICS

__all__ = ["effect_table", "main"]

SHOWN = ("printed", "corrected")


def effect_table(rows: Sequence[Measured], n_records: int = N_RECORDS, seed: int = SEED) -> Table:
    """Set what each fault promises beside the share of sites at which each metric moves."""
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
    return Table("plan-effects", title, columns, tuple(map(_row, rows)), notes)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if a fault breaks its promise."""
    parser = argparse.ArgumentParser(
        prog="python -m analysis.plans.effects",
        description="Plant every fault of a plan at every site and count which metrics move.",
    )
    parser.add_argument(
        "--records",
        type=int,
        default=N_RECORDS,
        help="of the first so many; a few do not show both ways of what depends on the site",
    )
    parser.add_argument("--seed", type=int, default=SEED, help="of these records")
    options = parser.parse_args(arguments)
    rows = measured(options.records, options.seed)
    sys.stdout.write(as_markdown(effect_table(rows, options.records, options.seed)))
    return 0 if all(row.keeps_its_promise for row in rows) else 1


def _row(row: Measured) -> tuple[Cell, ...]:
    promised = {
        word: ", ".join(m for m in METRICS if promise(row.fault.name, m) == word)
        for word in ("lowers", "keeps")
    }
    return (
        row.fault.name,
        "control" if row.fault.is_control else "fault",
        promised["lowers"] or "none",
        promised["keeps"] or "none",
        "yes" if row.keeps_its_promise else "no",
        count(row.n_records, row.n_records),
        count(row.n_sites, row.n_sites),
        *(row.share(variant, metric) for variant in SHOWN for metric in METRICS),
    )


if __name__ == "__main__":
    sys.exit(main())
