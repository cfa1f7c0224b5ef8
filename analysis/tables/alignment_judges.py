"""Tables of judges among themselves: agreement, leaning, flips, and people."""

from __future__ import annotations

from faultpair.judges.plan_metrics.metrics import METRICS

from ..plans.alignment.bias import OVERALL
from ..plans.alignment.disagreement import ANY
from ..plans.alignment.marginals import number_name
from ..plans.alignment.numbers import Alignment
from ..plans.alignment.pairwise import LEVELS
from .alignment_filling import Numbers, across, columns, filled, places
from .table import Cell, Column, Style, Table

__all__ = [
    "agreement",
    "bias",
    "confusion",
    "flips",
    "gap",
    "human",
    "human_judges",
    "self_preference",
]

LEANING_NOTE = "Verdict minus reference, tiers alike: above zero where the judge is too kind."


def agreement(alignment: Alignment, numbers: Numbers) -> Table:
    """Give exact agreement and κ of every two judges, and where they part."""
    rows: list[tuple[tuple[str, ...], tuple[Cell, ...]]] = []
    for place in places(alignment, "condition"):
        for one, other in _pairs(alignment, place["condition"]):
            name = f"{one}/{other}/condition={place['condition']}"
            cells = tuple(numbers[f"{stem}/{name}"] for stem in ("agreement", "kappa", "at-half"))
            rows.append(((place["condition"], one, other), cells))
        mean, chance = (numbers.get(number_name(stem, **place)) for stem in ("agreement", "kappa"))
        rows.append(((place["condition"], "mean", "of pairs"), (mean, chance, None)))
    heading = (
        *map(Column, ("Condition", "Judge", "And")),
        Column("Exact agreement", Style.RATE),
        Column("κ", Style.SIGNED),
        Column("Differing at 0.5", Style.RATE),
    )
    notes = ("Differing at 0.5: of the verdicts that differ, those of which one is 0.5.",)
    return Table("judge-agreement", "Agreement of judges", heading, filled(rows), notes)


def confusion(alignment: Alignment, numbers: Numbers) -> Table:
    """Give the nine counts of every two judges, all metrics together."""
    rows = filled(
        (
            (place["condition"], one, other),
            tuple(
                numbers[f"confusion/{one}/{other}/condition={place['condition']}/{row}/{column}"]
                for row in LEVELS
                for column in LEVELS
            ),
        )
        for place in places(alignment, "condition")
        for one, other in _pairs(alignment, place["condition"])
    )
    titles = [f"{row} and {column}" for row in LEVELS for column in LEVELS]
    heading = columns(("Condition", "Judge", "And"), titles, Style.COUNT)
    notes = ("`0.5 and 1`: the first judge says 0.5, the second 1.",)
    return Table("judge-confusion", "Verdicts of two judges", heading, rows, notes)


def gap(alignment: Alignment, numbers: Numbers) -> Table:
    """Give the rank correlation of κ with the distance of the judges' tiers."""
    rows = filled(
        ((place["condition"],), (numbers.get(number_name("kappa-gap", **place)),))
        for place in places(alignment, "condition")
    )
    heading = columns(("Condition",), ("Spearman",), Style.SIGNED)
    notes = ("Pairs share judges and are not independent; no p is given.",)
    return Table("kappa-gap", "κ against the distance of tiers", heading, rows, notes)


def bias(alignment: Alignment, numbers: Numbers) -> Table:
    """Give the mean of verdict minus reference by judge, generator and metric."""
    wheres = [*places(alignment, "condition", "judge")]
    wheres += [*places(alignment, "condition", "judge", "generator")]
    rows = filled(
        (
            (place["condition"], place["judge"], place.get("generator", "all")),
            (
                numbers.get(number_name("bias", **place)),
                *across(numbers, "bias", place, "metric", METRICS),
            ),
        )
        for place in wheres
    )
    heading = columns(("Condition", "Judge", "Generator"), ("All", *METRICS), Style.SIGNED)
    return Table("bias", "Leaning of judges", heading, rows, (LEANING_NOTE,))


def self_preference(alignment: Alignment, numbers: Numbers) -> Table:
    """Set a judge's bias on its own model's plans beside that on others'."""
    stems = ("own", "lowest", "highest", "excess")
    rows = filled(
        (
            (place["condition"], place["judge"], metric),
            tuple(numbers.get(number_name(f"self/{s}", **place, metric=metric)) for s in stems),
        )
        for place in places(alignment, "condition", "judge")
        for metric in (OVERALL, *METRICS)
    )
    titles = ("On its own", "Least on another", "Largest on another", "Own minus mean of others")
    heading = columns(("Condition", "Judge", "Metric"), titles, Style.SIGNED)
    notes = (
        LEANING_NOTE,
        "Own minus others is no taste by itself: a judge that grades all plans alike is the "
        "kinder the worse they are.",
    )
    return Table("self-preference", "Judges of their own model's plans", heading, rows, notes)


def flips(alignment: Alignment, numbers: Numbers) -> Table:
    """Give how often a second pass says something else."""
    metrics = (*METRICS, ANY)
    rows = filled(
        (
            (place["condition"], place["judge"]),
            across(numbers, "flips", place, "metric", metrics),
        )
        for place in places(alignment, "condition", "judge")
    )
    heading = columns(("Condition", "Judge"), metrics, Style.RATE)
    return Table("flips", "Verdicts that differ when asked again", heading, rows)


def human(alignment: Alignment, numbers: Numbers) -> Table:
    """Give how often people agreed with the reference."""
    topologies = (
        {"topology": name} for name in dict.fromkeys(row.plan.topology for row in alignment.human)
    )
    wheres = ({}, *({"metric": metric} for metric in METRICS), *topologies)
    rows = filled(
        ((next(iter(place.values()), "all"),), (numbers.get(number_name("human/agrees", **place)),))
        for place in wheres
    )
    heading = columns(("Of",), ("Agree with the reference",), Style.RATE)
    notes = ("Intervals take the values of one plan for independent.",)
    return Table("human", "People and the reference", heading, rows, notes)


def human_judges(alignment: Alignment, numbers: Numbers) -> Table:
    """Set each judge's alignment with the reference beside that with people."""
    rows = []
    for place in places(alignment, "condition"):
        for judge in alignment.grid.judge.names:
            stems = ("programmatic", "people", "difference")
            names = (number_name(f"human/{stem}", **place, judge=judge) for stem in stems)
            rows.append(((place["condition"], judge), (*map(numbers.get, names), None)))
        rho = numbers.get(number_name("human/spearman", **place))
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


def _pairs(alignment: Alignment, condition: str) -> list[tuple[str, str]]:
    return [(pair.one, pair.other) for pair in alignment.pairs if pair.condition == condition]
