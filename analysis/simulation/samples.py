"""Sections of the model of fault types and of Δ over passes: how often their intervals cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from ..tables.table import Row, Table, amounts, rates, words
from ..tables.table import counts as whole_numbers
from .design import COMMITTED
from .pass_effects import PassCell, pass_cells, pass_counts
from .section import EVERY, Counts, Section
from .tables import KIND_NOTES, shares, size_note, summary
from .type_effects import TYPE_KINDS, TypeCell, type_cells, type_counts

__all__ = ["OVER_PASSES", "PASSES", "TYPES", "sample_tables"]

OVER_PASSES = "Δ over passes"
MODEL_NOTES = (
    "Types: the true Δ of each is drawn anew in each study, as a row says. Shrunken Δ covers on "
    "average over types; a new type is one more that is drawn, its true Δ and not what would be "
    "observed of it. The spread is that of the types of the study.",
    "The width of a new type is compared with the central 95 % of the true Δ of types, that of "
    "the others with that of their errors. It is large where types hardly differ, or are few.",
    "Refused: fewer than 10 instances in effect; for the spread, fewer than 20; for a new type, "
    "fewer than 12 types.",
)
MODEL = words("Shape", "Instances", "Types", "Effects")
MODEL += words("Base rate", "Mean Δ", "SD", "Dependence")
PASSED = words("Shape", "Instances", "Passes")
PASSED += words("Base rate", "Δ", "Passes have in common")
SHARES = words("Covered", "Above", "Below", "Given", "Width")


def sample_tables(
    types: Sequence[Counts], passes: Sequence[Counts], simulations: tuple[int, int]
) -> list[Table]:
    """Return the summary of both, and a table of all cells of each kind.

    ``simulations`` are the studies of a cell of types, and of a cell of passes.
    """
    notes = (size_note(simulations[0]), *KIND_NOTES)
    kinds = [
        (kind, [cell["counts"][place] for cell in types]) for place, kind in enumerate(TYPE_KINDS)
    ]
    every = [(kind, types, tallies) for kind, tallies in kinds]
    every.append((OVER_PASSES, passes, [cell["counts"] for cell in passes]))
    rows: tuple[Row, ...] = tuple(
        (
            kind,
            name,
            *summary(
                [
                    tally
                    for cell, tally in zip(cells, tallies, strict=True)
                    if (cell["shape"] in COMMITTED) == (name == "studies")
                ]
            ),
        )
        for kind, cells, tallies in every
        for name in ("studies", "design")
    )
    columns = words("Interval", "Cells of") + whole_numbers("Cells", "Refused", "▼")
    columns += rates("Least covered", "Most above", "Most below")
    columns += whole_numbers("Few steps") + amounts("Median width", "Of all cells")
    title = "Coverage of 95 % intervals over types and over passes"
    tables = [Table("samples", title, columns, rows, (*notes, *MODEL_NOTES))]
    for place, (kind, tallies) in enumerate(kinds):
        lines = tuple(
            (*_type_place(cell), *shares(tally)) for cell, tally in zip(types, tallies, strict=True)
        )
        name = f"types-{place + 1}"
        title = f"Coverage of 95 % intervals: {kind}"
        tables.append(Table(name, title, MODEL + SHARES, lines, (*notes, *MODEL_NOTES)))
    lines = tuple((*_pass_place(cell), *shares(cell["counts"])) for cell in passes)
    title = f"Coverage of 95 % intervals: {OVER_PASSES}"
    return [*tables, Table("passes", title, PASSED + SHARES, lines, notes)]


def _type_place(cell: Counts) -> tuple[str, ...]:
    rates_of = (f"{cell[name]:.2f}" for name in ("base_rate", "mean", "sd"))
    start = (cell["shape"], str(cell["instances"]), str(cell["types"]), cell["effects"])
    return (*start, *rates_of, cell["dependence"])


def _pass_place(cell: Counts) -> tuple[str, ...]:
    start = (cell["shape"], str(cell["instances"]), str(cell["passes"]))
    return (*start, f"{cell['base_rate']:.2f}", f"{cell['delta']:.2f}", cell["steadiness"])


def _count_types(cell: TypeCell, studies: int) -> Counts:
    return {**asdict(cell), "counts": type_counts(cell, studies)}


def _count_passes(cell: PassCell, studies: int) -> Counts:
    return {**asdict(cell), "counts": pass_counts(cell, studies)}


def _tables(counts: Counts) -> list[Table]:
    """Return the tables of both sections, which share a summary."""
    n = counts["simulations"]
    return sample_tables(counts["types"], counts["passes"], (n["types"], n["passes"]))


TYPES = Section("types", type_cells, _count_types, _tables, every=EVERY)
PASSES = Section("passes", pass_cells, _count_passes, every=EVERY)
