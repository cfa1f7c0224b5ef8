"""The exhibit: everything a judge could be shown, and nothing else.

It has no field for a label, an id or an expected end state, so none can leak.
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
    """What a judge could be shown: request, steps, reply, end state, perhaps a reference.

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
    """Return a trajectory as an exhibit, without its label and its ids.

    The domain says what of the instance may be shown.
    """
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
