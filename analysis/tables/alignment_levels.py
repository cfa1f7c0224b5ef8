"""Tables of alignment itself, with the floors below every column."""

from __future__ import annotations

from faultpair.judges.plan_metrics.metrics import METRICS

from ..plans.alignment.catalog import Alignment
from ..plans.alignment.key import PlanKey, PlanNumbers
from .escapes import AsWritten
from .rows import across, filled, judges_and_floors, places
from .table import Table, rates, words

__all__ = ["FLOOR_NOTE", "accuracy", "cells", "metrics", "overall", "topologies"]

SHARE_NOTE = (
    "Alignment: mean of 1 − |p − v|, as a share of one; times 100 it is the paper's percent."
)
FLOOR_NOTE = AsWritten(
    "Floors: judges that do not look, on all plans that anybody judged there; `always 1` is the "
    "accuracy of the generators, `random` draws from 0, 0.5 and 1."
)


def overall(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give the mean of each judge and floor, three ways of weighting, then tier by tier."""
    weightings = ("", "by-counts", "by-topologies")
    tiers = alignment.grid.tier.names
    rows = filled(
        (
            (place["condition"], label),
            (
                *across(numbers, key._replace(**place), "of", weightings),
                *across(numbers, key._replace(**place), "tier", tiers),
            ),
        )
        for place in places(alignment, "condition")
        for key, label in judges_and_floors(alignment)
    )
    titles = ("Cells alike", "Plans alike", "Topologies alike", *tiers)
    notes = (
        SHARE_NOTE,
        FLOOR_NOTE,
        "Cells alike: the unweighted mean over the generators and tiers that the judge saw. "
        "A judge that did not see all tiers is to be held against the floors of those it saw.",
    )
    heading = words("Condition", "Judge") + rates(*titles)
    return Table("alignment", "Alignment with the reference", heading, rows, notes)


def cells(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give every (generator, judge, condition) by tier."""
    tiers = alignment.grid.tier.names
    rows = filled(
        (
            (place["generator"], place["condition"], label),
            across(numbers, key._replace(**place), "tier", tiers),
        )
        for place in places(alignment, "generator", "condition")
        for key, label in judges_and_floors(alignment)
    )
    heading = words("Generator", "Condition", "Judge") + rates(*tiers)
    title = "Alignment by generator, judge, condition and tier"
    return Table("alignment-cells", title, heading, rows, (SHARE_NOTE, FLOOR_NOTE))


def metrics(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give every judge's alignment by metric."""
    return _along(alignment, numbers, "metric", METRICS)


def topologies(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give every judge's alignment by topology."""
    return _along(alignment, numbers, "topology", alignment.grid.topology.names)


def accuracy(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give the accuracy of each generator, by metric and tier."""
    tiers = alignment.grid.tier.names
    rows = filled(
        (
            (place["generator"],),
            (
                *across(numbers, PlanKey("accuracy", **place), "metric", ("", *METRICS)),
                *across(numbers, PlanKey("accuracy", **place), "tier", tiers),
                *across(numbers, PlanKey("accuracy", "by-topologies", **place), "tier", tiers),
            ),
        )
        for place in places(alignment, "generator")
    )
    titles = ("All", *METRICS, *tiers, *(f"{tier}, topologies alike" for tier in tiers))
    heading = words("Generator") + rates(*titles)
    notes = ("Mean of p over the plans that anybody judged, tiers alike.",)
    return Table("accuracy", "Accuracy of the generators", heading, rows, notes)


def _along(
    alignment: Alignment, numbers: PlanNumbers, factor: str, names: tuple[str, ...]
) -> Table:
    rows = filled(
        ((place["condition"], label), across(numbers, key._replace(**place), factor, names))
        for place in places(alignment, "condition")
        for key, label in judges_and_floors(alignment)
    )
    heading = words("Condition", "Judge") + rates(*names)
    title = f"Alignment by {factor}"
    return Table(f"alignment-by-{factor}", title, heading, rows, (SHARE_NOTE, FLOOR_NOTE))
