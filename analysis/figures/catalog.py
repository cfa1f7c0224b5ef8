"""The catalog of figures.

Figures need matplotlib, at the version pinned in the extra ``figures``. It is missing in many
installations and takes a second to import, so that the modules that import it are named here
and imported when a figure is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from faultpair.env.errors import UsageError

from ..data.study_data import StudyData
from ..metrics.key import Numbers
from ..plans.catalog import PlanResults

__all__ = ["counted_figures", "figures_of", "plan_figures"]

OF_JUDGES = {
    "flags": "pairing:flags",
    "forest": "pairing:forest",
    "cells": "pairing:cells",
    "strata": "pairing:strata",
    "reliability": "calibration:reliability",
    "confusion": "attribution:confusion",
}
OF_MODELS = {"judges": "judges:judges"}
"""Figures of studies in which a model judges pairs."""

OF_ALIGNMENT = {"alignment-tiers": "alignment:tiers", "alignment-metrics": "alignment:metrics"}
OF_PLANTED_PLANS = {"plan-pairs": "plans:plan_pairs"}


def figures_of(study: StudyData, numbers: Numbers) -> dict[str, str]:
    """Return the SVG text of every figure of judges that flag runs, by name.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    has_models = bool(study.models) and len(study.fault) > 0
    return _drawn(OF_JUDGES | (OF_MODELS if has_models else {}), study, numbers)


def plan_figures(results: PlanResults) -> dict[str, str]:
    """Return the SVG text of every figure of graded plans, by name.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    return _drawn(OF_ALIGNMENT | (OF_PLANTED_PLANS if results.planted else {}), results)


def counted_figures(cells: Sequence[Any]) -> dict[str, str]:
    """Return the SVG text of the figure of stopping, from its cells.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    return _drawn({"stops": "stopping:stops"}, cells)


def _drawn(figures: dict[str, str], *data: Any) -> dict[str, str]:
    as_svg = _load("style:as_svg")
    return {name: as_svg(_load(draw)(*data)) for name, draw in figures.items()}


def _load(place: str) -> Any:
    """Import a function of this package, named ``module:function``."""
    module, _, function = place.partition(":")
    try:
        return getattr(import_module(f"{__package__}.{module}"), function)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("matplotlib"):
            raise
        raise UsageError(
            "Figures need matplotlib: pip install 'faultpair[figures]', or use --no-figures."
        ) from error
