"""The figure of planted plans: Δ of each metric, fault by fault, over what the reference does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..plans.alignment.marginals import number_name
from ..plans.graders import GraderPass
from ..plans.pairs import OVERALL, PLANTED, PlanPairs
from ..stats.estimate import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plan_pairs_figure"]

REFERENCE = "corrected"
REFERENCE_COLOUR = "#d9d9d9"
HEIGHT_OF_A_KIND = 0.34
SPREAD = 0.6
"""The part of a row over which the judges stand below each other."""


def plan_pairs_figure(
    planted: PlanPairs, seats: Sequence[GraderPass], numbers: dict[str, Estimate]
) -> Figure:
    """Draw a panel a metric: grey bars are the corrected reference, marks are judges."""
    from .style import COLOURS, MARKERS, panels, short

    kinds = planted.kind.names
    height = 1.2 + HEIGHT_OF_A_KIND * len(kinds)
    figure, axes = panels(len(PLANTED), width=3.2, height=height)
    for axis, metric in zip(axes, PLANTED, strict=True):
        fall = [
            numbers[number_name(f"pairs/{kind}/reference={REFERENCE}", metric=metric)].estimate or 0
            for kind in kinds
        ]
        label = f"reference, {REFERENCE}"
        axis.barh(range(len(kinds)), fall, height=0.8, color=REFERENCE_COLOUR, label=label)
        for place, seat in enumerate(seats):
            shift = SPREAD * ((place + 0.5) / len(seats) - 0.5)
            deltas = [
                numbers[number_name(f"pairs/{kind}/delta", **seat.place, metric=metric)]
                for kind in kinds
            ]
            look: dict[str, Any] = {
                "color": COLOURS[place % len(COLOURS)],
                "marker": MARKERS[place % len(MARKERS)],
                "label": f"{short(seat.judge, 24)}, {seat.condition}",
            }
            _marks(axis, deltas, shift, look)
        axis.axvline(0, color="#777777", linewidth=0.6)
        axis.set_yticks(range(len(kinds)), [kind.replace("_", " ") for kind in kinds])
        axis.set_ylim(len(kinds) - 0.5, -0.5)
        axis.set_title("mean of the four" if metric == OVERALL else metric)
        axis.set_xlabel("Δ")
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3, frameon=False, fontsize=7)
    return figure


def _marks(axis: Axes, deltas: Sequence[Estimate], shift: float, look: dict[str, Any]) -> None:
    known = [
        (delta.estimate, row + shift, delta)
        for row, delta in enumerate(deltas)
        if delta.estimate is not None
    ]
    values, rows = [value for value, _, _ in known], [row for _, row, _ in known]
    axis.plot(values, rows, linestyle="none", markersize=3.5, **look)
    for _, row, delta in known:
        ends = [end for end in (delta.ci_low, delta.ci_high) if end is not None]
        if len(ends) == 2:
            axis.plot(ends, [row, row], color=look["color"], linewidth=0.7)
