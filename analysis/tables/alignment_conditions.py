"""Tables of the effect of a shown ground truth: lift, a wrong one, decline by tier, anchoring."""

from __future__ import annotations

from itertools import islice

from faultpair.judges.plan_metrics.metrics import METRICS

from ..plans.alignment.catalog import Alignment
from ..plans.alignment.key import PlanKey, PlanNumbers
from .alignment_filling import across, columns, filled, places
from .table import Cell, Column, Style, Table, value_text

__all__ = ["anchoring", "cases", "decline", "lift"]

MOST_CASES = 50
"""The number of cases that the table shows."""

DIFFERENCES = {
    "lift": "with minus without",
    "corrupted-minus-with": "corrupted minus with",
    "corrupted-minus-without": "corrupted minus without",
}


def lift(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give the differences between conditions, overall and by tier."""
    tiers = alignment.grid.tier.names
    rows = filled(
        (
            (words, place["judge"]),
            (
                numbers.get(PlanKey(stat, **place)),
                numbers.get(PlanKey(stat, "by-counts", **place)),
                *across(numbers, PlanKey(stat, **place), "tier", tiers),
            ),
        )
        for stat, words in DIFFERENCES.items()
        for place in places(alignment, "judge")
    )
    heading = columns(("Ground truth", "Judge"), ("All", "All, plans alike", *tiers), Style.SIGNED)
    notes = (
        "Over the generators and tiers that the judge saw under both conditions, cells alike; "
        "both sides over the same resampled records.",
    )
    return Table("lift", "What a ground truth adds to alignment", heading, rows, notes)


def decline(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give slopes, whether alignment falls at every step, and how much steeper without truth."""
    setup = alignment.setup
    both = (setup.with_truth, setup.without)
    wheres = [{}, *places(alignment, "judge"), *places(alignment, "judge", "generator")]
    rows = []
    for place in wheres:
        labels = (place.get("judge", "all"), place.get("generator", "mean"))
        cells: list[Cell] = []
        for name in both:
            key = PlanKey("declines", condition=name, **place)
            stats = ("declines-resampled", "slope")
            cells.append(_declines(numbers, key))
            cells += [numbers.get(key._replace(stat=stat)) for stat in stats]
        rows.append((labels, (*cells, numbers.get(PlanKey("slope-ratio", **place)))))
    heading = [Column("Judge"), Column("Generator")]
    for name in both:
        heading += [Column(f"Falls, {name}"), Column(f"Falls in resamples, {name}", Style.RATE)]
        heading.append(Column(f"Loss a tier, {name}", Style.SIGNED))
    heading.append(Column("Ratio of losses", Style.AMOUNT))
    notes = (
        "Falls: alignment is strictly lower at every harder tier; of all pairs, how many.",
        "Loss a tier: minus the least-squares slope, tiers one apart.",
        "Ratio: without over with ground truth, over pairs judged on the same tiers under both.",
    )
    title = "Decline from tier to tier"
    return Table("decline", title, tuple(heading), filled(rows), notes)


def anchoring(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Count verdicts that are too high because of the ground truth, by judge and metric."""
    shown = ("cases", "share", "mirror", "excess")
    rows = filled(
        (
            (judge["judge"], place.get("metric", "all")),
            tuple(numbers.get(PlanKey("anchoring", of, **judge, **place)) for of in shown),
        )
        for judge in places(alignment, "judge")
        for place in ({}, *({"metric": metric} for metric in METRICS))
    )
    heading = (
        Column("Judge"),
        Column("Metric"),
        Column("Cases", Style.COUNT),
        Column("Share", Style.RATE),
        Column("Mirror", Style.RATE),
        Column("Share minus mirror", Style.SIGNED),
    )
    notes = (
        "Case: p < 1, the verdict with ground truth above p, without it at most p + 0.1. "
        "Share: of the values p < 1 that were judged under both conditions.",
        "Mirror: the same with the two conditions changing places, which is what wavering gives.",
    )
    return Table("anchoring", "Over-anchoring on the ground truth", heading, rows, notes)


def cases(alignment: Alignment, _: PlanNumbers) -> Table:
    """List the first cases of over-anchoring."""
    anchors = alignment.anchors
    total = int(anchors.found.sum())
    rows = tuple(
        (
            case.judge,
            case.tier,
            case.record,
            case.generator,
            case.metric,
            *(
                value_text(value, Style.AMOUNT)
                for value in (case.reference, case.with_truth, case.without)
            ),
        )
        for case in islice(anchors.cases(), MOST_CASES)
    )
    titles = ("Judge", "Tier", "Record", "Generator", "Metric", "Reference", "With", "Without")
    notes = (f"{len(rows)} of {total} cases.",)
    title = "Cases of over-anchoring"
    return Table("anchoring-cases", title, tuple(map(Column, titles)), rows, notes)


def _declines(numbers: PlanNumbers, key: PlanKey) -> Cell:
    number = numbers.get(key)
    if number is None or number.estimate is None:
        return None
    if number.n > 1 or not key.generator:
        return f"{number.estimate:.0f} of {number.n}"
    return "yes" if number.estimate else "no"
