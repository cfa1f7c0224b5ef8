"""The style of figures, and their deterministic SVG."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.text import Text

from faultpair.env.plain_text import plain

__all__ = ["COLOURS", "MARKERS", "add_legend", "as_svg", "panels", "short"]

COLOURS = ("#0b6e99", "#c8553d", "#588157", "#8d6a9f", "#b08900", "#4a4e69", "#d81159", "#3a7d44")
"""One colour a judge, in the order of the tables."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""One shape a fault type."""

FIXED: Any = {
    "svg.hashsalt": "faultpair",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 8.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": False,
    "text.parse_math": False,  # else a name with two dollar signs is a formula
}


def panels(n: int, *, width: float, height: float) -> tuple[Figure, list[Axes]]:
    """Return a figure with n panels beside each other, at most three a row."""
    with matplotlib.rc_context(FIXED):
        across = max(1, min(n, 3))
        down = -(-max(n, 1) // across)
        figure = Figure(figsize=(width * across, height * down), layout="constrained")
        axes = figure.subplots(down, across, squeeze=False).ravel().tolist()
        for spare in axes[max(n, 1) :]:
            spare.set_visible(False)
        return figure, axes[: max(n, 1)]


def add_legend(figure: Figure, axis: Axes, ncols: int = 3, **look: Any) -> None:
    """Put the labels of one panel below all panels."""
    labelled = axis.get_legend_handles_labels()
    figure.legend(*labelled, loc="outside lower center", ncols=ncols, frameon=False, **look)


def as_svg(figure: Figure) -> str:
    """Return the figure as SVG without date, creator or random ids, its texts as plain text."""
    text = io.StringIO()
    with matplotlib.rc_context(FIXED):
        for part in figure.findobj(Text):
            _make_plain(part)
        for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
            _make_ticks_plain(axis)
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    lines = text.getvalue().splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def short(name: str, most: int = 28) -> str:
    """Return a label that fits, of characters that the font has; a long one loses its middle."""
    name = _drawn(plain(name))
    if name.startswith("_"):  # which matplotlib leaves out of a legend
        name = f" {name}"
    if len(name) <= most:
        return name
    half = (most - 1) // 2
    return f"{name[:half]}…{name[-half:]}"


def _make_plain(text: Text) -> None:
    text.set_parse_math(False)
    shown = _drawn(text.get_text())
    if shown != text.get_text():
        text.set_text(shown)


def _make_ticks_plain(axis: Axis) -> None:
    """Escape the labels of an axis. They are made from its list of labels when it is drawn."""
    labels = [label.get_text() for label in axis.get_majorticklabels()]
    shown = list(map(_drawn, labels))
    if shown != labels:
        axis.set_ticks(axis.get_majorticklocs(), shown)
    for label in axis.get_majorticklabels():
        label.set_parse_math(False)


def _drawn(text: str) -> str:
    """Return lines with an escape for each character that is unsafe, or that the font lacks."""
    known = _characters()
    return "\n".join(
        "".join(
            letter if ord(letter) in known else letter.encode("ascii", "backslashreplace").decode()
            for letter in plain(line)
        )
        for line in text.split("\n")
    )


@cache
def _characters() -> frozenset[int]:
    with matplotlib.rc_context(FIXED):
        return frozenset(get_font(findfont(FIXED["font.family"])).get_charmap())
