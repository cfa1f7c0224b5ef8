"""Tables of the effect of a shown ground truth: lift, a wrong one, decline by tier, anchoring."""

from __future__ import annotations

from itertools import islice

from faultpair.judges.plan_metrics.metrics import METRICS

from ..plans.alignment.catalog import Alignment
from ..plans.alignment.key import PlanKey, PlanNumbers
from .rows import across, filled, places
from .table import Cell, Style, Table, amounts, counts, rates, signed, value_text, words

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
            (difference, place["judge"]),
            (
                *across(numbers, PlanKey(stat, **place), "of", ("", "by-counts")),
                *across(numbers, PlanKey(stat, **place), "tier", tiers),
            ),
        )
        for stat, difference in DIFFERENCES.items()
        for place in places(alignment, "judge")
    )
    heading = words("Ground truth", "Judge") + signed("All", "All, plans alike", *tiers)
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
            cells += [_declines(numbers, key), *across(numbers, key, "stat", stats)]
        rows.append((labels, (*cells, numbers.get(PlanKey("slope-ratio", **place)))))
    heading = words("Judge", "Generator")
    for name in both:
        heading += words(f"Falls, {name}") + rates(f"Falls in resamples, {name}")
        heading += signed(f"Loss a tier, {name}")
    heading += amounts("Ratio of losses")
    notes = (
        "Falls: alignment is strictly lower at every harder tier; of all pairs, how many.",
        "Loss a tier: minus the least-squares slope, tiers one apart.",
        "Ratio: without over with ground truth, over pairs judged on the same tiers under both.",
    )
    return Table("decline", "Decline from tier to tier", heading, filled(rows), notes)


def anchoring(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Count verdicts that are too high because of the ground truth, by judge and metric."""
    shown = ("cases", "share", "mirror", "excess")
    rows = filled(
        (
            (judge, metric or "all"),
            across(numbers, PlanKey("anchoring", judge=judge, metric=metric), "of", shown),
        )
        for judge in alignment.grid.judge.names
        for metric in ("", *METRICS)
    )
    heading = words("Judge", "Metric") + counts("Cases")
    heading += rates("Share", "Mirror") + signed("Share minus mirror")
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
    rows = []
    for case in islice(anchors.cases(), MOST_CASES):
        values = (case.reference, case.with_truth, case.without)
        texts = (value_text(value, Style.AMOUNT) for value in values)
        rows.append((case.judge, case.tier, case.record, case.generator, case.metric, *texts))
    heading = words("Judge", "Tier", "Record", "Generator", "Metric")
    heading += words("Reference", "With", "Without")
    notes = (f"{len(rows)} of {total} cases.",)
    return Table("anchoring-cases", "Cases of over-anchoring", heading, tuple(rows), notes)


def _declines(numbers: PlanNumbers, key: PlanKey) -> Cell:
    number = numbers.get(key)
    if number is None or number.estimate is None:
        return None
    if number.n > 1 or not key.generator:
        return f"{number.estimate:.0f} of {number.n}"
    return "yes" if number.estimate else "no"
