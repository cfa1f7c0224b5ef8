"""The figure of planted plans: Δ of each metric, fault by fault, by reference and judges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..plans.alignment.key import OVERALL, PlanKey
from ..plans.catalog import PlanResults
from ..plans.graders import first_passes
from ..plans.metric_drops import COLUMNS
from ..stats.estimate import Estimate
from .style import COLOURS, MARKERS, add_legend, panels, short

__all__ = ["plan_pairs"]

REFERENCE = "corrected"
REFERENCE_COLOUR = "#d9d9d9"
HEIGHT_OF_A_KIND = 0.34
SPREAD = 0.6
"""The part of a row over which the marks of the judges are spread."""


def plan_pairs(results: PlanResults) -> Figure:
    """Draw a panel a metric: grey bars are the corrected reference, marks are judges."""
    kinds, numbers = results.planted.kind.names, results.numbers
    graders = first_passes(results.passes)
    height = 1.2 + HEIGHT_OF_A_KIND * len(kinds)
    figure, axes = panels(len(COLUMNS), width=3.2, height=height)
    for axis, metric in zip(axes, COLUMNS, strict=True):
        of_reference = PlanKey("pairs", part=f"reference={REFERENCE}", metric=metric)
        drops = [numbers[of_reference._replace(of=kind)].estimate or 0 for kind in kinds]
        label = f"reference, {REFERENCE}"
        axis.barh(range(len(kinds)), drops, height=0.8, color=REFERENCE_COLOUR, label=label)
        for place, grader in enumerate(graders):
            shift = SPREAD * ((place + 0.5) / len(graders) - 0.5)
            of_judge = PlanKey("pairs", part="delta", metric=metric, **grader.place)
            deltas = [numbers[of_judge._replace(of=kind)] for kind in kinds]
            look = {"color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)]}
            label = f"{short(grader.judge, 24)}, {grader.condition}"
            _marks(axis, deltas, shift, {**look, "label": label})
        axis.axvline(0, color="#777777", linewidth=0.6)
        axis.set_yticks(range(len(kinds)), [short(kind.replace("_", " ")) for kind in kinds])
        axis.set_ylim(len(kinds) - 0.5, -0.5)
        axis.set_title("mean of the four" if metric == OVERALL else metric)
        axis.set_xlabel("Δ")
    add_legend(figure, axes[0], fontsize=7)
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
