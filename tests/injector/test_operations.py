"""What each operation does to a call list, and at which step it shows."""

import pytest

from faultpair.env.records import Call
from faultpair.injector.fault import Delete, Edit, FollowUp, Insert, Move, Replace, Truncate
from faultpair.injector.inject import apply, failure_step, origins

CALLS = tuple(Call(tool, {}) for tool in "abcd")
NEW = Call("x", {})


@pytest.mark.parametrize(
    ("operation", "tools", "step", "came_from"),
    [
        (Replace(1, NEW), "axcd", 1, [0, None, 2, 3]),
        (Insert(1, NEW), "axbcd", 1, [0, None, 1, 2, 3]),
        (Insert(4, NEW), "abcdx", 4, [0, 1, 2, 3, None]),
        (Delete(1), "acd", 1, [0, 2, 3]),
        (Move(1, 3), "acdb", 1, [0, 2, 3, 1]),
        (Move(3, 1), "adbc", 1, [0, 3, 1, 2]),
        (Truncate(2, "bye"), "ab", 1, [0, 1]),
        (Truncate(0, "bye"), "", 0, []),
    ],
    ids=repr,
)
def test_an_operation_edits_the_list_and_shows_at_a_step(operation, tools, step, came_from):
    actions = apply(Edit(operation, "words"), CALLS)
    assert "".join(action.call.tool for action in actions) == tools
    assert failure_step(operation) == step
    assert origins(operation, len(CALLS)) == came_from


def test_a_follow_up_adjusts_one_argument_and_does_not_change_the_given_calls():
    calls = (Call("a", {}), Call("pay", {"amount": 1, "to": "me"}))
    edit = Edit(Delete(0), "words", (FollowUp(1, "amount", 2),))
    (action,) = apply(edit, calls)
    assert action.call == Call("pay", {"amount": 2, "to": "me"})
    assert calls[1].args == {"amount": 1, "to": "me"}


def test_only_a_replacement_can_bring_its_own_thought():
    edited = apply(Edit(Replace(1, NEW, "Why not."), "words"), CALLS)
    assert [action.thought for action in edited] == [None, "Why not.", None, None]
