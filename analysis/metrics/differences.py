"""Differences of any two judges in the main numbers, on the runs that both judged.

What two judges say of the same runs goes together, so the difference is taken run by run,
or pair by pair, and summed by instance.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates
from ..stats.intervals import delta_estimate, gap
from ..stats.paired_difference import IN_PARTS, Clustered
from .attribution import exact_steps, type_sums
from .auc import is_graded, ranks_of
from .calibration import BRIER, ECE, brier_difference, ece_of, stated_confidence
from .detection import FALSE_ALARMS, STRATA, difference_of_flags
from .groups import fault_groups
from .key import ALL, PAIRED, NumberKey, Numbers
from .pairs import NO_PAIR, PairDesign, PairOutcomes
from .silence import CAUTIOUS, ReadPairs, read_pairs

__all__ = ["BY_RESAMPLES", "Drawn", "difference_numbers"]

LOCALISED, TYPED = NumberKey("localisation/joint"), NumberKey("typing/macro-f1")
NO_FAULT = "no fault was judged by both"
NO_CLEAN = "no clean run was judged by both"
ONE_SIDE = "one side is undefined"

BY_RESAMPLES = (TYPED, ECE)
"""The numbers of a judge whose resamples a difference of two judges takes."""

Drawn = list[dict[NumberKey, Replicates]]


def difference_numbers(
    study: StudyData,
    design: PairDesign,
    outcomes: list[PairOutcomes],
    replicates: Drawn,
    numbers: Numbers,
) -> Numbers:
    """Return every difference of two judges; ``numbers`` holds those of each."""
    found: Numbers = {}
    cautious = [
        read_pairs(study, judge, design.fault, design.parent)
        for judge in range(len(study.compared))
    ]
    for pair in combinations(range(len(study.compared)), 2):
        left, right = (study.compared[judge] for judge in pair)
        of_pair = (
            _of_runs(study, pair)
            | _of_pairs(design, outcomes, pair)
            | _of_cautious(design, [cautious[judge] for judge in pair])
            | _of_types(study, numbers, replicates, pair)
            | _of_confidence(study, replicates, pair)
            | _of_ranks(study, design, pair)
        )
        for key, number in of_pair.items():
            found[key._replace(family="difference", judge=left, against=right)] = number
    return found


def _of_runs(study: StudyData, pair: tuple[int, int]) -> Numbers:
    verdicts, groups = study.verdicts, fault_groups(study.runs)
    both = verdicts.scored[pair[0]] & verdicts.scored[pair[1]]
    one, other = (verdicts.flagged[judge] for judge in pair)
    numbers: Numbers = {
        NumberKey("recall", group): difference_of_flags(
            study, groups[group] & both, one, other, NO_FAULT
        )
        for group in STRATA
    }
    clean = study.runs.clean & both
    numbers[FALSE_ALARMS] = difference_of_flags(study, clean, one, other, NO_CLEAN)
    if all(_names_steps(study, judge) for judge in pair):
        one, other = (exact_steps(study, judge) for judge in pair)
        faults = study.runs.faulty & both
        numbers[LOCALISED] = difference_of_flags(study, faults, one, other, NO_FAULT)
    return numbers


def _names_steps(study: StudyData, judge: int) -> bool:
    named = study.verdicts.step[judge] >= 0
    return bool((named & study.runs.faulty & study.verdicts.flagged[judge]).any())


def _of_pairs(design: PairDesign, outcomes: list[PairOutcomes], pair: tuple[int, int]) -> Numbers:
    one, other = (outcomes[judge] for judge in pair)
    difference = one.difference - other.difference
    numbers: Numbers = {}
    for group in PAIRED:
        rows = design.groups[group] & one.judged & other.judged
        pairs = Clustered.of(design.unit[rows], difference[rows], design.n_units, steps=2)
        numbers[NumberKey("delta", group)] = delta_estimate(pairs, NO_PAIR, steps=2)
    return numbers


def _of_cautious(design: PairDesign, reads: list[ReadPairs]) -> Numbers:
    """Return the difference of cautious Δ, on the pairs that both judges were asked about.

    Where both scored all of these, it is that of Δ, and is not given twice.
    """
    one, other = reads
    asked = one.counts & other.counts
    if not (asked & ~(one.is_whole & other.is_whole)).any():
        return {}
    numbers: Numbers = {}
    for group in PAIRED:
        rows = design.groups[group] & asked
        difference = one.difference[rows] - other.difference[rows]
        n_units = int(one.instance.max()) + 1
        pairs = Clustered.of(one.instance[rows], difference, n_units, steps=2)
        numbers[NumberKey(CAUTIOUS, group)] = delta_estimate(pairs, NO_PAIR, steps=2)
    return numbers


def _of_types(
    study: StudyData, numbers: Numbers, replicates: Drawn, pair: tuple[int, int]
) -> Numbers:
    """Return the difference of type F1, whose errors are those of both to first order."""
    if not all(TYPED in replicates[judge] for judge in pair):
        return {}
    one, other = (numbers[TYPED._replace(judge=study.compared[judge])] for judge in pair)
    left, right = (type_sums(study, judge) for judge in pair)
    return {TYPED: gap(one, other, (left, right), ONE_SIDE)}


def _of_confidence(study: StudyData, replicates: Drawn, pair: tuple[int, int]) -> Numbers:
    left, right = (replicates[judge].get(ECE) for judge in pair)
    if left is None or right is None:
        return {}
    ece = Replicates(left.values - right.values, min(left.n, right.n), ONE_SIDE)
    one, other = (stated_confidence(study, judge) for judge in pair)
    return {ECE: ece_of(ece), BRIER: brier_difference(study, one, other)}


def _of_ranks(study: StudyData, design: PairDesign, pair: tuple[int, int]) -> Numbers:
    if not all(is_graded(study, judge) for judge in pair):
        return {}
    one, other = (ranks_of(study, judge) for judge in pair)
    rows = one.both & other.both
    difference = one.rank - other.rank
    # AUC is (1 + mean rank) / 2: a difference of 2 in rank is one of 1 in AUC.
    # A rank that turns round moves through both steps at once.
    pairs = Clustered.of(
        design.unit[rows], difference[rows], design.n_units, steps=2, added=IN_PARTS
    )
    return {NumberKey("auc", ALL): replace(delta_estimate(pairs, NO_PAIR), n=int(rows.sum()))}
