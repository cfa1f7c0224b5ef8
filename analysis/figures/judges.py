"""The first picture of a study with models: how often each judge flags faults and parents."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..data.study_data import StudyData
from ..metrics.key import ALL, NumberKey, Numbers
from ..metrics.silence import HEADLINE, is_silent, ranked
from ..stats.estimate import Estimate
from ..tables.table import Style, shown
from .style import COLOURS, add_legend, panels, short

__all__ = ["judges"]

WITHOUT_MODEL = "#777777"
AUC = NumberKey("auc", ALL)
JUDGED = ("hit", "reversed", "both", "neither")
HEADING_AT, TOP_AT = -0.95, -1.3
"""The height of the headings above the first row, which is at 0, and of the panel's end."""

DELTA_AT, AUC_AT = 0.0, 0.56
"""The left edges of the columns of numbers, in widths of their panel."""


def judges(study: StudyData, numbers: Numbers) -> Figure:
    """Draw a row a judge, in their order: flag rates on faults and on their clean parents.

    The rates are over pairs with both sides scored, Δ is the cautious one.
    """
    names = ranked(study.compared, numbers)
    has_auc = any(AUC._replace(judge=judge) in numbers for judge in names)
    figure, (axis, beside) = panels(2, width=3.9, height=0.9 + 0.27 * len(names))
    for place, judge in enumerate(names):
        colour = COLOURS[0] if judge in study.models else WITHOUT_MODEL
        _dumbbell(axis, numbers, judge, place, colour)
        delta, auc = (numbers.get(key._replace(judge=judge)) for key in (HEADLINE, AUC))
        _write(beside, DELTA_AT, place, _text(delta, Style.SIGNED))
        if has_auc:
            _write(beside, AUC_AT, place, _text(auc, Style.RATE))
    heading = "cautious Δ" if is_silent(study, numbers) else "paired Δ"
    _write(beside, DELTA_AT, HEADING_AT, f"{heading} [95 %]")
    if has_auc:
        _write(beside, AUC_AT, HEADING_AT, "paired AUC [95 %]")
    _frame(figure, axis, names)
    beside.set_ylim(axis.get_ylim())
    beside.set_axis_off()
    return figure


def _dumbbell(axis: Axes, numbers: Numbers, judge: str, place: int, colour: str) -> None:
    keys = [NumberKey("pairs", ALL, outcome, judge) for outcome in JUDGED]
    counts = [numbers[key].estimate or 0.0 for key in keys]
    hit, reverse, both, _ = counts
    n = sum(counts)
    if n == 0:
        return
    fault, parent = (hit + both) / n, (reverse + both) / n
    axis.plot([parent, fault], [place, place], color=colour, linewidth=1.6, zorder=2)
    for x, filled, size in ((parent, "white", 7.5), (fault, colour, 4.5)):
        axis.plot(
            [x], [place], marker="o", markersize=size, color=colour, markerfacecolor=filled,
            linestyle="", clip_on=False, zorder=3,
        )  # fmt: skip


def _text(number: Estimate | None, style: Style) -> str:
    return "–" if number is None or number.estimate is None else shown(number, style)


def _write(axis: Axes, x: float, place: float, text: str) -> None:
    axis.text(x, place, text, va="center", fontsize=7, in_layout=False)


def _frame(figure: Figure, axis: Axes, names: list[str]) -> None:
    axis.set_xlim(-0.02, 1.02)
    axis.set_ylim(len(names) - 0.5, TOP_AT)
    axis.set_yticks(range(len(names)), [short(name) for name in names])
    axis.grid(axis="x", color="#e5e5e5", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.set_xlabel("share flagged")
    for label, colour, filled in (
        ("faults", "#222222", "#222222"),
        ("their clean parents", "#222222", "white"),
        ("a model", COLOURS[0], COLOURS[0]),
        ("no model", WITHOUT_MODEL, WITHOUT_MODEL),
    ):
        axis.plot(
            [], [], marker="o", markersize=5, linestyle="", color=colour, markerfacecolor=filled,
            label=label,
        )  # fmt: skip
    add_legend(figure, axis, ncols=4, fontsize=7)
