"""The style of figures, and their deterministic SVG."""

from __future__ import annotations

import io
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

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
    """Return the figure as SVG without date, creator or random ids."""
    text = io.StringIO()
    with matplotlib.rc_context(FIXED):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    lines = text.getvalue().splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def short(name: str, most: int = 28) -> str:
    """Return a label that fits; a long one loses its middle."""
    if len(name) <= most:
        return name
    half = (most - 1) // 2
    return f"{name[:half]}…{name[-half:]}"
