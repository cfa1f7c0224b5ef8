"""When an AUC is a tell: the limits, and what masks explain."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from .pages import Mask

__all__ = [
    "ABOVE",
    "CHANCE",
    "Verdict",
    "ends_of",
    "is_of_instances",
    "needs_masks",
    "p_of",
    "verdict_of",
]

CHANCE = 0.5
ABOVE = 0.6
"""An AUC above it needs an explanation if it is surely above chance, too."""

ALPHA = 0.05
SLACK = 0.05
"""How far the mean over permutations is from chance where instances alone tell something."""

_Z = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""


class Verdict(StrEnum):
    """What an AUC is."""

    CHANCE = "chance"
    FAULT = "the fault itself"
    INSTANCE = "the instance"
    """A trait that a fault shares with its clean run: it gives no Δ."""
    TELL = "tell"


def ends_of(cell: Mapping[str, Any]) -> tuple[float, float]:
    """Return the 95 % interval of an AUC: as wide as that of its permutations."""
    half = _Z * cell["sd"]
    return max(0.0, cell["auc"] - half), min(1.0, cell["auc"] + half)


def p_of(cell: Mapping[str, Any]) -> float:
    """Return the chance of an AUC as high or higher over permutations, by the normal tail.

    It is 1 where features are equal inside every instance.
    """
    if cell["sd"] == 0:
        return 1.0
    return 0.5 * math.erfc((cell["auc"] - cell["mean"]) / cell["sd"] / math.sqrt(2))


def needs_masks(cell: Mapping[str, Any]) -> bool:
    """Return whether an AUC is high enough, and surely so before other cells are counted."""
    return float(cell["auc"]) > ABOVE and ends_of(cell)[0] > CHANCE


def is_of_instances(cell: Mapping[str, Any]) -> bool:
    """Return whether permutations inside instances have an AUC as high: instances differ."""
    mean = float(cell["mean"])
    return mean > CHANCE + SLACK and ends_of(cell)[0] <= mean


def verdict_of(cell: Mapping[str, Any], p_holm: float) -> Verdict:
    """Return what an AUC is, given its p-value adjusted over the whole table.

    An edit explains no thought of an equal call, so an AUC that needs thoughts masked is a tell.
    """
    if needs_masks(cell) and is_of_instances(cell):
        return Verdict.INSTANCE if cell["masks"][-1]["auc"] <= ABOVE else Verdict.TELL
    if not needs_masks(cell) or p_holm > ALPHA:
        return Verdict.CHANCE
    masks = cell["masks"]
    if not masks or masks[-1]["auc"] > ABOVE:
        return Verdict.TELL
    return Verdict.TELL if masks[-1]["mask"] == Mask.THOUGHTS else Verdict.FAULT
