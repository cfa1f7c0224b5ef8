"""Counts of faults by type and scenario, and of those that a judge flags."""

from __future__ import annotations

from collections.abc import Iterator

from ..data.columns import BoolArray
from ..data.runs import Runs
from ..data.study_data import StudyData
from ..stats.estimate import count
from .key import Group, NumberKey, Numbers, design_key

__all__ = ["COUNTED", "FLAGGED", "type_scenario_counts", "type_scenario_flags"]

COUNTED, FLAGGED = "type-by-scenario", "flagged-by-scenario"


def type_scenario_counts(runs: Runs) -> Numbers:
    """Return how many faults of each type are in each scenario."""
    n = int(runs.faulty.sum())
    return {
        design_key(COUNTED, kind, scenario): count(int(rows.sum()), n)
        for kind, scenario, rows in _crossed(runs)
    }


def type_scenario_flags(study: StudyData, judge: int) -> Numbers:
    """Return how many of them a judge flags, of those that it scores."""
    scored, flagged = study.verdicts.scored[judge], study.verdicts.flagged[judge]
    return {
        NumberKey(FLAGGED, kind, scenario): count(
            int((rows & scored & flagged).sum()), int((rows & scored).sum())
        )
        for kind, scenario, rows in _crossed(study.runs)
    }


def _crossed(runs: Runs) -> Iterator[tuple[Group, str, BoolArray]]:
    for kind in runs.failure_type.names:
        for scenario in runs.scenario.names:
            rows = runs.failure_type.where(kind) & runs.scenario.where(scenario)
            if rows.any():
                yield Group("type", kind), scenario, rows
