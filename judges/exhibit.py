"""The exhibit: everything a judge could be shown, and nothing else.

It has no field for a label, an id or an expected end state, so none can leak.
``reference`` is filled only for a judge whose view is named *with-reference*.
"""

from __future__ import annotations

from typing import Any

from env.records import EndState, Instance, Record, Step, Trajectory

__all__ = ["Exhibit", "exhibit_of"]


class Exhibit(Record, frozen=True):
    """What is on the table: request, steps, reply, end state, perhaps a reference."""

    domain: str
    goal: str
    given: dict[str, Any]
    steps: tuple[Step, ...]
    reply: str
    end_state: EndState | None
    reference: EndState | None = None


def exhibit_of(
    trajectory: Trajectory, instance: Instance, *, reference: EndState | None = None
) -> Exhibit:
    """Lay out a trajectory for judging, with its label and its ids left behind."""
    return Exhibit(
        trajectory.domain,
        trajectory.goal,
        instance.given,
        trajectory.steps,
        trajectory.final_answer,
        trajectory.end_state,
        reference,
    )
