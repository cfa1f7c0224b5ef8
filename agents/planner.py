"""A planner that is a model: its prompt holds a pool of tools and a request; it answers once.

The pool comes before the request, so that an engine that keeps the prefix of a
prompt reads it once for all tiers of a record. Nothing else of the record is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec

from faultpair.engines.engine import Message, Reply, Request
from faultpair.env.plans.page import accepted, tool_line
from faultpair.env.plans.records import Plan, PlanInstance, ToolSchema

from .episode_agent import Complete
from .parse_plan import Attrition, NoPlan, read_plan
from .prompts import plan_text

__all__ = ["PlannerSettings", "plan_of", "planner_prompt_hash", "request_for", "why_unreadable"]

MOST_CALLS = 8

# Bounds of the schema: a small model may otherwise repeat itself until it is cut off.
_LONGEST_VALUE = 80
_MOST_PARTS = 8


@dataclass(frozen=True, slots=True)
class PlannerSettings:
    """How a model decodes."""

    temperature: float = 0.0
    seed: int = 7
    max_tokens: int = 500


def plan_of(instance: PlanInstance, complete: Complete, settings: PlannerSettings) -> Plan | NoPlan:
    """Ask a model for the plan of a record; return it, or why there is none."""
    reply = complete(request_for(instance, settings))
    if reply is None:
        return NoPlan(Attrition.TOO_LONG, "the request does not fit into the context")
    return read_plan(reply.text, reply.finish_reason)


def request_for(instance: PlanInstance, settings: PlannerSettings) -> Request:
    """Return the request for the plan of a record."""
    return Request(
        (Message("system", plan_text()), Message("user", _page(instance.tools, instance.goal))),
        schema_of(instance.tools),
        settings.temperature,
        settings.seed,
        settings.max_tokens,
    )


def why_unreadable(reply: Reply) -> str | None:
    """Return why a reply holds no plan, None if it holds one."""
    plan = read_plan(reply.text, reply.finish_reason)
    return plan.reason if isinstance(plan, NoPlan) else None


def schema_of(tools: Iterable[ToolSchema]) -> dict[str, Any]:
    """Return the JSON schema of an answer: an array of calls to tools of a pool."""
    part = {"anyOf": [{"type": "string", "maxLength": _LONGEST_VALUE}, {"type": "number"}]}
    parts = {"type": "array", "items": part, "maxItems": _MOST_PARTS}
    value = {"anyOf": [*part["anyOf"], {"type": "boolean"}, parts]}
    call = {
        "type": "object",
        "properties": {
            "tool": {"enum": [tool.name for tool in tools]},
            "args": {"type": "object", "additionalProperties": value},
        },
        "required": ["tool", "args"],
        "additionalProperties": False,
    }
    return {"type": "array", "items": call, "maxItems": MOST_CALLS}


def planner_prompt_hash() -> str:
    """Return the SHA-256 of the fixed text, of the layout of a prompt, and of the schema."""
    texts = [plan_text(), _page(_SPECIMEN, "…")]
    return sha256(msgspec.json.encode([texts, schema_of(_SPECIMEN)])).hexdigest()


def _page(tools: Iterable[ToolSchema], goal: str) -> str:
    pool = "\n".join(tool_line(tool, accepted) for tool in tools)
    return f"TOOLS\n{pool}\n\nREQUEST\n{goal}"


_SPECIMEN = (
    ToolSchema(
        "find_coat",
        "Look a coat up.",
        {
            "properties": {
                "ticket": {"type": "number", "minimum": 0, "maximum": 1},
                "hall": {"type": "string", "enum": ["A", "B"]},
                "owner": {"type": "string", "pattern": "^OW-[0-9]+$"},
                "day": {"type": "string", "format": "date"},
            },
            "required": ["ticket"],
        },
        {"properties": {"coat_ids": {"type": "array", "items": {"type": "string"}}}},
    ),
)
"""A made-up pool, whose page is part of the prompt's hash."""
