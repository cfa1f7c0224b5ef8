"""Figures of pairs: flags on faults against parents, the forest of Δ, cells and strata."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..data.study_data import StudyData
from ..metrics.detection import FALSE_ALARMS
from ..metrics.key import ALL, LOUD, SILENT, Group, NumberKey, Numbers
from ..metrics.pairs import OUTCOMES
from ..stats.estimate import Estimate
from .style import COLOURS, MARKERS, add_legend, panels, short

__all__ = ["cells", "flags", "forest", "strata"]

CELLS = ("unchanged-survives", "unchanged-lost", "changed-survives", "changed-lost")
JUDGED = OUTCOMES[:-1]
STRATA = (NumberKey("recall", SILENT), NumberKey("recall", LOUD), FALSE_ALARMS)


def flags(study: StudyData, numbers: Numbers) -> Figure:
    """Draw the flag rate on the faults of each type against the rate on their clean parents."""
    figure, axes = panels(len(study.judges), width=2.6, height=2.6)
    for axis, judge in zip(axes, study.judges, strict=True):
        axis.plot([0, 1], [0, 1], color="#bbbbbb", linewidth=0.8)
        for number, kind in enumerate(study.runs.failure_type.names):
            point = _flag_rates(numbers, judge, Group("type", kind))
            if point is not None:
                colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
                axis.plot(
                    *point, marker=marker, fillstyle="none", linestyle="", color=colour,
                    label=short(kind, 22), clip_on=False,
                )  # fmt: skip
        _square(axis, judge)
    axes[0].set_xlabel("flag rate on clean parents")
    axes[0].set_ylabel("flag rate on faults")
    if axes[0].get_legend_handles_labels()[0]:
        add_legend(figure, axes[0])
    return figure


def forest(study: StudyData, numbers: Numbers) -> Figure:
    """Draw Δ of every judge, over all faults and by type, with its interval."""
    groups = [ALL, *(Group("type", kind) for kind in study.runs.failure_type.names)]
    height = 0.6 + 0.16 * len(groups) * (len(study.judges) + 1)
    figure, axes = panels(1, width=6.0, height=height)
    axis, place, ticks = axes[0], 0.0, []
    for group in groups:
        ticks.append(place - (len(study.judges) - 1) / 2)
        for number, judge in enumerate(study.judges):
            _whisker(axis, numbers.get(NumberKey("delta", group, judge=judge)), place, number)
            place -= 1
        place -= 1
    axis.axvline(0, color="#bbbbbb", linewidth=0.8)
    axis.set_yticks(ticks, [short(group.name or str(group), 26) for group in groups])
    axis.set_xlabel("paired discrimination Δ")
    _legend(figure, axis, study)
    return figure


def cells(study: StudyData, numbers: Numbers) -> Figure:
    """Draw the 2 × 2 cells: recall beside Δ for every judge."""
    figure, axes = panels(len(study.judges), width=2.6, height=2.2)
    for axis, judge in zip(axes, study.judges, strict=True):
        for place, cell in enumerate(CELLS):
            recall, delta = (
                numbers.get(NumberKey(stat, Group("cell", cell), judge=judge))
                for stat in ("recall", "delta")
            )
            _bar(axis, recall, place - 0.2, "#c9c9c9")
            _bar(axis, delta, place + 0.2, COLOURS[0])
        axis.set_xticks(range(len(CELLS)), [cell.replace("-", "\n") for cell in CELLS], fontsize=6)
        axis.axhline(0, color="#888888", linewidth=0.6)
        axis.set_ylim(-0.3, 1.05)
        axis.set_title(short(judge))
    axes[0].set_ylabel("recall (grey), Δ (blue)")
    return figure


def strata(study: StudyData, numbers: Numbers) -> Figure:
    """Draw recall on silent and loud faults, and false alarms, with intervals."""
    figure, axes = panels(1, width=6.0, height=2.6)
    axis, n = axes[0], max(len(study.judges), 1)
    for place, key in enumerate(STRATA):
        for number, judge in enumerate(study.judges):
            x = place + (number - (n - 1) / 2) * 0.8 / n
            estimate = numbers.get(key._replace(judge=judge))
            _bar(axis, estimate, x, COLOURS[number % len(COLOURS)], width=0.7 / n)
    axis.set_xticks(range(len(STRATA)), ["silent recall", "loud recall", "false alarms"])
    axis.set_ylim(0, 1.05)
    for number, judge in enumerate(study.judges):
        axis.plot([], [], color=COLOURS[number % len(COLOURS)], linewidth=4, label=short(judge))
    add_legend(figure, axis)
    return figure


def _flag_rates(
    numbers: Numbers, judge: str, group: Group
) -> tuple[list[float], list[float]] | None:
    """Return (parent rate, fault rate) over the judged pairs of a group."""
    keys = (NumberKey("pairs", group, outcome, judge) for outcome in JUDGED)
    counts = [number.estimate or 0.0 if (number := numbers.get(key)) else 0.0 for key in keys]
    hit, reverse, both, _ = counts
    n = sum(counts)
    return ([(reverse + both) / n], [(hit + both) / n]) if n else None


def _whisker(axis: Axes, estimate: Estimate | None, place: float, number: int) -> None:
    if estimate is None or estimate.estimate is None:
        return
    colour = COLOURS[number % len(COLOURS)]
    if estimate.ci_low is not None and estimate.ci_high is not None:
        axis.plot([estimate.ci_low, estimate.ci_high], [place, place], color=colour, linewidth=1.2)
    marker = "x" if estimate.method == "structural zero" else "o"
    axis.plot([estimate.estimate], [place], marker=marker, color=colour, markersize=3)


def _bar(axis: Axes, estimate: Estimate | None, x: float, colour: str, width: float = 0.36) -> None:
    if estimate is None or estimate.estimate is None:
        return
    axis.bar([x], [estimate.estimate], width=width, color=colour)
    if estimate.ci_low is not None and estimate.ci_high is not None:
        axis.plot([x, x], [estimate.ci_low, estimate.ci_high], color="#222222", linewidth=0.8)


def _square(axis: Axes, judge: str) -> None:
    axis.set_xlim(-0.04, 1.04)
    axis.set_ylim(-0.04, 1.04)
    axis.set_aspect("equal")
    axis.set_title(short(judge))


def _legend(figure: Figure, axis: Axes, study: StudyData) -> None:
    for number, judge in enumerate(study.judges):
        axis.plot([], [], marker="o", color=COLOURS[number % len(COLOURS)], label=short(judge))
    axis.plot([], [], marker="x", color="#444444", linestyle="", label="structural zero")
    add_legend(figure, axis)
