"""The two levels of checks that every record passes, without a model.

Level one compares schemas, arguments, data flow and topology. Level two checks that the
request of every tier states each plain argument, and that the requests read naturally.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..plans.dataflow import Reference, data_flow, references_in, uses_of
from ..plans.records import ToolSchema
from ..records import Call
from .instances import WorkflowInstance
from .plan.instantiate import argument_key
from .plan.tool_pool import LARGEST, SMALLEST
from .plan.topologies import topology_of
from .requests.explicitness import given_parameters
from .requests.naturalness import naturalness_problems
from .schemas import schema_problems, value_problems
from .sectors import sector_named
from .tools import Sector, Tool

__all__ = ["check"]


def check(instance: WorkflowInstance) -> tuple[str, ...]:
    """Return the problems of a record, each as ``reason: detail``; none if it passes."""
    pool = {tool.name: tool for tool in instance.tools}
    if unknown := [call.tool for call in instance.plan if call.tool not in pool]:
        return (f"unknown tool: the pool has no {', '.join(unknown)}",)
    return (
        *_pool_problems(instance),
        *(problem for call in instance.plan for problem in _call_problems(call, pool[call.tool])),
        *_flow_problems(instance),
        *_grounding_problems(instance),
        *naturalness_problems(instance),
    )


def _pool_problems(instance: WorkflowInstance) -> Iterator[str]:
    n, n_names = len(instance.tools), len({tool.name for tool in instance.tools})
    if not SMALLEST <= n_names == n <= LARGEST:
        yield f"pool: {n} tools, not all different or not {SMALLEST} to {LARGEST}"
    for tool in instance.tools:
        for schema in (tool.parameters, tool.returns):
            yield from (f"schema: {tool.name}: {problem}" for problem in schema_problems(schema))


def _call_problems(call: Call, tool: ToolSchema) -> Iterator[str]:
    """Yield missing and unknown arguments, and plain values that do not fit their schema."""
    if missing := sorted(tool.required - set(call.args)):
        yield f"insufficient: {call.tool} lacks {', '.join(missing)}"
    for name, value in call.args.items():
        if name not in tool.known:
            yield f"unknown argument: {call.tool}.{name}"
        elif next(references_in(value), None) is None:
            schema = tool.parameters["properties"][name]
            yield from (f"value: {call.tool}.{name}: {p}" for p in value_problems(value, schema))


def _flow_problems(instance: WorkflowInstance) -> Iterator[str]:
    """Yield references to nothing or to another value type, and a topology not declared."""
    sector = sector_named(instance.sector)
    for call, dangling in zip(instance.plan, data_flow(instance.plan).dangling, strict=True):
        yield from (f"trace: {call.tool} takes {name} before it is there" for name in dangling)
        for name, value in call.args.items():
            expected = _input_type(sector.by_name[call.tool], name)
            yield from (
                f"trace: {call.tool}.{name} is no {reference}"
                for reference in references_in(value)
                if _output_type(sector, reference) != expected
            )
    if any(call in instance.plan[:place] for place, call in enumerate(instance.plan)):
        yield "trace: a call occurs twice"
    topology = topology_of(instance.plan, instance.tools)
    if topology != instance.difficulty:
        yield f"topology: {topology}, declared {instance.difficulty}"


def _input_type(tool: Tool, argument: str) -> str | None:
    return next((part.item_type.name for part in tool.inputs if part.name == argument), None)


def _output_type(sector: Sector, reference: Reference) -> str | None:
    tool = sector.by_name.get(reference.tool)
    fields = tool.outputs if tool else ()
    return next((field.type.name for field in fields if field.name == reference.field), None)


def _grounding_problems(instance: WorkflowInstance) -> Iterator[str]:
    """Yield plain values missing in ``given``, or not stated in the request of a tier."""
    if not instance.given:
        yield "ungrounded: the request states nothing"
    if instance.given != (stated := _plain_arguments(instance.plan)):
        yield f"ungrounded: {sorted(instance.given.keys() ^ stated.keys())}"
    for key, parameter, value in given_parameters(sector_named(instance.sector), instance):
        for query in (instance.query_easy, instance.query_medium, instance.query_hard):
            if value not in parameter.type.mentions(query):
                yield f"unstated: {key} {value!r} in {query!r}"


def _plain_arguments(plan: tuple[Call, ...]) -> dict[str, object]:
    return {
        argument_key(call.tool, use, name): value
        for call, use in uses_of(plan)
        for name, value in call.args.items()
        if next(references_in(value), None) is None
    }
