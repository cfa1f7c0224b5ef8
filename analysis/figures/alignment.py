"""The figures of alignment as SVG: decline from tier to tier, and alignment by metric.

Both draw the floors that a judge reaches without looking. Needs the extra ``figures``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from faultpair.judges.plan_metrics.metrics import METRICS

from ..plans.alignment.marginals import number_name
from ..plans.alignment.numbers import Alignment
from ..stats.estimate import Estimate
from .extra import needing_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["alignment_figures"]

Numbers = dict[str, Estimate]

FLOOR_STYLES = {"always 1": ("--", "^"), "always 0.5": ("-.", "d"), "random": (":", "x")}
"""Line and marker: a line needs two tiers. Nobody mistakes always 0 for a judge, and it
would press all curves together."""

FLOOR_COLOUR = "#777777"
LEAST_SHARE = 0.0


def alignment_figures(alignment: Alignment, numbers: Numbers) -> dict[str, str]:
    """Return the SVG text of every figure by name.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    with needing_matplotlib():
        from .style import as_svg
    return {
        "alignment-tiers": as_svg(_along(alignment, numbers, "tier", alignment.grid.tier.names)),
        "alignment-metrics": as_svg(_along(alignment, numbers, "metric", METRICS)),
    }


def _along(alignment: Alignment, numbers: Numbers, factor: str, names: tuple[str, ...]) -> Figure:
    """Draw a panel a condition: every judge along a factor, and the floors in grey."""
    from .style import COLOURS, MARKERS, panels, short

    conditions = alignment.grid.condition.names
    figure, axes = panels(len(conditions), width=3.0, height=2.8)
    for axis, condition in zip(axes, conditions, strict=True):
        for place, judge in enumerate(alignment.grid.judge.names):
            series = _series(numbers, "alignment", condition, judge, factor, names)
            look = {"color": COLOURS[place % len(COLOURS)], "label": short(judge)}
            _line(axis, series, marker=MARKERS[place % len(MARKERS)], **look)
        for floor, (line, marker) in FLOOR_STYLES.items():
            series = _series(numbers, "floor", condition, floor, factor, names)
            look = {"color": FLOOR_COLOUR, "label": f"floor: {floor}"}
            _line(axis, series, linestyle=line, marker=marker, **look)
        axis.set_xticks(range(len(names)), [name.replace("_", "\n") for name in names])
        axis.set_xlim(-0.3, len(names) - 0.7)
        axis.set_title(condition)
        axis.grid(axis="y", color="#e5e5e5", linewidth=0.6)
    _share_height(axes)
    axes[0].set_ylabel("alignment")
    figure.legend(
        *axes[0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=4,
        frameon=False,
        fontsize=7,
    )
    return figure


def _series(
    numbers: Numbers, stem: str, condition: str, judge: str, factor: str, names: tuple[str, ...]
) -> list[tuple[int, Estimate]]:
    found = []
    for place, name in enumerate(names):
        key = number_name(stem, condition=condition, judge=judge, **{factor: name})
        number = numbers.get(key)
        if number is not None and number.estimate is not None:
            found.append((place, number))
    return found


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
