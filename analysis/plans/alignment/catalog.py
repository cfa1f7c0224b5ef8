"""The catalog of alignment numbers: the one place where all of them are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...stats.estimate import count
from .anchoring import Anchored, anchored, anchoring_numbers
from .bias import bias_numbers, self_preference
from .binary import binary_numbers, collapsed, halves
from .cells import Cells, Weighting, tally
from .constant_judges import accuracy_numbers, constant_judge_cells, expected_binary
from .decision import Decision, decision_numbers, decisions
from .decline import decline_numbers, slope_numbers
from .disagreement import flip_numbers
from .grid import Grid, checked
from .human import HumanRow
from .human_reference import human_numbers
from .jury import jury_cells, jury_numbers
from .key import PlanKey, PlanNumbers
from .lift import lifts
from .marginals import estimated, marginal_numbers
from .match_score import bias, match
from .pairwise import Pair, pairs_of, pairwise_numbers
from .ranking import weighting_numbers
from .record_bootstrap import N_RESAMPLES, Resample

__all__ = ["Alignment", "Setup", "alignment_numbers", "compute"]

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
    """The names of the conditions, and the generator that is each judge's own model.

    Attributes
    ----------
    with_truth, without, corrupted : str
        The names of these conditions; the grid may have others.
    own : mapping from judge to generator
        Which generator is the judge's own model.
    """

    with_truth: str = "with-gt"
    without: str = "without-gt"
    corrupted: str = "corrupted-gt"
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
        If the grid is inconsistent.
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
        floors=constant_judge_cells(first, resample),
        pairs=pairs_of(first, resample),
        anchors=anchored(first, chosen.with_truth, chosen.without),
        decisions=decisions(cells),
    )


def alignment_numbers(alignment: Alignment) -> PlanNumbers:
    """Return every estimate, in the order of numbers.json."""
    grid, setup, resample = alignment.grid, alignment.setup, alignment.resample
    cells = alignment.cells
    numbers = _design(alignment) | accuracy_numbers(grid, resample)
    numbers |= _alignments(alignment) | _lifts(cells, setup)
    numbers |= decline_numbers(cells) | slope_numbers(cells, setup.with_truth, setup.without)
    numbers |= decision_numbers(alignment.decisions) | pairwise_numbers(alignment.pairs)
    numbers |= weighting_numbers(cells) | _binary(alignment)
    jury = jury_cells(grid, resample)
    numbers |= jury_numbers(jury) if jury is not None else {}
    numbers |= anchoring_numbers(alignment.anchors, resample)
    biases = tally(grid, bias(grid.reference, grid.verdict), resample, is_signed=True)
    numbers |= bias_numbers(biases) | self_preference(biases, setup.own)
    numbers |= flip_numbers(alignment.every, resample)
    if alignment.human:
        numbers |= human_numbers(grid, alignment.human, n_resamples=setup.n_resamples)
    return numbers


def _design(alignment: Alignment) -> PlanNumbers:
    """Count verdicts, plans and records, and the plans of every cell."""
    grid, cells = alignment.grid, alignment.cells
    n = len(grid)
    numbers = {
        PlanKey("design", "verdicts"): count(len(alignment.every), len(alignment.every)),
        PlanKey("design", "first-pass"): count(n, len(alignment.every)),
        PlanKey("design", "records"): count(sum(map(len, alignment.resample.records)), n),
        PlanKey("design", "cells"): count(len(cells), n),
    }
    for names, members in cells.groups(("condition", "judge", "generator", "tier")):
        numbers[PlanKey("design", "plans", **names)] = count(cells.n(members), n)
    return numbers


def _alignments(alignment: Alignment) -> PlanNumbers:
    numbers: PlanNumbers = {}
    for stat, cells in (("alignment", alignment.cells), ("floor", alignment.floors)):
        for by in CROSSINGS:
            if stat == "alignment" or "judge" in by:
                numbers |= marginal_numbers(PlanKey(stat), cells, by)
        for weighting in (Weighting.COUNTS, Weighting.TOPOLOGIES):
            key, by = PlanKey(stat, f"by-{weighting}"), ("condition", "judge")
            numbers |= marginal_numbers(key, cells, by, weighting=weighting)
    return numbers


def _lifts(cells: Cells, setup: Setup) -> PlanNumbers:
    """Return lift, and corrupted minus with and minus without, by judge and tier."""
    numbers: PlanNumbers = {}
    for stat, one, other in (
        ("lift", setup.with_truth, setup.without),
        ("corrupted-minus-with", setup.corrupted, setup.with_truth),
        ("corrupted-minus-without", setup.corrupted, setup.without),
    ):
        for by in (("judge",), ("judge", "tier"), ("judge", "generator")):
            for names, lift in lifts(cells, one, other, by).items():
                place = dict(zip(by, names, strict=True))
                numbers[PlanKey(stat, **place)] = estimated(lift)
        for weighting in (Weighting.COUNTS, Weighting.TOPOLOGIES):
            for (judge,), lift in lifts(cells, one, other, weighting=weighting).items():
                numbers[PlanKey(stat, f"by-{weighting}", judge=judge)] = estimated(lift)
    return numbers


def _binary(alignment: Alignment) -> PlanNumbers:
    grid, resample = alignment.grid, alignment.resample
    binary = match(grid.reference, collapsed(grid.reference, grid.verdict))
    numbers = binary_numbers(
        alignment.cells, tally(grid, binary, resample), tally(grid, halves(grid.verdict), resample)
    )
    floors = constant_judge_cells(grid, resample, expected_binary)
    key = PlanKey("floor", "binary")
    return numbers | marginal_numbers(key, floors, ("condition", "judge"))
