"""Carry out an edit on a call list: pure functions."""

from __future__ import annotations

from typing import assert_never

from faultpair.env.kernel import Action
from faultpair.env.records import Call

from .fault import Calls, Delete, Edit, FollowUp, Insert, Move, Operation, Replace, Truncate

__all__ = ["apply", "failure_step", "origins"]


def apply(edit: Edit, calls: Calls) -> tuple[Action, ...]:
    """Return the actions of the edited run; the calls given are left as they are."""
    operation = edit.operation
    planned = [Action(call) for call in calls]
    for follow_up in edit.follow_ups:
        planned[follow_up.at] = Action(_followed(calls[follow_up.at], follow_up))
    if isinstance(operation, Replace):
        planned[operation.at] = Action(operation.call, operation.thought)
    elif isinstance(operation, Insert):
        planned.insert(operation.at, Action(operation.call))
    elif isinstance(operation, Delete):
        del planned[operation.at]
    elif isinstance(operation, Move):
        planned.insert(operation.to, planned.pop(operation.at))
    elif isinstance(operation, Truncate):
        del planned[operation.at :]
    else:
        assert_never(operation)
    return tuple(planned)


def failure_step(operation: Operation) -> int:
    """Return the 0-based step of the edited run at which the operation shows.

    Deleted: the step that takes its place. Moved: the earlier of the two places,
    where the first call comes too early. Truncated: the last step that was made.
    """
    if isinstance(operation, Truncate):
        return max(operation.at - 1, 0)
    if isinstance(operation, Move):
        return min(operation.at, operation.to)
    return operation.at


def origins(operation: Operation, n_calls: int) -> list[int | None]:
    """Return for each call of the edited run its index in the clean run, None if new."""
    kept: list[int | None] = list(range(n_calls))
    if isinstance(operation, Replace):
        kept[operation.at] = None
    elif isinstance(operation, Insert):
        kept.insert(operation.at, None)
    elif isinstance(operation, Delete):
        del kept[operation.at]
    elif isinstance(operation, Move):
        kept.insert(operation.to, kept.pop(operation.at))
    elif isinstance(operation, Truncate):
        del kept[operation.at :]
    else:
        assert_never(operation)
    return kept


def _followed(call: Call, follow_up: FollowUp) -> Call:
    return Call(call.tool, {**call.args, follow_up.argument: follow_up.value})
