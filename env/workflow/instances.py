"""A record of the workflow domain: a request in three tiers, a pool of tools, and the plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec.structs import replace

from ..records import Call, Instance, Record

__all__ = [
    "TOPOLOGIES",
    "Tier",
    "ToolSchema",
    "Topology",
    "WorkflowInstance",
    "at_tier",
    "needed_in",
    "properties_in",
]


class Topology(StrEnum):
    """The shape of a plan's data flow."""

    LINEAR = "linear"
    FAN_OUT = "fan_out"
    FAN_IN = "fan_in"
    DIAMOND = "diamond"
    OPTIONAL_ENRICHMENT = "optional_enrichment"
    LOOP_LIKE = "loop_like"


TOPOLOGIES = tuple(str(topology) for topology in Topology)


class Tier(StrEnum):
    """How much of its plan a request states."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


def properties_in(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the properties of a JSON schema by name; {} if they are not an object."""
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def needed_in(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the required names of a JSON schema in its order; () if they are not a list."""
    required = schema.get("required")
    names = required if isinstance(required, list | tuple) else ()
    return tuple(name for name in names if isinstance(name, str))


class ToolSchema(Record, frozen=True):
    """A tool as an agent is shown it; ``parameters`` and ``returns`` are JSON schemas."""

    name: str
    description: str
    parameters: dict[str, Any]
    returns: dict[str, Any]

    @property
    def known(self) -> frozenset[str]:
        """The names of its arguments."""
        return frozenset(properties_in(self.parameters))

    @property
    def required(self) -> frozenset[str]:
        """The names of its required arguments."""
        return frozenset(needed_in(self.parameters))


class WorkflowInstance(Instance, frozen=True):
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

    @property
    def stated(self) -> list[Any]:
        """The stated values, each once, in an order that is independent of the plan."""
        values = {json.dumps(value): value for value in self.given.values()}
        return [values[key] for key in sorted(values)]

    def query(self, tier: Tier) -> str:
        """Return the request at a tier."""
        return {
            Tier.EASY: self.query_easy,
            Tier.MEDIUM: self.query_medium,
            Tier.HARD: self.query_hard,
        }[tier]


def at_tier(instance: WorkflowInstance, tier: Tier) -> WorkflowInstance:
    """Return the same record at another tier."""
    name = f"{instance.record_id}-{tier}"
    return replace(instance, instance_id=name, goal=instance.query(tier), tier=tier)
