"""What stopping at a floor saves: its calls, beside a fixed design and the whole set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from .style import COLOURS, MARKERS, add_legend, panels

__all__ = ["stops"]

FLOOR = 0.2
LINES = ("stop on the published Δ", "stop on the mean over instances", "fixed design of 90 % power")


def stops(cells: Sequence[dict[str, Any]]) -> Figure:
    """Draw the mean share of the set's calls against Δ: one panel a dependence and base rate."""
    kinds = list(dict.fromkeys((cell["dependence"], cell["base_rate"]) for cell in cells))
    figure, axes = panels(len(kinds), width=2.4, height=2.3)
    for kind, axis in zip(kinds, axes, strict=True):
        own = [cell for cell in cells if (cell["dependence"], cell["base_rate"]) == kind]
        watched = [[cell for cell in own if cell["by_instance"] is side] for side in (False, True)]
        lines = ((watched[0], _used), (watched[1], _used), (watched[0], _fixed))
        for place, (some, share) in enumerate(lines):
            axis.plot(
                [cell["delta"] for cell in some], list(map(share, some)), color=COLOURS[place],
                marker=MARKERS[place], markersize=4, linewidth=1.2, label=LINES[place],
            )  # fmt: skip
        axis.axvline(FLOOR, color="#999999", linewidth=0.8, linestyle=":")
        axis.set_ylim(0, 1.03)
        axis.set_title(f"{kind[0]}, base rate {kind[1]}", fontsize=8)
        axis.set_xlabel("Δ")
        axis.set_ylabel("share of the set's calls")
    add_legend(figure, axes[0], ncols=3, fontsize=7)
    return figure


def _used(cell: dict[str, Any]) -> float:
    return float(cell["calls"] / cell["studies"] / cell["all_calls"])


def _fixed(cell: dict[str, Any]) -> float:
    return float("nan") if cell["fixed"] is None else float(cell["fixed"][1] / cell["all_calls"])
