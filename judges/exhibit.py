"""The exhibit: everything a judge could be shown, and nothing else.

It has no field for a label, an id or an expected end state, so none can leak.
``reference`` is filled only for a judge whose view is named *with-reference*, and
``plan`` only for one that grades plans beside a reference plan.
"""

from __future__ import annotations

from typing import Any

from faultpair.env.plans.records import PlanInstance, ToolSchema
from faultpair.env.records import Call, EndState, Instance, Record, Step, Trajectory

__all__ = ["Exhibit", "exhibit_of"]


class Exhibit(Record, frozen=True):
    """What is on the table: request, steps, reply, end state, perhaps a reference.

    ``tools`` is the pool that a plan was made from, in its order on the page.
    """

    domain: str
    goal: str
    given: dict[str, Any]
    steps: tuple[Step, ...]
    reply: str
    end_state: EndState | None
    reference: EndState | None = None
    tools: tuple[ToolSchema, ...] = ()
    plan: tuple[Call, ...] | None = None


def exhibit_of(
    trajectory: Trajectory,
    instance: Instance,
    *,
    reference: EndState | None = None,
    plan: tuple[Call, ...] | None = None,
) -> Exhibit:
    """Lay out a trajectory for judging, with its label and its ids left behind.

    A record says more, which would give its plan away. The names of its values are those of
    the plan's arguments, so the bare values are shown, as ``stated``. The end state of a plan
    names the goals, so only a judge that is told the required one sees it.
    """
    record = instance if isinstance(instance, PlanInstance) else None
    return Exhibit(
        trajectory.domain,
        trajectory.goal,
        instance.given if record is None else {"stated": record.stated},
        trajectory.steps,
        trajectory.final_answer,
        trajectory.end_state if record is None or reference is not None else None,
        reference,
        () if record is None else record.tools,
        plan,
    )
