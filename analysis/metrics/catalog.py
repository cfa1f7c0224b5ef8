"""The catalog of numbers of a study: the one place where all of them are made.

Each metric is a module with a triple: ``accumulate`` adds what it counts as columns,
``replicate`` makes its numbers of their sums under every resample, ``estimate`` gives them
intervals. What needs no shared resample is one function.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from ..data.columns import BoolArray
from ..data.runs import Runs
from ..data.study_data import StudyData
from ..stats.bootstrap import N_RESAMPLES, Replicates, ReplicateSums, UnitColumns
from ..stats.estimate import count
from . import (
    agreement,
    attribution,
    auc,
    calibration,
    controls,
    cost,
    detection,
    pairs,
    repeatability,
    silence,
)
from .baselines import baseline_numbers
from .calibration import BRIER, ECE
from .contrasts import contrast_numbers
from .differences import BY_RESAMPLES, Drawn, difference_numbers
from .episodes import episode_numbers
from .groups import design_cells, fault_groups, reached
from .key import Group, NumberKey, Numbers, design_key, of_judge
from .pairs import PairDesign, PairOutcomes
from .type_sample import type_sample_numbers
from .type_scenarios import type_scenario_counts, type_scenario_flags
from .variants import variant_numbers

__all__ = ["Computed", "compute", "main_numbers", "numbers_of"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Computed:
    """A study reduced to its pairs, and to sums over its runs and pairs under every resample."""

    study: StudyData
    design: PairDesign
    outcomes: list[PairOutcomes]
    run_sums: ReplicateSums
    pair_sums: ReplicateSums
    n_resamples: int
    is_brief: bool = False

    def replicates(self, judge: int) -> dict[NumberKey, Replicates]:
        """Return the numbers of a judge under every resample; those of all would be gigabytes."""
        replicates = (
            detection.replicate(self.run_sums, judge)
            | attribution.replicate(self.run_sums, self.study, judge)
            | calibration.replicate(self.run_sums, judge)
            | pairs.replicate(self.pair_sums, self.design, judge)
        )
        if auc.is_graded(self.study, judge):
            score = calibration.replicate(self.run_sums, ("score", judge))
            replicates |= _of_score(score) | auc.replicate(self.pair_sums, self.design, judge)
        return replicates


def compute(
    study: StudyData, *, n_resamples: int = N_RESAMPLES, is_brief: bool = False
) -> Computed:
    """Resample runs and instances once, for all judges and numbers together.

    In brief, as a report is, a study has no numbers of any two judges but those of its declared
    contrasts: 2,000 judges make two million pairs. It has no tests of fault types and no
    resamples either, as no table of a report shows what is made of them.
    """
    n_resamples = 0 if is_brief else n_resamples
    judges = range(len(study.judges))
    design = PairDesign.of(study)
    outcomes = [pairs.outcomes_of(study, judge) for judge in judges]
    by_run, by_pair = UnitColumns(len(study.runs.ids)), UnitColumns(design.n_units)
    if not is_brief:
        agreement.accumulate(by_run, study)
    for judge in judges:
        detection.accumulate(by_run, study, judge)
        attribution.accumulate(by_run, study, judge)
        calibration.accumulate(by_run, calibration.stated_confidence(study, judge), judge)
        pairs.accumulate(by_pair, design, outcomes[judge], judge)
        if auc.is_graded(study, judge):
            calibration.accumulate(by_run, auc.stated_score(study, judge), ("score", judge))
            auc.accumulate(by_pair, design, auc.ranks_of(study, judge), judge)
    strata = design_cells(study.runs).codes
    run_sums = by_run.sums(strata, purpose="runs", n_resamples=n_resamples)
    pair_sums = pairs.resampled(by_pair, n_resamples)
    return Computed(
        study=study,
        design=design,
        outcomes=outcomes,
        run_sums=run_sums,
        pair_sums=pair_sums,
        n_resamples=n_resamples,
        is_brief=is_brief,
    )


def numbers_of(computed: Computed) -> Numbers:
    """Return every estimate of a study, in the order of numbers.json."""
    study, design, outcomes = computed.study, computed.design, computed.outcomes
    numbers = _design(computed) | episode_numbers(study)
    drawn: Drawn = []
    tests: Numbers = {}
    n_compared = 0 if computed.is_brief else len(study.compared)
    for judge, name in enumerate(study.judges):
        replicates = computed.replicates(judge)
        numbers |= of_judge(name, _of_judge(computed, judge, replicates))
        if judge < n_compared:
            drawn.append({key: replicates[key] for key in BY_RESAMPLES if key in replicates})
        if not computed.is_brief:
            numbers |= of_judge(name, type_sample_numbers(study, design, outcomes[judge]))
            tests |= of_judge(name, pairs.type_tests(design, outcomes[judge]))
    numbers |= tests | pairs.adjusted_tests(tests)
    numbers |= baseline_numbers(study, design, fault_groups(study.runs))
    if not computed.is_brief:
        numbers |= difference_numbers(study, design, outcomes, drawn, numbers)
        numbers |= agreement.panel_numbers(computed.run_sums, study)
    numbers |= agreement.pass_numbers(study)
    numbers |= variant_numbers(study, design, outcomes)
    return numbers | contrast_numbers(study, design, outcomes)


def main_numbers(study: StudyData) -> Numbers:
    """Return the numbers of the main table alone: rates, Δ with its interval, counts of runs.

    They are those of `numbers_of`, in a fraction of its time: none of them needs a resample.
    """
    design = PairDesign.of(study)
    design = replace(design, groups={group: design.groups[group] for group in detection.STRATA})
    numbers: Numbers = {}
    for judge, name in enumerate(study.judges):
        outcomes, reach = pairs.outcomes_of(study, judge), _reach(study, design, judge)
        own = detection.rates(study, judge) | pairs.deltas(design, outcomes, reach)
        own |= silence.reading_numbers(study, judge, design.groups, own)
        numbers |= of_judge(name, own | cost.cost_numbers(study, judge))
    groups = fault_groups(study.runs)
    return numbers | baseline_numbers(study, design, {g: groups[g] for g in design.groups})


def _of_score(numbers: Mapping[NumberKey, T]) -> dict[NumberKey, T]:
    """Return calibration numbers as those of a judge's score."""
    return {_score_key(key): number for key, number in numbers.items()}


