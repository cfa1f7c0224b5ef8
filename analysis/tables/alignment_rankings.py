"""Tables that rank judges: the best in each place, and rankings under other rules."""

from __future__ import annotations

from faultpair.judges.baselines import CONSTANT_GRADES
from faultpair.judges.plan_metrics.metrics import METRICS

from ..plans.alignment.catalog import Alignment
from ..plans.alignment.key import PlanKey, PlanNumbers
from ..plans.alignment.ranking import WEIGHTINGS
from .alignment_levels import FLOOR_NOTE
from .rows import across, filled, places
from .table import Cell, Row, Table, rates, signed, words

__all__ = ["binary", "decision", "jury", "weightings"]

FLOOR = "Highest floor"
SHARED_NOTE = "Over the cells (generator and tier) that all judges of the condition share, alike."


def decision(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give the best judge of each condition and tier, and how far the next is behind."""
    rows = []
    for one in alignment.decisions:
        floor = _floor(numbers, {"condition": one.condition, "tier": one.tier})
        cells = (one.best, one.alignment, one.runner_up, one.distance, one.holds, floor)
        rows.append((one.condition, one.tier, *cells))
    heading = words("Condition", "Tier", "Best judge") + rates("Alignment")
    heading += words("Runner-up") + signed("Ahead by") + rates("Best in resamples", FLOOR)
    notes = (
        "Generators alike, over those that all judges there judged; chosen as observed, so the "
        "best is flattered a little.",
    )
    return Table("decision", "Which judge to take", heading, tuple(rows), notes)


def weightings(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give alignment under other weights of the metrics, and the correlation of the rankings."""
    judges = alignment.grid.judge.names
    rows = filled(
        (
            (place["condition"], weighting),
            (
                numbers.get(PlanKey("weighting", weighting, "spearman", **place)),
                *across(numbers, PlanKey("weighting", weighting, **place), "judge", judges),
            ),
        )
        for place in places(alignment, "condition")
        for weighting in WEIGHTINGS
    )
    heading = words("Condition", "Weights") + signed("Spearman with equal") + rates(*judges)
    title = "Alignment under other weights of the metrics"
    return Table("weightings", title, heading, rows, (SHARED_NOTE,))


def binary(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give alignment with and without the half verdict, and the rates of 0.5."""
    rows: list[tuple[tuple[str, ...], Row]] = []
    for condition in alignment.grid.condition.names:
        for judge in alignment.grid.judge.names:
            key = PlanKey("binary", condition=condition, judge=judge)
            cells = across(numbers, key, "of", ("standard", "collapsed", "gain"))
            halves = across(numbers, key._replace(stat="half-rate"), "metric", ("", *METRICS))
            rows.append(((condition, judge), (*cells, *halves, None)))
        n_blank = 2 + len(METRICS)
        for floor in CONSTANT_GRADES:
            key = PlanKey("floor", condition=condition, judge=floor)
            both = across(numbers, key, "of", ("", "binary"))
            rows.append(((condition, f"floor: {floor}"), (*both, *[None] * n_blank, None)))
        rho = numbers.get(PlanKey("binary", "spearman", condition=condition))
        rows.append(((condition, "all"), (None, None, *[None] * n_blank, rho)))
    heading = words("Condition", "Judge") + rates("Alignment", "Binary") + signed("Gain")
    heading += rates("Rate of 0.5", *(f"of 0.5, {metric}" for metric in METRICS))
    heading += signed("Spearman of rankings")
    notes = (
        "Binary: a verdict of 0.5 goes to 0 where p < 0.5 and to 1 elsewhere, and so to the "
        "side of the reference; judges that hedge gain by it.",
        SHARED_NOTE,
        FLOOR_NOTE,
    )
    return Table("binary", "Without the half verdict", heading, filled(rows), notes)


def jury(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give the alignment of the mean of all judges' verdicts, and of the best judge."""
    wheres = [*places(alignment, "condition"), *places(alignment, "condition", "tier")]
    shown = ("alignment", "best", "gain")
    rows = filled(
        (
            (place["condition"], place.get("tier", "all")),
            (*across(numbers, PlanKey("jury", **place), "of", shown), _floor(numbers, place)),
        )
        for place in wheres
        if PlanKey("jury", "alignment", **place) in numbers
    )
    heading = words("Condition", "Tier") + rates("Jury", "Best judge")
    heading += signed("Jury minus best") + rates(FLOOR)
    notes = ("On the plans that every judge of the condition and tier judged, cells alike.",)
    return Table("jury", "A jury of all judges", heading, rows, notes)


def _floor(numbers: PlanNumbers, place: dict[str, str]) -> Cell:
    """Return the alignment of the best constant judge."""
    floors = [numbers[PlanKey("floor", judge=floor, **place)] for floor in CONSTANT_GRADES]
    return max(floors, key=lambda number: number.estimate or 0.0)
