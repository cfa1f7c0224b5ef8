"""The rule pack of plans: it reads request, pool and plan, and no reference.

No rule knows whether a tool serves the request, so a well-formed irrelevant call passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultpair.env.plans.dataflow import Reference, references_in
from faultpair.env.plans.records import ToolSchema, needed_in, properties_in
from faultpair.env.records import Call, Observation, Step

from ..exhibit import Exhibit
from .engine import Facts, Rule, RulePack
from .values import show

__all__ = ["PACKS", "RULES"]


class WorkflowFacts(Facts):
    """The pool, the stated values, and the calls before the step."""

    __slots__ = ("made", "pool", "stated", "uses")

    def __init__(self, exhibit: Exhibit) -> None:
        super().__init__(exhibit)
        self.pool = {schema.name: schema for schema in exhibit.tools}
        self.stated: list[Any] = exhibit.given.get("stated", [])
        self.uses: dict[str, int] = {}
        self.made: list[Call] = []

    def learn_failure(self, call: Call, observation: Observation | None) -> None:
        """Note the call: the calls of a plan have no observations."""
        self.uses[call.tool] = self.uses.get(call.tool, 0) + 1
        self.made.append(call)

    def schema(self, step: Step) -> ToolSchema | None:
        """Return the schema of a step's tool."""
        return self.pool.get(step.call.tool)

    def is_made(self, reference: Reference) -> bool:
        """Return whether an earlier call has the output of a reference."""
        schema = self.pool.get(reference.tool)
        known = schema is None or reference.field in properties_in(schema.returns)
        return known and reference.use <= self.uses.get(reference.tool, 0)

    def is_to_come(self, reference: Reference) -> bool:
        """Return whether this call or a later one is of the tool of a reference."""
        return any(step.call.tool == reference.tool for step in self.steps[self.index :])


def _outside_the_pool(facts: WorkflowFacts, step: Step) -> str | None:
    return None if facts.schema(step) else f"the pool has no tool {step.call.tool!r}"


def _renamed(facts: WorkflowFacts, step: Step) -> str | None:
    lacking, unknown = _lacking(facts, step), _unknown(facts, step)
    if not lacking or not unknown:
        return None
    return f"{step.call.tool} is given {unknown[0]}, and needs {lacking[0]}"


def _left_out(facts: WorkflowFacts, step: Step) -> str | None:
    lacking = _lacking(facts, step)
    return f"{step.call.tool} is called without {lacking[0]}" if lacking else None


def _too_many(facts: WorkflowFacts, step: Step) -> str | None:
    unknown = _unknown(facts, step)
    return f"{step.call.tool} does not know {unknown[0]}" if unknown else None


def _used_too_early(facts: WorkflowFacts, step: Step) -> str | None:
    for reference in references_in(step.call.args):
        if not facts.is_made(reference) and facts.is_to_come(reference):
            return f"{step.call.tool} takes {reference}, which is still to come"
    return None


def _never_computed(facts: WorkflowFacts, step: Step) -> str | None:
    for reference in references_in(step.call.args):
        if not facts.is_made(reference):
            return f"{step.call.tool} takes {reference}, which no call gives"
    return None


def _made_up(facts: WorkflowFacts, step: Step) -> str | None:
    for value in _plain_values(step.call):
        if value not in facts.stated:
            return f"{step.call.tool} is given {show(value)}, which the request does not state"
    return None


def _made_twice(facts: WorkflowFacts, step: Step) -> str | None:
    return f"{step.call.tool} is called a second time" if step.call in facts.made else None


def _left_undone(facts: WorkflowFacts) -> str | None:
    used = [value for step in facts.steps for value in _plain_values(step.call)]
    unused = [value for value in facts.stated if value not in used]
    return f"no call takes {show(unused[0])}, which the request states" if unused else None


def _lacking(facts: WorkflowFacts, step: Step) -> list[str]:
    """Return the missing required arguments of a step."""
    schema = facts.schema(step)
    names = needed_in(schema.parameters) if schema else ()
    return [name for name in names if name not in step.call.args]


def _unknown(facts: WorkflowFacts, step: Step) -> list[str]:
    schema = facts.schema(step)
    return [name for name in step.call.args if name not in schema.known] if schema else []


def _plain_values(call: Call) -> Iterator[Any]:
    """Yield the values of a call that are no references, those in lists one by one."""
    for argument in call.args.values():
        parts = argument if isinstance(argument, list) else [argument]
        yield from (part for part in parts if Reference.parse(part) is None)


RULES: RulePack[WorkflowFacts] = RulePack(
    judge_id="rules",
    summary="The procedure of plans, as far as request and pool tell, in nine rules.",
    facts=WorkflowFacts,
    rules=(
        Rule("W1_outside_the_pool", 1, "wrong_tool_chosen", _outside_the_pool),
        Rule("W2_renamed", 2, "renamed_argument", _renamed),
        Rule("W3_left_out", 2, "missing_argument", _left_out),
        Rule("W4_too_many", 2, "extra_argument", _too_many),
        Rule("W5_used_too_early", 4, "dependent_calls_swapped", _used_too_early),
        Rule("W6_never_computed", 3, "missing_call", _never_computed),
        Rule("W7_made_up", 3, "wrong_tool_chosen", _made_up),
        Rule("W8_made_twice", 6, "duplicate_call", _made_twice),
        Rule("W9_left_undone", 5, "sub_goal_uncovered", at_end=_left_undone),
    ),
)

PACKS = (RULES,)
