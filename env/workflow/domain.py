"""The workflow domain: its parts under the names that every package uses.

What is judged here is a plan. It is run to know its end state, but neither planner
nor judge sees an observation.
"""

from __future__ import annotations

from functools import cache

import simpy

from ..domain import Clause, Domain, PlanDomain, Shown, ToolSpec
from ..errors import RecordError
from ..plans.records import Tier
from ..records import EndState
from .execution import check_orders
from .generator import generate
from .instances import TOPOLOGIES, Topology, WorkflowInstance, at_tier
from .plan.topologies import scenario
from .sectors import SECTORS, SECTORS_BY_NAME
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


class WorkflowPlans(PlanDomain):
    """The tiers of a record, and the tools that can replace another."""

    def at_tier(self, instance: WorkflowInstance, tier: Tier) -> WorkflowInstance:
        """Return a record at a tier."""
        return at_tier(instance, tier)

    def canonical(self, instance: WorkflowInstance) -> dict[str, str]:
        """Return the tool that each twin stands in for; a foreign sector has no twins."""
        return _canonical_in(instance.sector)


class Workflow(Domain[WorkflowInstance]):
    """Requests in three tiers, each with a pool of tools and a plan of two to five calls."""

    name = "workflow"
    scenarios = TOPOLOGIES
    tools = TOOLS
    procedure = PROCEDURE
    instance_type = WorkflowInstance
    worlds = (1, 2)
    plans = WorkflowPlans()

    def scenario(self, index: int) -> str:
        """Return the topology of the index-th record of world 1, the same for every seed."""
        return scenario(index)

    def generate(self, seed: int, index: int, world: int = 1) -> WorkflowInstance:
        """Return the index-th record of a seed: all checks pass, and it is executed twice.

        The generator draws again until a record passes the checks, and gives up after 40 draws.

        Raises
        ------
        PluginError
            If no draw passes the checks.
        RecordError
            If a call of its plan is refused, or gives something else in another order.
        """
        topology = Topology(self.scenario_in(world, seed, index))
        instance = generate(seed, index, topology, world=world)
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

    def shown(self, instance: WorkflowInstance) -> Shown:
        """Return the pool and the bare values; their names are those of the plan's arguments."""
        return Shown({"stated": instance.stated}, instance.tools, hides_end_state=True)


def refuse_unsound(instance: WorkflowInstance) -> None:
    """Execute the plan of a record in every order that its data flow allows.

    Raises
    ------
    RecordError
        If a call is refused or the orders differ; the message names record and calls.
    """
    problems = check_orders(instance)
    if problems:
        listed = "\n".join(f"  {problem}" for problem in problems)
        raise RecordError(
            f"The plan of record {instance.record_id} does not hold together:\n{listed}\n"
            f"Correct the tools of the sector {instance.sector!r}."
        )


@cache
def _canonical_in(sector: str) -> dict[str, str]:
    own = SECTORS_BY_NAME.get(sector)
    tools = () if own is None else own.tools
    return {tool.name: tool.same_as for tool in tools if tool.same_as is not None}