def _score_key(key: NumberKey) -> NumberKey:
    return key._replace(stat=f"score/{key.stat}")


def _of_judge(computed: Computed, judge: int, replicates: dict[NumberKey, Replicates]) -> Numbers:
    study, design, outcomes = computed.study, computed.design, computed.outcomes[judge]
    reach = _reach(study, design, judge)
    stated = calibration.stated_confidence(study, judge)
    deltas = pairs.estimate(replicates, design, outcomes, reach)
    readings = silence.reading_numbers(study, judge, design.groups, deltas)
    headline = readings[silence.HEADLINE]
    return (
        detection.estimate(study, judge, replicates)
        | detection.group_rates(study, judge)
        | type_scenario_flags(study, judge)
        | agreement.vote_numbers(study, judge)
        | deltas
        | readings
        | pairs.outcome_counts(design, outcomes)
        | pairs.bounds(study, design, outcomes, judge, reach)
        | attribution.estimate(study, judge, replicates)
        | attribution.confusion(study, judge)
        | calibration.estimate(study, replicates, stated)
        | calibration.brier_by_class(stated, study.runs.faulty)
        | calibration.reliability(stated)
        | cost.cost_numbers(study, judge)
        | controls.control_numbers(study, judge)
        | controls.adjusted_numbers(study, judge, headline)
        | _of_model(computed, judge, replicates, reach)
    )


def _of_model(
    computed: Computed,
    judge: int,
    replicates: dict[NumberKey, Replicates],
    reach: BoolArray | None,
) -> Numbers:
    """Return what only model judges have: calls, passes, scores."""
    study, design = computed.study, computed.design
    numbers = cost.call_numbers(study, judge)
    numbers |= repeatability.repeatability_numbers(study, design, judge)
    if study.is_model(judge):
        numbers |= repeatability.identical_pairs(study, judge)
    if auc.is_graded(study, judge):
        numbers |= auc.estimate(replicates, design, auc.ranks_of(study, judge), reach)
        score = {key: replicates[_score_key(key)] for key in (ECE, BRIER)}
        stated = auc.stated_score(study, judge)
        numbers |= _of_score(calibration.estimate(study, score, stated))
        groups = fault_groups(study.runs)
        graded = {group: groups[group] for group in auc.graded_groups(design)}
        numbers |= auc.unpaired_aucs(study, judge, graded)
    return numbers


def _reach(study: StudyData, design: PairDesign, judge: int) -> BoolArray | None:
    return reached(study.runs, study.verdicts.view[judge], design.fault, design.parent)


def _design(computed: Computed) -> Numbers:
    """Count runs, faults and pairs of every group, and how many faults reach each view."""
    runs, design = computed.study.runs, computed.design
    n, n_faults, n_pairs = len(runs.ids), int(runs.faulty.sum()), len(design.fault)
    totals: Mapping[str, tuple[int, int]] = {
        "runs": (n, n),
        "clean": (int(runs.clean.sum()), n),
        "controls": (int((runs.control.codes >= 0).sum()), n),
        "faults": (n_faults, n),
        "pairs": (n_pairs, n_faults),
        "unpaired": (n_faults - n_pairs, n_faults),
        "instances": (len(runs.instance.names), n),
        "verdicts": (int(computed.study.passes.judged.sum()), n),
    }
    numbers = {design_key(stat): count(*total) for stat, total in totals.items()}
    for group, rows in fault_groups(runs).items():
        numbers[design_key("faults", group)] = count(int(rows.sum()), n_faults)
    numbers |= _types(runs) | type_scenario_counts(runs)
    for group, rows in design.groups.items():
        numbers[design_key("pairs", group)] = count(int(rows.sum()), n_pairs)
    return numbers


def _types(runs: Runs) -> Numbers:
    """Count the silent faults of each type, and those that change the reply."""
    numbers: Numbers = {}
    for name in runs.failure_type.names:
        group, rows = Group("type", name), runs.failure_type.where(name)
        silent, changed = rows & runs.outcome_correct, rows & (runs.reply_changed == 1)
        for part, members in (("silent", silent), ("changed", changed)):
            key = design_key("faults", group, part)
            numbers[key] = count(int(members.sum()), int(rows.sum()))
    return numbers
