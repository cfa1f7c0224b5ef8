"""Fault types as a sample: spread, mean, shrunken Δ, and the Δ of a type never planted."""

from __future__ import annotations

from ..data.study_data import StudyData
from ..stats.hierarchy import types_as_a_sample
from .key import Group, NumberKey, Numbers
from .pairs import PairDesign, PairOutcomes

__all__ = ["MEAN", "NEW", "SHRUNKEN", "SPREAD", "type_sample_numbers"]

MEAN, SPREAD, NEW = (NumberKey(f"types/{name}") for name in ("mean", "sd", "new"))
SHRUNKEN = "types/shrunken"


def type_sample_numbers(study: StudyData, design: PairDesign, outcomes: PairOutcomes) -> Numbers:
    """Return the model of types of one judge, over its judged pairs.

    ``types/sd`` is the spread of the types there are, ``types/mean`` the mean over types,
    ``types/new`` the same with the interval of a new type, and ``types/shrunken/type=…`` the
    Δ of each type. A study with fewer than two types has none of them.
    """
    kinds = study.runs.failure_type
    rows = outcomes.judged
    planted = [name for name in kinds.names if Group("type", name) in design.groups]
    if len(planted) < 2:
        return {}
    kind = kinds.codes[design.fault[rows]]
    found = types_as_a_sample(kind, design.unit[rows], outcomes.difference[rows], len(kinds.names))
    numbers = {MEAN: found.mean, SPREAD: found.spread, NEW: found.new}
    return numbers | {
        NumberKey(SHRUNKEN, Group("type", name)): found.shrunken[kinds.names.index(name)]
        for name in planted
    }
