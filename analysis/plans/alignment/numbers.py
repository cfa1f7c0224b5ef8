"""Every number of alignment, by name: the one place where they are all made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...stats.estimate import Estimate, count
from .anchoring import Anchored, anchored, anchoring_numbers
from .bias import leaning_numbers, self_preference
from .binary import binary_numbers, collapsed, halves
from .cells import Cells, Weighting, tally
from .constant_judges import accuracy_numbers, expected_binary, floor_cells
from .decision import Decision, decision_numbers, decisions
from .decline import decline_numbers, slope_numbers
from .disagreement import flip_numbers
from .grid import Grid, checked
from .human import HumanRow
from .human_reference import human_numbers
from .jury import jury_cells, jury_numbers
from .lift import lifts
from .marginals import crossed_numbers, estimated, number_name
from .match_score import bias, match
from .pairwise import Pair, gap_numbers, pairs_of, pairwise_numbers
from .ranking import weighting_numbers
from .record_bootstrap import N_RESAMPLES, Resample

__all__ = ["CROSSINGS", "Alignment", "Setup", "alignment_numbers", "compute"]

CROSSINGS: tuple[tuple[str, ...], ...] = (
    ("condition", "judge"),
    ("condition", "judge", "generator"),
    ("condition", "judge", "tier"),
    ("condition", "judge", "topology"),
    ("condition", "judge", "metric"),
    ("condition", "judge", "generator", "tier"),
    ("condition", "judge", "tier", "metric"),
    ("condition", "tier"),
    ("condition", "topology"),
    ("condition", "metric"),
)
"""The crossings that are always given, of judges and of floors."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What the columns do not say.

    Attributes
    ----------
    with_truth, without, corrupted : str
        The names of these conditions; others may stand in the grid beside them.
    judge_tier : mapping from judge to int
        Tiers of the judges, by size say, for κ against their distance.
    own : mapping from judge to generator
        Which generator is the judge's own model.
    """

    with_truth: str = "with-gt"
    without: str = "without-gt"
    corrupted: str = "corrupted-gt"
    judge_tier: Mapping[str, int] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)
    n_resamples: int = N_RESAMPLES


@dataclass(frozen=True, slots=True)
class Alignment:
    """A grid reduced to its sums under every resample.

    ``grid`` holds the first pass of each judge, ``every`` all passes.
    """

    grid: Grid
    every: Grid
    setup: Setup
    human: tuple[HumanRow, ...]
    resample: Resample
    cells: Cells
    floors: Cells
    pairs: list[Pair]
    anchors: Anchored
    decisions: list[Decision]


def compute(grid: Grid, setup: Setup | None = None, *, human: Sequence[HumanRow] = ()) -> Alignment:
    """Draw the records once and sum what every number needs.

    Raises
    ------
    RecordError
        If the grid does not hold together.
    """
    chosen = setup or Setup()
    first = checked(grid).pass_of(0)
    resample = Resample.of(first, chosen.n_resamples)
    cells = tally(first, match(first.reference, first.verdict), resample)
    return Alignment(
        grid=first,
        every=grid,
        setup=chosen,
        human=tuple(human),
        resample=resample,
        cells=cells,
        floors=floor_cells(first, resample),
        pairs=pairs_of(first, resample),
        anchors=anchored(first, chosen.with_truth, chosen.without),
        decisions=decisions(cells),
    )


def alignment_numbers(alignment: Alignment) -> dict[str, Estimate]:
    """Return every estimate by its full name, in a fixed order."""
    grid, setup, resample = alignment.grid, alignment.setup, alignment.resample
    cells = alignment.cells
    found = _design(alignment) | accuracy_numbers(grid, resample)
    found |= _alignments(alignment) | _lifts(cells, setup)
    found |= decline_numbers(cells) | slope_numbers(cells, setup.with_truth, setup.without)
    found |= decision_numbers(alignment.decisions)
    found |= pairwise_numbers(alignment.pairs) | gap_numbers(alignment.pairs, setup.judge_tier)
    found |= weighting_numbers(cells) | _binary(alignment)
    seated = jury_cells(grid, resample)
    found |= jury_numbers(seated) if seated is not None else {}
    found |= anchoring_numbers(alignment.anchors, resample)
    leaning = tally(grid, bias(grid.reference, grid.verdict), resample)
    found |= leaning_numbers(leaning) | self_preference(leaning, setup.own)
    found |= flip_numbers(alignment.every, resample)
    if alignment.human:
        found |= human_numbers(grid, alignment.human, n_resamples=setup.n_resamples)
    return found


def _design(alignment: Alignment) -> dict[str, Estimate]:
    """Count verdicts, plans and records, and the plans of every cell."""
    grid, cells = alignment.grid, alignment.cells
    n = len(grid)
    found = {
        "design/verdicts": count(len(alignment.every), len(alignment.every)),
        "design/first-pass": count(n, len(alignment.every)),
        "design/records": count(sum(map(len, alignment.resample.records)), n),
        "design/cells": count(len(cells), n),
    }
    for names, members in cells.groups(("condition", "judge", "generator", "tier")):
        found[number_name("design/plans", **names)] = count(cells.n(members), n)
    return found


def _alignments(alignment: Alignment) -> dict[str, Estimate]:
    found: dict[str, Estimate] = {}
    for stem, cells in (("alignment", alignment.cells), ("floor", alignment.floors)):
        for by in CROSSINGS:
            if stem == "alignment" or "judge" in by:
                found |= crossed_numbers(stem, cells, by)
        for weighting in (Weighting.COUNTS, Weighting.TOPOLOGIES):
            by = ("condition", "judge")
            found |= crossed_numbers(f"{stem}/by-{weighting}", cells, by, weighting=weighting)
    return found


def _lifts(cells: Cells, setup: Setup) -> dict[str, Estimate]:
    """Return lift, and corrupted minus with and minus without, by judge and tier."""
    found: dict[str, Estimate] = {}
    for stem, one, other in (
        ("lift", setup.with_truth, setup.without),
        ("corrupted-minus-with", setup.corrupted, setup.with_truth),
        ("corrupted-minus-without", setup.corrupted, setup.without),
    ):
        for by in (("judge",), ("judge", "tier"), ("judge", "generator")):
            for key, drawn in lifts(cells, one, other, by).items():
                place = dict(zip(by, key, strict=True))
                found[number_name(stem, **place)] = estimated(drawn)
        for weighting in (Weighting.COUNTS, Weighting.TOPOLOGIES):
            for (judge,), drawn in lifts(cells, one, other, weighting=weighting).items():
                name = number_name(f"{stem}/by-{weighting}", judge=judge)
                found[name] = estimated(drawn)
    return found


def _binary(alignment: Alignment) -> dict[str, Estimate]:
    grid, resample = alignment.grid, alignment.resample
    binary = match(grid.reference, collapsed(grid.reference, grid.verdict))
    found = binary_numbers(
        alignment.cells, tally(grid, binary, resample), tally(grid, halves(grid.verdict), resample)
    )
    floors = floor_cells(grid, resample, expected_binary)
    return found | crossed_numbers("floor/binary", floors, ("condition", "judge"))
