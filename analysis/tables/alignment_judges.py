"""Tables of judges among themselves: agreement, bias, flips, and people."""

from __future__ import annotations

from faultpair.judges.plan_metrics.metrics import METRICS

from ..plans.alignment.catalog import Alignment
from ..plans.alignment.disagreement import ANY
from ..plans.alignment.key import OVERALL, PlanKey, PlanNumbers
from ..plans.alignment.pairwise import LEVELS, Pair
from .alignment_filling import across, columns, filled, places
from .table import Cell, Column, Style, Table

__all__ = ["agreement", "bias", "confusion", "flips", "human", "human_judges", "self_preference"]

BIAS_NOTE = "Verdict minus reference, tiers alike: above zero where the judge is too kind."


def agreement(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give exact agreement and κ of every two judges, and how often one answers 0.5."""
    rows: list[tuple[tuple[str, ...], tuple[Cell, ...]]] = []
    for condition in alignment.grid.condition.names:
        for pair in _pairs(alignment, condition):
            cells = tuple(numbers[pair.key(stat)] for stat in ("agreement", "kappa", "at-half"))
            rows.append(((condition, pair.one, pair.other), cells))
        means = (PlanKey(stat, condition=condition) for stat in ("agreement", "kappa"))
        rows.append(((condition, "mean", "of pairs"), (*map(numbers.get, means), None)))
    heading = (
        *map(Column, ("Condition", "Judge", "And")),
        Column("Exact agreement", Style.RATE),
        Column("κ", Style.SIGNED),
        Column("Differing at 0.5", Style.RATE),
    )
    notes = ("Differing at 0.5: of the verdicts that differ, those of which one is 0.5.",)
    return Table("judge-agreement", "Agreement of judges", heading, filled(rows), notes)


def confusion(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give the nine counts of every two judges, all metrics together."""
    rows = filled(
        (
            (condition, pair.one, pair.other),
            tuple(numbers[pair.confusion_key(row, col)] for row in LEVELS for col in LEVELS),
        )
        for condition in alignment.grid.condition.names
        for pair in _pairs(alignment, condition)
    )
    titles = [f"{row} and {column}" for row in LEVELS for column in LEVELS]
    heading = columns(("Condition", "Judge", "And"), titles, Style.COUNT)
    notes = ("`0.5 and 1`: the first judge says 0.5, the second 1.",)
    return Table("judge-confusion", "Verdicts of two judges", heading, rows, notes)


def bias(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give the mean of verdict minus reference by judge, generator and metric."""
    wheres = [*places(alignment, "condition", "judge")]
    wheres += [*places(alignment, "condition", "judge", "generator")]
    rows = filled(
        (
            (place["condition"], place["judge"], place.get("generator", "all")),
            (
                numbers.get(PlanKey("bias", **place)),
                *across(numbers, PlanKey("bias", **place), "metric", METRICS),
            ),
        )
        for place in wheres
    )
    heading = columns(("Condition", "Judge", "Generator"), ("All", *METRICS), Style.SIGNED)
    return Table("bias", "Leaning of judges", heading, rows, (BIAS_NOTE,))


def self_preference(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give a judge's bias on its own model's plans, and that on others'."""
    parts = ("own", "lowest", "highest", "excess")
    rows = filled(
        (
            (place["condition"], place["judge"], metric),
            tuple(numbers.get(PlanKey("self", of, **place, metric=metric)) for of in parts),
        )
        for place in places(alignment, "condition", "judge")
        for metric in (OVERALL, *METRICS)
    )
    titles = ("On its own", "Least on another", "Largest on another", "Own minus mean of others")
    heading = columns(("Condition", "Judge", "Metric"), titles, Style.SIGNED)
    notes = (
        BIAS_NOTE,
        "Own minus others is no taste by itself: a judge that grades all plans alike is the "
        "kinder the worse they are.",
    )
    return Table("self-preference", "Judges of their own model's plans", heading, rows, notes)


def flips(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give how often the verdict of a second pass differs."""
    metrics = (*METRICS, ANY)
    rows = filled(
        (
            (place["condition"], place["judge"]),
            across(numbers, PlanKey("flips", **place), "metric", metrics),
        )
        for place in places(alignment, "condition", "judge")
    )
    heading = columns(("Condition", "Judge"), metrics, Style.RATE)
    return Table("flips", "Verdicts that differ when asked again", heading, rows)


def human(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give how often people agreed with the reference."""
    topologies = (
        {"topology": name} for name in dict.fromkeys(row.plan.topology for row in alignment.human)
    )
    wheres = ({}, *({"metric": metric} for metric in METRICS), *topologies)
    rows = filled(
        ((next(iter(place.values()), "all"),), (numbers.get(PlanKey("human", "agrees", **place)),))
        for place in wheres
    )
    heading = columns(("Of",), ("Agree with the reference",), Style.RATE)
    notes = ("Intervals take the values of one plan for independent.",)
    return Table("human", "People and the reference", heading, rows, notes)


def human_judges(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give each judge's alignment with the reference, and that with people."""
    rows = []
    for place in places(alignment, "condition"):
        for judge in alignment.grid.judge.names:
            shown = ("programmatic", "people", "difference")
            keys = (PlanKey("human", of, judge=judge, **place) for of in shown)
            rows.append(((place["condition"], judge), (*map(numbers.get, keys), None)))
        rho = numbers.get(PlanKey("human", "spearman", **place))
        rows.append(((place["condition"], "all"), (None, None, None, rho)))
    heading = (
        Column("Condition"),
        Column("Judge"),
        Column("With the reference", Style.RATE),
        Column("With people", Style.RATE),
        Column("Difference", Style.SIGNED),
        Column("Spearman of rankings", Style.SIGNED),
    )
    notes = ("On plans that people read and judges graded; agreement lets the reference stand.",)
    title = "Judges against people"
    return Table("human-judges", title, heading, filled(rows), notes)


def _pairs(alignment: Alignment, condition: str) -> list[Pair]:
    return [pair for pair in alignment.pairs if pair.condition == condition]
