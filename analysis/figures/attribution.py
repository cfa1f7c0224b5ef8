"""The figure of attribution: which type a judge names for which fault."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from ..data.study_data import StudyData
from ..metrics.key import NumberKey, Numbers
from .style import panels, short

__all__ = ["confusion"]


def confusion(study: StudyData, numbers: Numbers) -> Figure:
    """Draw one panel a judge; rows are true types, columns the types that it names."""
    types = study.runs.failure_type.names
    answers = (*types, "another type", "no type", "missed")
    size = 1.4 + 0.22 * len(answers)
    figure, axes = panels(len(study.judges), width=size + 0.4, height=size)
    for axis, judge in zip(axes, study.judges, strict=True):
        cells = [
            [numbers[NumberKey("confusion", true, answer, judge)] for answer in answers]
            for true in types
        ]
        if not types:
            continue
        shares = [[(cell.estimate or 0) / max(cell.n, 1) for cell in row] for row in cells]
        axis.pcolormesh(shares, cmap="Blues", vmin=0, vmax=1)
        for down, row in enumerate(cells):
            for across, cell in enumerate(row):
                if cell.estimate:
                    colour = "white" if cell.estimate > 0.6 * cell.n else "black"
                    look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 6}
                    text = f"{cell.estimate:.0f}"
                    axis.text(across + 0.5, down + 0.5, text, color=colour, **look)
        axis.invert_yaxis()
        ticks = [place + 0.5 for place in range(len(answers))]
        axis.set_xticks(ticks, [short(name, 22) for name in answers], rotation=90)
        axis.set_yticks(ticks[: len(types)], [short(name, 22) for name in types])
        axis.set_title(short(judge))
    return figure
