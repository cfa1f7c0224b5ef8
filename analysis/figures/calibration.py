"""The figure of calibration: share right against stated confidence."""

from __future__ import annotations

from matplotlib.figure import Figure

from ..data.study_data import StudyData
from ..metrics.calibration import N_BINS
from ..metrics.key import NumberKey, Numbers
from .style import COLOURS, panels, short

__all__ = ["reliability"]


def reliability(study: StudyData, numbers: Numbers) -> Figure:
    """Draw one panel a judge; a point is a bin, its area the number of verdicts in it."""
    figure, axes = panels(len(study.judges), width=2.6, height=2.6)
    for axis, judge in zip(axes, study.judges, strict=True):
        axis.plot([0, 1], [0, 1], color="#bbbbbb", linewidth=0.8)
        for number in range(N_BINS):
            key = NumberKey("reliability", str(number), judge=judge)
            size, confidence, right = (
                numbers[key._replace(part=part)] for part in ("n", "confidence", "right")
            )
            x, low, high = confidence.estimate, right.ci_low, right.ci_high
            if x is None or right.estimate is None or low is None or high is None:
                continue
            axis.plot([x, x], [low, high], color="#888888", linewidth=0.8)
            area = 4 + 80 * (size.estimate or 0) / max(size.n, 1)
            axis.scatter([x], [right.estimate], s=area, color=COLOURS[0], zorder=3)
        axis.set_xlim(-0.04, 1.04)
        axis.set_ylim(-0.04, 1.04)
        axis.set_title(short(judge))
    axes[0].set_xlabel("stated confidence")
    axes[0].set_ylabel("share right")
    return figure
