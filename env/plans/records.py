"""What all plans have: a request at a tier, a pool of tools, a reference plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from ..records import Call, Instance, Record

__all__ = ["Plan", "PlanInstance", "Tier", "ToolSchema", "needed_in", "properties_in"]

Plan = tuple[Call, ...]


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


class PlanInstance(Instance, frozen=True):
    """A request for a plan at one tier. A domain declares the first five properties as fields.

    They are properties here because the order of fields is the order in a file,
    and a field of a base class would come before those of the domain.
    """

    @property
    def domain(self) -> str:
        """The name of its domain."""
        raise NotImplementedError

    @property
    def record_id(self) -> str:
        """The name that the tiers of one request share."""
        raise NotImplementedError

    @property
    def tier(self) -> Tier:
        """The tier of the request in ``goal``."""
        raise NotImplementedError

    @property
    def tools(self) -> tuple[ToolSchema, ...]:
        """The pool of tools, in the order in which it is shown."""
        raise NotImplementedError

    @property
    def plan(self) -> tuple[Call, ...]:
        """The reference plan."""
        raise NotImplementedError

    @property
    def sector(self) -> str:
        """The field of work that the tools are from; empty in a domain of one field."""
        return ""

    @property
    def stated(self) -> list[Any]:
        """The stated values, each once, in an order that is independent of the plan."""
        values = {json.dumps(value): value for value in self.given.values()}
        return [values[key] for key in sorted(values)]
