"""A record of the workflow domain: a request in three tiers, a pool of tools, and the plan."""

from __future__ import annotations

from enum import StrEnum

from msgspec.structs import replace

from ..plans.records import PlanInstance, Tier, ToolSchema
from ..records import Call

__all__ = ["TOPOLOGIES", "Topology", "WorkflowInstance", "at_tier"]


class Topology(StrEnum):
    """The shape of a plan's data flow."""

    LINEAR = "linear"
    FAN_OUT = "fan_out"
    FAN_IN = "fan_in"
    DIAMOND = "diamond"
    OPTIONAL_ENRICHMENT = "optional_enrichment"
    LOOP_LIKE = "loop_like"


TOPOLOGIES = tuple(str(topology) for topology in Topology)


class WorkflowInstance(PlanInstance, frozen=True):
    """A record at one of its tiers.

    ``difficulty`` is the topology, ``goal`` the request at this tier, and ``given`` its
    stated values by ``tool.argument``. ``plan`` is the ground truth: calls in an order that
    respects their data flow, with references to outputs of earlier calls. ``tools`` is the
    pool, in the order in which it is shown.
    """

    record_id: str
    sector: str
    tier: Tier
    query_easy: str
    query_medium: str
    query_hard: str
    tools: tuple[ToolSchema, ...]
    plan: tuple[Call, ...]
    domain: str = "workflow"

    def query(self, tier: Tier) -> str:
        """Return the request at a tier."""
        return {
            Tier.EASY: self.query_easy,
            Tier.MEDIUM: self.query_medium,
            Tier.HARD: self.query_hard,
        }[tier]


def at_tier(instance: WorkflowInstance, tier: Tier) -> WorkflowInstance:
    """Return a record at a tier."""
    if tier == instance.tier:
        return instance
    name = f"{instance.record_id}-{tier}"
    return replace(instance, instance_id=name, goal=instance.query(tier), tier=tier)
