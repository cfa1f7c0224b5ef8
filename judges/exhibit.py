"""The exhibit: everything that a judge can be shown.

It has no field for a label or an id, so that none can leak.
``reference`` is filled only for a judge whose view is named *with-reference*, and
``plan`` only for one that grades plans beside a reference plan.
"""

from __future__ import annotations

from typing import Any

from faultpair.env.catalog import DOMAINS
from faultpair.env.plans.records import ToolSchema
from faultpair.env.records import Call, EndState, Instance, Record, Step, Trajectory

__all__ = ["Exhibit", "exhibit_of"]


class Exhibit(Record, frozen=True):
    """The request, the steps, the reply, the end state, and perhaps a reference.

    ``tools`` is the pool of a plan, in its order on the page.
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
    """Return a trajectory as an exhibit; the domain selects what of the instance is shown."""
    shown = DOMAINS[trajectory.domain].shown(instance)
    return Exhibit(
        domain=trajectory.domain,
        goal=trajectory.goal,
        given=shown.given,
        steps=trajectory.steps,
        reply=trajectory.final_answer,
        end_state=None if shown.hides_end_state and reference is None else trajectory.end_state,
        reference=reference,
        tools=shown.tools,
        plan=plan,
    )
