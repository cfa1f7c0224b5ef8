"""Tables that rank judges: the best in each place, and rankings under other rules."""

from __future__ import annotations

from faultpair.judges.plan_metrics.metrics import METRICS

from ..plans.alignment.catalog import Alignment
from ..plans.alignment.constant_judges import CONSTANT_JUDGES
from ..plans.alignment.key import PlanKey, PlanNumbers
from ..plans.alignment.ranking import WEIGHTINGS
from .alignment_filling import columns, filled, places
from .alignment_levels import FLOOR_NOTE
from .table import Cell, Column, Style, Table

__all__ = ["binary", "decision", "jury", "weightings"]

FLOOR = "Highest floor"
SHARED_NOTE = "Over the cells (generator and tier) that all judges of the condition share, alike."


def decision(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give the best judge of each condition and tier, and how far the next is behind."""
    rows = tuple(
        (
            one.condition,
            one.tier,
            one.best,
            one.alignment,
            one.runner_up,
            one.distance,
            one.holds,
            _floor(numbers, {"condition": one.condition, "tier": one.tier}),
        )
        for one in alignment.decisions
    )
    heading = (
        Column("Condition"),
        Column("Tier"),
        Column("Best judge"),
        Column("Alignment", Style.RATE),
        Column("Runner-up"),
        Column("Ahead by", Style.SIGNED),
        Column("Best in resamples", Style.RATE),
        Column(FLOOR, Style.RATE),
    )
    notes = (
        "Generators alike, over those that all judges there judged; chosen as observed, so the "
        "best is flattered a little.",
    )
    return Table("decision", "Which judge to take", heading, rows, notes)


def weightings(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give alignment under other weights of the metrics, and the correlation of the rankings."""
    judges = alignment.grid.judge.names
    rows = filled(
        (
            (place["condition"], weighting),
            (
                numbers.get(PlanKey("weighting", weighting, "spearman", **place)),
                *(
                    numbers.get(PlanKey("weighting", weighting, judge=judge, **place))
                    for judge in judges
                ),
            ),
        )
        for place in places(alignment, "condition")
        for weighting in WEIGHTINGS
    )
    heading = (
        Column("Condition"),
        Column("Weights"),
        Column("Spearman with equal", Style.SIGNED),
        *columns((), judges, Style.RATE),
    )
    title = "Alignment under other weights of the metrics"
    return Table("weightings", title, heading, rows, (SHARED_NOTE,))


def binary(alignment: Alignment, numbers: PlanNumbers) -> Table:
    """Give alignment with and without the half verdict, and the rates of 0.5."""
    keys = (
        *(PlanKey("binary", of) for of in ("standard", "collapsed", "gain")),
        PlanKey("half-rate"),
    )
    rows: list[tuple[tuple[str, ...], tuple[Cell, ...]]] = []
    for place in places(alignment, "condition"):
        for judge in alignment.grid.judge.names:
            own = {**place, "judge": judge}
            rates = tuple(numbers.get(key._replace(**own)) for key in keys)
            metrics = tuple(numbers.get(PlanKey("half-rate", metric=m, **own)) for m in METRICS)
            rows.append(((place["condition"], judge), (*rates, *metrics, None)))
        nothing: tuple[Cell, ...] = (None,) * (len(keys) + len(METRICS))
        for floor in CONSTANT_JUDGES:
            both = (PlanKey("floor", of, judge=floor, **place) for of in ("", "binary"))
            cells = (*map(numbers.get, both), *nothing[2:], None)
            rows.append(((place["condition"], f"floor: {floor}"), cells))
        rho = numbers.get(PlanKey("binary", "spearman", **place))
        rows.append(((place["condition"], "all"), (*nothing, rho)))
    heading = (
        Column("Condition"),
        Column("Judge"),
        Column("Alignment", Style.RATE),
        Column("Binary", Style.RATE),
        Column("Gain", Style.SIGNED),
        Column("Rate of 0.5", Style.RATE),
        *(Column(f"of 0.5, {metric}", Style.RATE) for metric in METRICS),
        Column("Spearman of rankings", Style.SIGNED),
    )
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
    rows = filled(
        (
            (place["condition"], place.get("tier", "all")),
            (
                *(
                    numbers.get(PlanKey("jury", of, **place))
                    for of in ("alignment", "best", "gain")
                ),
                _floor(numbers, place),
            ),
        )
        for place in wheres
        if PlanKey("jury", "alignment", **place) in numbers
    )
    heading = (
        Column("Condition"),
        Column("Tier"),
        Column("Jury", Style.RATE),
        Column("Best judge", Style.RATE),
        Column("Jury minus best", Style.SIGNED),
        Column(FLOOR, Style.RATE),
    )
    notes = ("On the plans that every judge of the condition and tier judged, cells alike.",)
    return Table("jury", "A jury of all judges", heading, rows, notes)


def _floor(numbers: PlanNumbers, place: dict[str, str]) -> Cell:
    """Return the alignment of the best constant judge."""
    floors = [numbers[PlanKey("floor", judge=floor, **place)] for floor in CONSTANT_JUDGES]
    return max(floors, key=lambda number: number.estimate or 0.0)
