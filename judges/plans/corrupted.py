"""Corrupted ground truth: each record gets the plan of another of the same topology.

No record gets a plan with its own tools, which would hardly be wrong. Every plan is used
once, so that the distribution of the plans stays the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from faultpair.env.errors import UsageError
from faultpair.env.plans.records import PlanInstance
from faultpair.env.records import Call
from faultpair.env.rng import stream

__all__ = ["swapped_plans"]


def swapped_plans(instances: Iterable[PlanInstance], seed: int) -> dict[str, tuple[Call, ...]]:
    """Return a wrong plan for each record, by record id; tiers of a record count once.

    Notes
    -----
    In each topology the n records are shuffled and grouped by their tools, then each
    gets the plan of the record m places further on, where m is the size of the largest
    group. For 2m ≤ n that record is of another group.

    Raises
    ------
    UsageError
        If more than half of the records of a topology plan with the same tools.
    """
    records = {instance.record_id: instance for instance in instances}
    topologies: dict[str, list[PlanInstance]] = {}
    for record_id in sorted(records):
        topologies.setdefault(records[record_id].difficulty, []).append(records[record_id])
    swapped: dict[str, tuple[Call, ...]] = {}
    for topology in sorted(topologies):
        swapped |= _swapped(topology, topologies[topology], seed)
    return swapped


def _swapped(
    topology: str, records: Sequence[PlanInstance], seed: int
) -> dict[str, tuple[Call, ...]]:
    groups = _groups(topology, records, seed)
    shift = max(map(len, groups))
    if 2 * shift > len(records):
        raise UsageError(
            f"The ground truth of topology {topology!r} cannot be corrupted: {shift} of its "
            f"{len(records)} records plan with the same tools, so no other plan is left for each. "
            "Take more records, or leave out judges with ground_truth = 'corrupted'."
        )
    row = [record for group in groups for record in group]
    return {
        record.record_id: row[(place + shift) % len(row)].plan for place, record in enumerate(row)
    }


def _groups(topology: str, records: Sequence[PlanInstance], seed: int) -> list[list[PlanInstance]]:
    """Return the records in shuffled groups of equal tools."""
    rng = stream(seed, "corrupted ground truth", topology)
    groups: dict[tuple[str, ...], list[PlanInstance]] = {}
    for record in sorted(records, key=lambda _: rng.random()):
        tools = tuple(sorted(call.tool for call in record.plan))
        groups.setdefault(tools, []).append(record)
    return list(groups.values())
