"""One episode of a plan: a call runs its tool on the outputs of earlier calls.

A call that does not fit is refused by an observation, and the plan goes on.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..domain import World
from ..kernel import refusal
from ..plans.dataflow import Reference, data_flow
from ..records import Call, EndState, Observation
from ..rng import below, stream
from .arguments import MISSING, fits, problems
from .instances import WorkflowInstance
from .sectors import SECTORS_BY_NAME
from .tools import Sector, Tool

__all__ = ["Sectors", "WorkflowWorld", "covers", "delivered_by"]

Sectors = Mapping[str, Sector]

SHORTEST_S, LONGEST_S = 2, 20


class WorkflowWorld(World):
    """The tools of one record, and the outputs of the calls so far."""

    def __init__(self, instance: WorkflowInstance, sectors: Sectors = SECTORS_BY_NAME) -> None:
        self._pool = frozenset(schema.name for schema in instance.tools)
        sector = sectors.get(instance.sector)
        self._tools = {} if sector is None else sector.by_name
        self._goals = self._goals_of(instance.plan)
        self._delivered: list[list[Any]] = []
        self._uses: Counter[str] = Counter()
        self._outputs: dict[tuple[str, int], dict[str, Any]] = {}

    def duration_s(self, tool: str, use: int) -> int:
        """Return the duration of a call, the shortest for an unknown tool."""
        if tool not in self._pool:
            return SHORTEST_S
        rng = stream("workflow", "duration", tool, use)
        return SHORTEST_S + below(rng, LONGEST_S - SHORTEST_S + 1)

    def answer(self, call: Call) -> Observation:
        """Answer a call as the next use of its tool."""
        self._uses[call.tool] += 1
        return self.answer_as(call, self._uses[call.tool])

    def answer_as(self, call: Call, use: int) -> Observation:
        """Answer a call as the use-th of its tool, in any order of the uses."""
        tool = self._tools.get(call.tool) if call.tool in self._pool else None
        if tool is None:
            return refusal(self._no_such_tool(call.tool))
        args = {name: self._resolved(value) for name, value in call.args.items()}
        problem = next(problems(tool, call.args, args), None)
        output = _answer(tool, args) if problem is None else None
        if output is None:
            return refusal(problem or f"{tool.name} cannot work with these values")
        self._outputs[call.tool, use] = output
        self._note(tool, args)
        return Observation(True, output, None)

    def end_state(self) -> EndState:
        """Return the delivered goals of the record's plan, in the order of their JSON.

        Each is a tool and its arguments. Arguments that the plan does not name are left out,
        since an additional option asks for the same; a twin appears under the name of the
        tool that it replaces.
        """
        return {"delivered": sorted(self._delivered, key=_as_json)}

    def _note(self, tool: Tool, args: dict[str, Any]) -> None:
        """Keep a call that delivers a goal."""
        name = self._canonical(tool.name)
        if name in self._goals:
            named = {key: value for key, value in args.items() if key in self._goals[name]}
            self._delivered.append([name, named])

    def _goals_of(self, plan: Sequence[Call]) -> dict[str, frozenset[str]]:
        """Return the tools whose output no later call of a plan takes, and their arguments."""
        targets = data_flow(plan).targets
        goals: dict[str, frozenset[str]] = {}
        for call, later in zip(plan, targets, strict=True):
            if not later:
                name = self._canonical(call.tool)
                goals[name] = goals.get(name, frozenset()) | call.args.keys()
        return goals

    def _canonical(self, name: str) -> str:
        tool = self._tools.get(name)
        return name if tool is None else tool.canonical

    def _no_such_tool(self, name: str) -> str:
        if name in self._pool:
            return f"{name} has no function here: it is known by its schema alone"
        return f"no tool of the pool is named {name!r}"

    def _resolved(self, value: object) -> object:
        """Return an argument with outputs of earlier calls in the place of references."""
        if isinstance(value, list | tuple):  # no value type is deeper than a list
            return [self._resolved_part(part) for part in value]
        return self._resolved_part(value)

    def _resolved_part(self, value: object) -> object:
        reference = Reference.parse(value)
        if reference is not None:
            output = self._outputs.get((reference.tool, reference.use), {})
            return output.get(reference.field, MISSING)
        if isinstance(value, float) and value.is_integer():
            return int(value)  # 12.0 and 12 are the same number, so they get the same answer
        return value


def delivered_by(
    instance: WorkflowInstance, calls: Sequence[Call], sectors: Sectors = SECTORS_BY_NAME
) -> EndState:
    """Return the end state after calls, made one after the other."""
    world = WorkflowWorld(instance, sectors)
    for call in calls:
        world.answer(call)
    return world.end_state()


def covers(end_state: EndState, required: EndState) -> bool:
    """Return whether every required item was delivered, as often as it is required."""
    needed, delivered = (
        Counter(map(_as_json, state.get("delivered", ()))) for state in (required, end_state)
    )
    return needed <= delivered


def _answer(tool: Tool, args: dict[str, Any]) -> dict[str, Any] | None:
    """Return the outputs of a tool, None if its function fails on these values."""
    try:
        output = tool.answer(args)
    except (ArithmeticError, LookupError, ValueError):  # such as a division by a capacity of zero
        return None
    is_complete = all(fits(field.type, output[field.name]) for field in tool.outputs)
    return output if is_complete else None


def _as_json(item: object) -> str:
    return json.dumps(item, sort_keys=True, ensure_ascii=False)
