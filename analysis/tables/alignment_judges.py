"""Tables of judges among themselves: agreement, bias, flips, and people."""

from __future__ import annotations

from faultpair.judges.plan_metrics.metrics import METRICS

from ..plans.alignment.catalog import Alignment
from ..plans.alignment.disagreement import ANY
from ..plans.alignment.key import OVERALL, PlanKey, PlanNumbers
from ..plans.alignment.pairwise import LEVELS, Pair
from .escapes import AsWritten
from .rows import across, filled, places
from .table import Row, Table, counts, rates, signed, words

__all__ = ["agreement", "bias", "confusion", "flips", "human", "human_judges", "self_preference"]

BIAS_NOTE = "Verdict minus reference, tiers alike: above zero where the judge is too kind."


def agreement(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give exact agreement and κ of every two judges, and how often one answers 0.5."""
    stats = ("agreement", "kappa", "at-half")
    rows: list[tuple[tuple[str, ...], Row]] = []
    for condition in alignment.grid.condition.names:
        for pair in _pairs(alignment, condition):
            cells = across(numbers, pair.key("agreement"), "stat", stats)
            rows.append(((condition, pair.one, pair.other), cells))
        mean = PlanKey("agreement", condition=condition)
        means = across(numbers, mean, "stat", stats[:2])
        rows.append(((condition, "mean", "of pairs"), (*means, None)))
    heading = words("Condition", "Judge", "And") + rates("Exact agreement")
    heading += signed("κ") + rates("Differing at 0.5")
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
    heading = words("Condition", "Judge", "And") + counts(*titles)
    notes = (AsWritten("`0.5 and 1`: the first judge says 0.5, the second 1."),)
    return Table("judge-confusion", "Verdicts of two judges", heading, rows, notes)


def bias(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give the mean of verdict minus reference by judge, generator and metric."""
    wheres = [*places(alignment, "condition", "judge")]
    wheres += [*places(alignment, "condition", "judge", "generator")]
    rows = filled(
        (
            (place["condition"], place["judge"], place.get("generator", "all")),
            across(numbers, PlanKey("bias", **place), "metric", ("", *METRICS)),
        )
        for place in wheres
    )
    heading = words("Condition", "Judge", "Generator") + signed("All", *METRICS)
    return Table("bias", "Leaning of judges", heading, rows, (BIAS_NOTE,))


def self_preference(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give a judge's bias on its own model's plans, and that on others'."""
    parts = ("own", "lowest", "highest", "excess")
    rows = filled(
        (
            (place["condition"], place["judge"], metric),
            across(numbers, PlanKey("self", **place, metric=metric), "of", parts),
        )
        for place in places(alignment, "condition", "judge")
        for metric in (OVERALL, *METRICS)
    )
    titles = ("On its own", "Least on another", "Largest on another", "Own minus mean of others")
    heading = words("Condition", "Judge", "Metric") + signed(*titles)
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
        (tuple(place.values()), across(numbers, PlanKey("flips", **place), "metric", metrics))
        for place in places(alignment, "condition", "judge")
    )
    heading = words("Condition", "Judge") + rates(*metrics)
    return Table("flips", "Verdicts that differ when asked again", heading, rows)


def human(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give how often people agreed with the reference."""
    agrees, topologies = PlanKey("human", "agrees"), [row.plan.topology for row in alignment.human]
    labels = {agrees: "all"} | {agrees._replace(metric=name): name for name in METRICS}
    labels |= {agrees._replace(topology=name): name for name in topologies}
    rows = filled(((label,), (numbers.get(key),)) for key, label in labels.items())
    heading = words("Of") + rates("Agree with the reference")
    notes = ("Intervals take the values of one plan for independent.",)
    return Table("human", "People and the reference", heading, rows, notes)


def human_judges(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give each judge's alignment with the reference, and that with people."""
    rows: list[tuple[tuple[str, ...], Row]] = []
    for condition in alignment.grid.condition.names:
        key = PlanKey("human", condition=condition)
        for judge in alignment.grid.judge.names:
            shown = ("programmatic", "people", "difference")
            cells = across(numbers, key._replace(judge=judge), "of", shown)
            rows.append(((condition, judge), (*cells, None)))
        rho = numbers.get(key._replace(of="spearman"))
        rows.append(((condition, "all"), (None, None, None, rho)))
    heading = words("Condition", "Judge") + rates("With the reference", "With people")
    heading += signed("Difference", "Spearman of rankings")
    notes = ("On plans that people read and judges graded; agreement lets the reference stand.",)
    return Table("human-judges", "Judges against people", heading, filled(rows), notes)


def _pairs(alignment: Alignment, condition: str) -> list[Pair]:
    return [pair for pair in alignment.pairs if pair.condition == condition]
