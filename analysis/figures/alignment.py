"""The figures of alignment: decline from tier to tier, and alignment by metric.

Both draw the floors: the alignment of constant judges.
"""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from faultpair.judges.plan_metrics.metrics import METRICS

from ..plans.alignment.key import PlanKey, PlanNumbers
from ..plans.catalog import PlanResults
from ..stats.estimate import Estimate
from .style import COLOURS, MARKERS, add_legend, panels, short

__all__ = ["metrics", "tiers"]

FLOOR_STYLES = {"always 1": ("--", "^"), "always 0.5": ("-.", "d"), "random": (":", "x")}
"""Line and marker: a line needs two tiers. `always 0` is left out: it is far below all others."""

FLOOR_COLOUR = "#777777"
LEAST_SHARE = 0.0


def tiers(results: PlanResults) -> Figure:
    """Draw alignment from tier to tier."""
    return _along(results, "tier", results.alignment.grid.tier.names)


def metrics(results: PlanResults) -> Figure:
    """Draw alignment by metric."""
    return _along(results, "metric", METRICS)


def _along(results: PlanResults, factor: str, names: tuple[str, ...]) -> Figure:
    """Draw a panel a condition: every judge along a factor, and the floors in grey."""
    alignment, numbers = results.alignment, results.numbers
    conditions = alignment.grid.condition.names
    figure, axes = panels(len(conditions), width=3.0, height=2.8)
    for axis, condition in zip(axes, conditions, strict=True):
        for place, judge in enumerate(alignment.grid.judge.names):
            key = PlanKey("alignment", condition=condition, judge=judge)
            series = _series(numbers, key, factor, names)
            look = {"color": COLOURS[place % len(COLOURS)], "label": short(judge)}
            _line(axis, series, marker=MARKERS[place % len(MARKERS)], **look)
        for floor, (line, marker) in FLOOR_STYLES.items():
            key = PlanKey("floor", condition=condition, judge=floor)
            series = _series(numbers, key, factor, names)
            look = {"color": FLOOR_COLOUR, "label": f"floor: {floor}"}
            _line(axis, series, linestyle=line, marker=marker, **look)
        axis.set_xticks(range(len(names)), [name.replace("_", "\n") for name in names])
        axis.set_xlim(-0.3, len(names) - 0.7)
        axis.set_title(condition)
        axis.grid(axis="y", color="#e5e5e5", linewidth=0.6)
    _share_height(axes)
    axes[0].set_ylabel("alignment")
    add_legend(figure, axes[0], ncols=4, fontsize=7)
    return figure


def _series(
    numbers: PlanNumbers, key: PlanKey, factor: str, names: tuple[str, ...]
) -> list[tuple[int, Estimate]]:
    along = enumerate(numbers.get(key._replace(**{factor: name})) for name in names)
    return [(place, number) for place, number in along if number and number.estimate is not None]


def _line(axis: Axes, series: list[tuple[int, Estimate]], **look: Any) -> None:
    axis.plot(
        [place for place, _ in series],
        [number.estimate or 0.0 for _, number in series],
        linewidth=1.2,
        markersize=4,
        **look,
    )
    for place, number in series:
        if number.ci_low is not None and number.ci_high is not None:
            ends = [number.ci_low, number.ci_high]
            axis.plot([place, place], ends, color=look["color"], linewidth=0.8)


def _share_height(axes: list[Axes]) -> None:
    """Give every panel the same scale, which ends at 1."""
    least = min(axis.get_ylim()[0] for axis in axes)
    for axis in axes:
        axis.set_ylim(max(LEAST_SHARE, least), 1.005)
