"""Carry out an edit on a call list: pure functions."""

from __future__ import annotations

from typing import assert_never

from faultpair.env.kernel import Action
from faultpair.env.records import Call

from .fault import Calls, Delete, Edit, Insert, Move, Operation, Replace, Truncate

__all__ = ["apply", "failure_step", "origins"]


def apply(edit: Edit, calls: Calls) -> tuple[Action, ...]:
    """Return the actions of the edited run; the calls given are left as they are."""
    operation = edit.operation
    edited = list(calls)
    for follow_up in edit.follow_ups:
        call = calls[follow_up.at]
        edited[follow_up.at] = Call(call.tool, {**call.args, follow_up.argument: follow_up.value})
    actions = []
    for origin in origins(operation, len(calls)):
        if origin is not None:
            actions.append(Action(edited[origin]))
        elif isinstance(operation, Replace):
            actions.append(Action(operation.call, operation.thought))
        elif isinstance(operation, Insert):
            actions.append(Action(operation.call))
    return tuple(actions)


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
