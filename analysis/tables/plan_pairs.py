"""Tables of planted plans: the drop of each metric by fault and judge, and the promised effects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from faultpair.judges.plan_metrics.metrics import METRICS

from ..plans.alignment.key import OVERALL, PlanKey, PlanNumbers
from ..plans.graders import GraderPass
from ..plans.metric_drops import COLUMNS, REFERENCES, PlanPairs
from ..plans.reference_effects import N_RECORDS, SEED, MeasuredEffect, promise
from ..plans.specificity import KINDS
from ..stats.estimate import Estimate, count
from .escapes import AsWritten
from .rows import across
from .table import Row, Style, Table, columns, counts, rates, signed, words

__all__ = ["effect_table", "every_pair", "pairs", "specificity"]

DELTA_NOTE = (
    "Δ of a metric: mean over pairs of value(clean plan) minus value(planted plan); above zero, "
    "the fault takes it down. The Δ of a control should be 0."
)
INTERVAL_NOTE = (
    "Interval: square-and-add of drops and rises, summed by record; a grade on 0, 0.5, 1 moves in "
    "two steps."
)
REFERENCE_NOTE = (
    "Reference: what the equations as printed, and the corrected ones, do to the same plans. "
    "Where they differ, the printed ones take down what is right, or keep what is wrong."
)
TITLES = {metric: metric for metric in METRICS} | {OVERALL: "mean of four"}
OF_REFERENCES = tuple(f"reference={variant}" for variant in REFERENCES)
PROMISES = {"lowers": "must fall", "keeps": "must stay", "depends": "depends on the site"}


def pairs(planted: PlanPairs, graders: Sequence[GraderPass], numbers: PlanNumbers) -> Table:
    """Give Δ of the four metrics, fault by fault: the references first, then every judge."""
    rows: list[Row] = []
    for kind, what in _kinds(planted):
        for variant in REFERENCES:
            key = PlanKey("pairs", kind, f"reference={variant}")
            deltas = [numbers[key._replace(metric=metric)] for metric in COLUMNS]
            n = _whole(deltas[0].n)
            must = _promised(kind) if variant == "printed" else (None, None)
            rows.append((kind, what, f"reference, {variant}", None, *must, n, *deltas))
        for grader in graders:
            deltas = [_of(numbers, kind, "delta", grader, metric) for metric in COLUMNS]
            n = _of(numbers, kind, "n", grader, OVERALL)
            rows.append((kind, what, grader.judge, grader.condition, None, None, n, *deltas))
    shown = words("Planted", "Is", "Judge", "Condition") + words("Must fall", "Must stay")
    shown += counts("Pairs") + signed(*(f"Δ {title}" for title in TITLES.values()))
    notes = (
        DELTA_NOTE,
        REFERENCE_NOTE,
        "Must fall, must stay: what the fault promises of the printed metrics at every site; the "
        "others depend on the site.",
        INTERVAL_NOTE,
    )
    return Table("plan-pairs", "Paired discrimination by metric", shown, tuple(rows), notes)


def every_pair(planted: PlanPairs, graders: Sequence[GraderPass], numbers: PlanNumbers) -> Table:
    """Give one row a fault, metric and judge: intervals, test, and what was dropped."""
    rows = tuple(
        (
            kind,
            what,
            metric,
            PROMISES[promise(kind, metric)],
            *across(numbers, PlanKey("pairs", kind, metric=metric), "part", OF_REFERENCES),
            grader.judge,
            grader.condition,
            *_tested(numbers, kind, grader, metric),
        )
        for kind, what in _kinds(planted)
        for metric in METRICS
        for grader in graders
    )
    shown = words("Planted", "Is", "Metric", "Printed reference")
    shown += signed(*(f"Δ reference, {variant}" for variant in REFERENCES))
    shown += words("Judge", "Condition") + signed("Δ", "Δ, bootstrap")
    shown += columns(Style.P, "p") + counts("Pairs", "Dropped") + signed("Worst case")
    notes = (
        DELTA_NOTE,
        INTERVAL_NOTE,
        "Bootstrap and p are over records, whose tiers hang together; p: sign flips, two-sided, "
        "not adjusted for the number of rows.",
        "Worst case: Δ whatever the grades of the dropped pairs were.",
    )
    return Table("plan-pairs-all", "Paired discrimination, row by row", shown, rows, notes)


def specificity(graders: Sequence[GraderPass], numbers: PlanNumbers) -> Table:
    """Give the mean drop of the metrics that a fault harms, and of the others."""
    rows: list[Row] = []
    for variant in REFERENCES:
        drops = across(numbers, PlanKey("aim", part=f"reference={variant}"), "of", KINDS)
        rows.append((f"reference, {variant}", None, *drops, None))
    for grader in graders:
        drops = across(numbers, PlanKey("aim", **grader.place), "of", (*KINDS, "difference"))
        rows.append((grader.judge, grader.condition, *drops))
    titles = ("Δ harmed", "Δ unharmed", "Δ beyond the reference", "Δ controls")
    shown = words("Judge", "Condition") + signed(*titles, "Harmed minus unharmed")
    notes = (
        "Harmed: the metrics that a fault takes down by the corrected reference; unharmed: the "
        "others of the same plans. A judge that lowers all four alike has the same Δ on both.",
        "Beyond the reference: all four metrics of faults that even the corrected reference does "
        "not see, such as a value that is used before it is there.",
        "Controls: all four metrics of plans that differ and are right; above zero is a false "
        "alarm.",
        "Each fault counts by its pairs. Intervals as in plan-pairs; the difference has none.",
    )
    return Table("plan-aim", "Are the right metrics taken down?", shown, tuple(rows), notes)


def effect_table(
    effects: Sequence[MeasuredEffect], n_records: int = N_RECORDS, seed: int = SEED
) -> Table:
    """Give what each fault promises, and the share of sites at which each metric falls."""
    shown = words("Fault", "Is", "Must lower", "Must keep", "Holds") + counts("Records", "Sites")
    shown += rates(*(f"{metric}, {variant}" for variant in REFERENCES for metric in METRICS))
    notes = (
        "Share of sites at which the metric falls below 1, where it was 1. A metric in neither "
        "list depends on the site: it must move at some and not at others.",
        "What a fault promises is of the printed equations. Corrected: sequence by dependency, "
        "parameters by schema, tools that the domain declares alike as one.",
        AsWritten(
            f"Every site of the first {n_records} records of seed {seed}; "
            "`python -m analysis.plans.effects` counts them again."
        ),
    )
    title = "What planted faults and controls do to the references"
    return Table("plan-effects", title, shown, tuple(map(_effect_row, effects)), notes)


def _kinds(planted: PlanPairs) -> Iterator[tuple[str, str]]:
    for kind in planted.kind.names:
        is_control = bool(planted.is_control[planted.kind.where(kind)].any())
        yield kind, "control" if is_control else "fault"


def _promised(kind: str) -> tuple[str, str]:
    """Return the printed metrics that must fall, and those that must stay."""
    falls, stays = (
        ", ".join(metric for metric in METRICS if promise(kind, metric) == word) or "none"
        for word in ("lowers", "keeps")
    )
    return falls, stays


def _of(numbers: PlanNumbers, kind: str, name: str, grader: GraderPass, metric: str) -> Estimate:
    return numbers[PlanKey("pairs", kind, name, metric=metric, **grader.place)]


def _tested(numbers: PlanNumbers, kind: str, grader: GraderPass, metric: str) -> Row:
    names = ("delta", "delta/percentile", "p", "n", "dropped")
    dropped = _of(numbers, kind, "dropped", grader, metric)
    bounds = _of(numbers, kind, "bounds", grader, metric) if dropped.estimate else None
    return (*(_of(numbers, kind, name, grader, metric) for name in names), bounds)


def _effect_row(effect: MeasuredEffect) -> Row:
    return (
        effect.fault.name,
        "control" if effect.fault.is_control else "fault",
        *_promised(effect.fault.name),
        "yes" if effect.keeps_its_promise else "no",
        _whole(effect.n_records),
        _whole(effect.n_sites),
        *(effect.share(variant, metric) for variant in REFERENCES for metric in METRICS),
    )


def _whole(n: int) -> Estimate:
    return count(n, n)
