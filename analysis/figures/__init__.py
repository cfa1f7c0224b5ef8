"""The figures of a study as SVG, byte for byte the same from the same numbers.

Needs matplotlib at the version pinned in the extra ``figures``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..data.study_data import StudyData
from ..stats.estimate import Estimate
from .extra import needing_matplotlib

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["figures_of"]

Draw = Callable[["StudyData", dict[str, Estimate]], "Figure"]


def figures_of(study: StudyData, numbers: dict[str, Estimate]) -> dict[str, str]:
    """Return the SVG text of every figure by name; ``judges`` where a model judges pairs.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    with needing_matplotlib():
        from . import attribution, calibration, judges, pairing
        from .style import as_svg
    draws: dict[str, Draw] = {
        "flags": pairing.flags,
        "forest": pairing.forest,
        "cells": pairing.cells,
        "strata": pairing.strata,
        "reliability": calibration.reliability,
        "confusion": attribution.confusion,
    }
    if study.models and len(study.fault):
        draws["judges"] = judges.judges
    return {name: as_svg(draw(study, numbers)) for name, draw in draws.items()}
