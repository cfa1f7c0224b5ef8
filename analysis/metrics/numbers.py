"""Every number of a study, by name: the one place where they are all made."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations

from ..data.columns import BoolArray
from ..data.runs import Runs
from ..data.study_data import StudyData
from ..stats.bootstrap import N_RESAMPLES, Replicates, ReplicateSums, UnitColumns
from ..stats.delta import BY_INSTANCE
from ..stats.estimate import Estimate, count
from ..stats.intervals import from_draws
from . import agreement, attribution, calibration, detection, pairs
from . import auc as graded
from . import cost as conduct
from . import repeatability as noise
from .baselines import baseline_numbers
from .contrasts import contrast_numbers
from .detection import BY_CELLS
from .episodes import episode_numbers
from .groups import design_cells, fault_groups
from .pairs import PairDesign, PairOutcomes
from .reach import reached
from .unpaired_auc import unpaired_aucs
from .variants import wording_numbers

__all__ = ["Computed", "compute", "main_numbers", "numbers_of"]

DIFFERENCES = (
    "recall/all",
    "recall/silent",
    "recall/loud",
    "false-alarms",
    "delta/all",
    "delta/silent",
    "delta/loud",
    "delta/unchanged",
    "delta/changed",
    "localisation/joint",
    "typing/macro-f1",
    "ece",
    "brier",
    "auc/all",
)
"""The numbers whose difference between any two judges is given."""


@dataclass(frozen=True, slots=True)
class Computed:
    """What a study was reduced to: its resampled numbers by judge, and its pairs.

    ``drawn[judge][name]`` holds a number as observed and under every resample.
    """

    study: StudyData
    design: PairDesign
    fates: list[PairOutcomes]
    drawn: list[dict[str, Replicates]] = field(default_factory=list)
    run_sums: ReplicateSums | None = None
    n_resamples: int = N_RESAMPLES


def compute(study: StudyData, *, n_resamples: int = N_RESAMPLES) -> Computed:
    """Resample runs and instances once, for all judges and numbers together."""
    judges = range(len(study.judges))
    design = PairDesign.of(study)
    fates = [pairs.fates_of(study, judge) for judge in judges]
    by_run, by_pair = UnitColumns(len(study.runs.ids)), UnitColumns(design.n_units)
    agreement.enter(by_run, study)
    for judge in judges:
        detection.enter(by_run, study, judge)
        attribution.enter(by_run, study, judge)
        calibration.enter(by_run, calibration.stated_confidence(study, judge), judge)
        pairs.enter(by_pair, design, fates[judge], judge)
        if graded.is_graded(study, judge):
            calibration.enter(by_run, graded.stated_score(study, judge), ("score", judge))
            graded.enter(by_pair, design, graded.ranks_of(study, judge), judge)
    strata = design_cells(study.runs).codes
    run_sums = by_run.sums(strata, purpose="runs", n_resamples=n_resamples)
    pair_sums = pairs.resampled(by_pair, n_resamples)
    drawn = [
        detection.drawn(run_sums, judge)
        | attribution.drawn(run_sums, study, judge)
        | calibration.drawn(run_sums, judge)
        | pairs.drawn(pair_sums, design, judge)
        | _graded_draws(study, design, run_sums, pair_sums, judge)
        for judge in judges
    ]
    return Computed(study, design, fates, drawn, run_sums, n_resamples)


def numbers_of(computed: Computed) -> dict[str, Estimate]:
    """Return every estimate of a study by its full name, in a fixed order."""
    study = computed.study
    found = _design(computed) | episode_numbers(study)
    for judge, name in enumerate(study.judges):
        own = _of_judge(computed, judge)
        found |= {f"{name}/{number}": estimate for number, estimate in own.items()}
    found |= baseline_numbers(study, computed.design, fault_groups(study.runs))
    found |= _differences(computed)
    if computed.run_sums is not None:
        found |= agreement.panel(computed.run_sums, study, BY_CELLS)
    found |= agreement.passes(study)
    found |= wording_numbers(study, computed.design, computed.fates, computed.n_resamples)
    return found | contrast_numbers(study, computed.design, computed.fates, computed.n_resamples)


def main_numbers(study: StudyData) -> dict[str, Estimate]:
    """Return the numbers of the main table alone: rates, Δ with its interval, counts of runs.

    They are those of `numbers_of`, in a fraction of its time: no resample is drawn, so that
    no number but Δ, whose interval needs none, has an interval.
    """
    design = PairDesign.of(study)
    design = replace(design, groups={name: design.groups[name] for name in detection.STRATA})
    by_run, by_pair = UnitColumns(len(study.runs.ids)), UnitColumns(design.n_units)
    fates = [pairs.fates_of(study, judge) for judge in range(len(study.judges))]
    for judge, own in enumerate(fates):
        detection.enter(by_run, study, judge)
        pairs.enter(by_pair, design, own, judge)
    run_sums = by_run.sums(design_cells(study.runs).codes, purpose="runs", n_resamples=0)
    pair_sums = pairs.resampled(by_pair, 0)
    found: dict[str, Estimate] = {}
    for judge, name in enumerate(study.judges):
        reach = reached(study.runs, study.verdicts.view[judge], design.fault, design.parent)
        own_numbers = (
            detection.estimates(detection.drawn(run_sums, judge))
            | pairs.estimates(pairs.drawn(pair_sums, design, judge), design, fates[judge], reach)
            | conduct.cost(study, judge)
        )
        found |= {f"{name}/{number}": estimate for number, estimate in own_numbers.items()}
    groups = fault_groups(study.runs)
    return found | baseline_numbers(study, design, {name: groups[name] for name in design.groups})


def _of_judge(computed: Computed, judge: int) -> dict[str, Estimate]:
    study, design, fates = computed.study, computed.design, computed.fates[judge]
    drawn = computed.drawn[judge]
    stated = calibration.stated_confidence(study, judge)
    reach = reached(study.runs, study.verdicts.view[judge], design.fault, design.parent)
    return (
        detection.estimates(_only(drawn, "recall/", "false", "gap/recall", "f1", "precision/"))
        | detection.group_rates(study, judge)
        | pairs.estimates(_only(drawn, "delta/", "gap/delta"), design, fates, reach)
        | pairs.outcome_counts(design, fates)
        | pairs.bounds(study, design, fates, judge, reach)
        | attribution.estimates(_only(drawn, "localisation/", "typing/"), BY_CELLS)
        | attribution.confusion(study, judge)
        | calibration.estimates(_only(drawn, "ece", "brier"), stated, BY_CELLS)
        | calibration.reliability(stated)
        | conduct.cost(study, judge)
        | conduct.controls(study, judge)
        | _of_model(computed, judge, reach)
    )


def _of_model(computed: Computed, judge: int, reach: BoolArray | None) -> dict[str, Estimate]:
    """Return what only judges that ask somebody have: calls, passes, scores."""
    study, design = computed.study, computed.design
    found = conduct.calls(study, judge)
    found |= noise.noise_numbers(study, design, judge, computed.n_resamples)
    if study.judges[judge] in study.models:
        found |= noise.identical_pairs(study, judge)
    if graded.is_graded(study, judge):
        drawn, stated = computed.drawn[judge], graded.stated_score(study, judge)
        ranks = graded.ranks_of(study, judge)
        found |= graded.estimates(drawn, design, ranks, reach)
        own = {name: drawn[f"score/{name}"] for name in ("ece", "brier")}
        score = calibration.estimates(own, stated, BY_CELLS)
        found |= {f"score/{name}": estimate for name, estimate in score.items()}
        groups = fault_groups(study.runs)
        wanted = {name: groups[name] for name in graded.graded_groups(design)}
        found |= unpaired_aucs(study, judge, wanted, computed.n_resamples)
    return found


def _graded_draws(
    study: StudyData,
    design: PairDesign,
    run_sums: ReplicateSums,
    pair_sums: ReplicateSums,
    judge: int,
) -> dict[str, Replicates]:
    if not graded.is_graded(study, judge):
        return {}
    score = calibration.drawn(run_sums, ("score", judge))
    named = {f"score/{name}": drawn for name, drawn in score.items()}
    return named | graded.drawn(pair_sums, design, judge)


def _only(drawn: dict[str, Replicates], *beginnings: str) -> dict[str, Replicates]:
    return {name: number for name, number in drawn.items() if name.startswith(beginnings)}


def _design(computed: Computed) -> dict[str, Estimate]:
    """Count runs, faults and pairs of every group, and how many faults reach each view."""
    runs, design = computed.study.runs, computed.design
    n = len(runs.ids)
    found = {
        "design/runs": count(n, n),
        "design/clean": count(int(runs.clean.sum()), n),
        "design/controls": count(int((runs.control.codes >= 0).sum()), n),
        "design/faults": count(int(runs.faulty.sum()), n),
        "design/pairs": count(len(design.fault), int(runs.faulty.sum())),
        "design/unpaired": count(
            int(runs.faulty.sum()) - len(design.fault), int(runs.faulty.sum())
        ),
        "design/instances": count(len(runs.instance.names), n),
        "design/verdicts": count(int(computed.study.passes.judged.sum()), n),
    }
    for name, rows in fault_groups(runs).items():
        found[f"design/faults/{name}"] = count(int(rows.sum()), int(runs.faulty.sum()))
    for name, rows in _types(runs):
        silent, changed = rows & runs.outcome_correct, rows & (runs.reply_changed == 1)
        found[f"design/faults/{name}/silent"] = count(int(silent.sum()), int(rows.sum()))
        found[f"design/faults/{name}/changed"] = count(int(changed.sum()), int(rows.sum()))
    for name, rows in design.groups.items():
        found[f"design/pairs/{name}"] = count(int(rows.sum()), len(design.fault))
    return found


def _types(runs: Runs) -> list[tuple[str, BoolArray]]:
    names = runs.failure_type.names
    return [(f"type={name}", runs.failure_type.where(name)) for name in names]


def _differences(computed: Computed) -> dict[str, Estimate]:
    """Return the difference of any two judges in the main numbers, resample by resample."""
    found: dict[str, Estimate] = {}
    judges = computed.study.compared
    for one, other in combinations(range(len(judges)), 2):
        left, right = computed.drawn[one], computed.drawn[other]
        for name in DIFFERENCES:
            if name in left and name in right:
                values = left[name].values - right[name].values
                number = Replicates(
                    values, min(left[name].n, right[name].n), "one side is undefined"
                )
                method = BY_INSTANCE if name.startswith(("delta", "auc")) else BY_CELLS
                full = f"difference/{judges[one]}/{judges[other]}/{name}"
                found[full] = from_draws(number, method)
    return found
