"""Which kind of interval stands for each method of published numbers."""

from __future__ import annotations

from collections.abc import Mapping

from ..metrics.attribution import LINEAR
from ..metrics.detection import JOINT
from ..stats.hierarchy import NEW, OVER_TYPES, SHRUNKEN, SPREAD
from ..stats.intervals import ADDED, BY_INSTANCE, CLUSTERED, OF_PARTS, OVER_UNITS
from ..stats.paired_difference import EXACT, SQUARES
from ..stats.ranked import RANKED

__all__ = ["BOUNDS", "KINDS_OF_METHOD", "kinds_of"]

BOUNDS = ("worst-case bounds",)
"""Ends that are no interval: what unscored runs could at most make of a number."""

WIDENED = ", up to 0 as p > 0.05"

KINDS_OF_METHOD: Mapping[str, tuple[str, ...]] = {
    "Clopper-Pearson": ("false alarms",),
    CLUSTERED: ("recall, typing, step of all", "step of detected"),
    LINEAR: ("type F1",),
    OF_PARTS: ("Brier score",),
    OVER_UNITS: ("mean over records",),
    RANKED: ("unpaired AUC",),
    JOINT: ("F1", "precision"),
    EXACT: ("Δ of 2 to 9 pairs",),
    SQUARES: (
        "Δ, control-Δ",
        "difference of Δ",
        "difference of Δ, nearly alike",
        "difference of recall",
        "difference of false alarms",
        "metric drop in half steps",
        "paired AUC",
        "difference of paired AUC",
        "gap of scores",
        "difference of Brier score",
        "cautious Δ",
        "gate's Δ",
        "Δ over passes",
    ),
    ADDED: (
        "Δ minus control-Δ",
        "Δ, loud minus silent",
        "recall, loud minus silent",
        "difference of type F1",
        "adjusted Δ",
    ),
    SHRUNKEN: ("shrunken Δ of types",),
    SPREAD: ("SD of types",),
    OVER_TYPES: ("mean over types",),
    NEW: ("a new type",),
    BY_INSTANCE: ("Δ by bootstrap", "paired AUC by bootstrap"),
    BY_INSTANCE.replace("instances", "records"): ("Δ by bootstrap",),
}
"""Every method of an interval, and the kinds in which it is simulated."""


def kinds_of(method: str) -> tuple[str, ...]:
    """Return the kinds that stand for a method; empty if none does."""
    return KINDS_OF_METHOD.get(method.removesuffix(WIDENED), ())
