"""The workflow domain: its parts under the names that every room uses.

What is judged here is a plan. It is run behind the scenes, to know what it comes to,
but nobody who plans or judges sees an observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import simpy

from ..domain import Clause, ToolSpec
from ..errors import RecordError
from ..records import Call, EndState, Step
from .generator import generate
from .instances import TOPOLOGIES, WorkflowInstance
from .plan.execution import check_orders
from .plan.topologies import scenario
from .sectors import SECTORS
from .world import WorkflowWorld, covers, delivered_by

__all__ = ["PROCEDURE", "TOOLS", "Workflow", "refuse_unsound"]

PROCEDURE = (
    Clause(1, "Tools of the pool", "Every call uses a tool that the request's pool offers."),
    Clause(
        2,
        "Arguments of the schema",
        "A call names each argument that its tool requires, and none that its tool does not know.",
    ),
    Clause(
        3,
        "Values with a source",
        "A value is stated in the request, or refers to a field that an earlier call gives.",
    ),
    Clause(
        4,
        "Sources first",
        "A call comes after every call whose output it takes; the order is free otherwise.",
    ),
    Clause(5, "The whole request", "All that the request wants known or done has its call."),
    Clause(6, "Nothing more", "No call is made that the request does not need, and none twice."),
)

TOOLS = tuple(
    ToolSpec(tool.name, tuple(parameter.name for parameter in tool.inputs), tool.purpose)
    for sector in SECTORS
    for tool in sector.tools
)


@dataclass(frozen=True, slots=True)
class Workflow:
    """Requests in three tiers, each with a pool of tools and a plan of two to five calls."""

    name: str = "workflow"
    scenarios: tuple[str, ...] = TOPOLOGIES
    tools: tuple[ToolSpec, ...] = TOOLS
    procedure: tuple[Clause, ...] = PROCEDURE
    instance_type: type[WorkflowInstance] = WorkflowInstance
    observes: bool = False

    def scenario(self, index: int) -> str:
        """Return the topology of the index-th record: they take turns."""
        return scenario(index)

    def generate(self, seed: int, index: int) -> WorkflowInstance:
        """Return the index-th record of a seed: through both gates, and executed twice.

        The generator sends each of its draws through the gates and gives up if none passes.

        Raises
        ------
        PluginError
            If no draw passes the gates.
        RecordError
            If a call of its plan is refused, or gives something else in another order.
        """
        instance = generate(seed, index)
        refuse_unsound(instance)
        return instance

    def world(self, instance: WorkflowInstance, sim: simpy.Environment) -> WorkflowWorld:
        """Return a fresh world with the tools of the record."""
        return WorkflowWorld(instance)

    def required(self, instance: WorkflowInstance) -> EndState:
        """Return what the record's own plan delivers."""
        return delivered_by(instance, instance.plan)

    def reached(self, instance: WorkflowInstance, end_state: EndState) -> bool:
        """Return whether all of that was delivered; more does no harm."""
        return covers(end_state, self.required(instance))

    def thought(self, instance: WorkflowInstance, tool: str, use: int) -> str:
        """Return nothing: a plan is calls alone."""
        return ""

    def reply(self, instance: WorkflowInstance, steps: Sequence[Step]) -> str:
        """Return nothing: nobody is answered before the plan is run."""
        return ""

    def say(self, text: str) -> Call:
        """Return a call that no pool offers: a plan has nobody to talk to."""
        return Call("say", {"text": text})

    def spoken(self, call: Call) -> str | None:
        """Return None: no call says anything."""
        return None


def refuse_unsound(instance: WorkflowInstance) -> None:
    """Execute the plan of a record in every order that its data flow allows.

    Raises
    ------
    RecordError
        If a call is refused or the orders differ; the message names record and calls.
    """
    problems = check_orders(instance)
    if problems:
        told = "\n".join(f"  {problem}" for problem in problems)
        raise RecordError(
            f"The plan of record {instance.record_id} does not hold together:\n{told}\n"
            f"Mend the tools of the sector {instance.sector!r}."
        )
