"""The numbers of one judge that need no resample, by the functions that the tables use."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..metrics import auc, controls, cost, detection, pairs, repeatability, silence
from ..metrics.groups import reached
from ..metrics.key import Numbers
from ..metrics.pairs import PairDesign, PairOutcomes
from ..stats.bootstrap import UnitColumns

__all__ = ["numbers_of_judge"]

OF_BOOTSTRAP = "percentile"
"""The part of a number that stands beside it with the interval of the bootstrap."""


def numbers_of_judge(
    study: StudyData, design: PairDesign, outcomes: PairOutcomes, judge: int
) -> Numbers:
    """Return the numbers of a judge under the keys that they have in ``numbers.json``.

    Calibration, type F1 and unpaired AUC are left out, and so is the bootstrap interval beside
    Δ and paired AUC.
    """
    by_run, by_pair = UnitColumns(len(study.runs.ids)), UnitColumns(design.n_units)
    detection.accumulate(by_run, study, judge)
    pairs.accumulate(by_pair, design, outcomes, judge)
    is_graded = auc.is_graded(study, judge)
    if is_graded:
        auc.accumulate(by_pair, design, auc.ranks_of(study, judge), judge)
    run_sums = by_run.sums(purpose="runs", n_resamples=0)
    pair_sums = pairs.resampled(by_pair, 0)
    of_pairs = pairs.replicate(pair_sums, design, judge)
    reach = reached(study.runs, study.verdicts.view[judge], design.fault, design.parent)
    numbers = detection.estimate(study, judge, detection.replicate(run_sums, judge))
    numbers |= detection.group_rates(study, judge)
    deltas = pairs.estimate(of_pairs, design, outcomes, reach)
    readings = silence.reading_numbers(study, judge, design.groups, deltas)
    numbers |= deltas | readings
    numbers |= pairs.outcome_counts(design, outcomes)
    numbers |= pairs.bounds(study, design, outcomes, judge, reach)
    numbers |= cost.cost_numbers(study, judge) | controls.control_numbers(study, judge)
    numbers |= controls.adjusted_numbers(study, judge, readings[silence.HEADLINE])
    numbers |= repeatability.repeatability_numbers(study, design, judge)
    if is_graded:
        of_ranks = auc.replicate(pair_sums, design, judge)
        numbers |= auc.estimate(of_ranks, design, auc.ranks_of(study, judge), reach)
    return {key: number for key, number in numbers.items() if key.part != OF_BOOTSTRAP}
