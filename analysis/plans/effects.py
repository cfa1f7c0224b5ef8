"""The effects of planted faults on the references: promised by each fault, and measured.

::

    python -m analysis.plans.effects                  plant every fault at every site of 200 records
    python -m analysis.plans.effects --records 1000   of more

Prints the table that `analysis.rebuild` puts beside planted plans; exits with 1 if a fault
breaks its promise.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from faultpair.analysis.command_line import run
from faultpair.analysis.plans.reference_effects import N_RECORDS, SEED, measured_effects
from faultpair.analysis.tables.plan_pairs import effect_table
from faultpair.analysis.tables.table import as_markdown

__all__ = ["effects", "main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if a fault breaks its promise."""
    return run(effects, "analysis.plans.effects", arguments)


def effects(
    records: Annotated[
        int,
        typer.Option(
            help="The number of records; a few do not show both cases of what depends on the site."
        ),
    ] = N_RECORDS,
    seed: Annotated[int, typer.Option(help="The seed of these records.")] = SEED,
) -> None:
    """Plant every fault of a plan at every site and count which metrics fall."""
    measured = measured_effects(records, seed)
    sys.stdout.write(as_markdown(effect_table(measured, records, seed)))
    raise typer.Exit(0 if all(effect.keeps_its_promise for effect in measured) else 1)


if __name__ == "__main__":
    sys.exit(main())
