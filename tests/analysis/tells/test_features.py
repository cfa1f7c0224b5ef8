"""Each group of features reads one part of a page."""

import pytest

from faultpair.analysis.tells.features import GROUPS, ids_in, numbers_in

GROUP = {group.name: group for group in GROUPS}
LOOK = {
    "thought": "I look.",
    "call": {"tool": "look", "args": {"order": "ORD-123456"}},
    "observation": {"owner": "CUS-900001", "sum": 12.5, "open": True},
}
PAY = {"thought": "I pay.", "call": {"tool": "pay", "args": {"sum": 20}}, "observation": None}
PAGE = {
    "goal": "Pay ORD-123456.", "steps": [LOOK, PAY], "reply": "Paid 20.",
    "end_state": {"paid": 20}, "places": (0.5, 1.0), "tools": [{"name": "look"}],
}  # fmt: skip


def features(name, page=PAGE, other=PAGE):
    return GROUP[name].of(page, other)


def changed(**parts):
    return {**PAGE, **parts}


READ = {
    "goal": {"goal": "x"},
    "length of the goal": {"goal": "x"},
    "reply": {"reply": "x"},
    "length of the reply": {"reply": "x"},
    "end state": {"end_state": None},
    "pool of tools": {"tools": []},
    "place in the order of requests": {"places": (0.1, 1.0)},
    "thoughts": {"steps": [{**LOOK, "thought": "x"}, PAY]},
    "first thought": {"steps": [{**LOOK, "thought": "x"}, PAY]},
    "last thought": {"steps": [LOOK, {**PAY, "thought": "x"}]},
    "tools in order": {"steps": [PAY, LOOK]},
    "number of steps": {"steps": [LOOK]},
    "arguments": {"steps": [LOOK, {**PAY, "call": {"tool": "pay", "args": {"to": 20}}}]},
    "amounts in calls": {"steps": [LOOK, {**PAY, "call": {"tool": "pay", "args": {"sum": 21}}}]},
    "observations": {"steps": [{**LOOK, "observation": None}, PAY]},
    "numbers": {"steps": [{**LOOK, "observation": {"sum": 13}}, PAY]},
    "marks": {"reply": "Paid, 20!"},
    "lengths": {"reply": "Paid 20"},
    "white space": {"reply": "Paid  20."},
    "which ids are equal": {"reply": "Paid CUS-900001."},
    "digits of ids": {"steps": [{**LOOK, "observation": {"owner": "CUS-100001"}}, PAY]},
}


@pytest.mark.parametrize("name", GROUP)
def test_a_group_sees_its_own_part(name):
    assert features(name, changed(**READ[name])) != features(name)


@pytest.mark.parametrize("name", [group.name for group in GROUPS if group.is_bare])
def test_a_bare_group_does_not_see_how_many_steps_there_are(name):
    assert features(name, changed(steps=[LOOK]), PAGE) == features(name)


def test_digits_are_of_the_kinds_that_both_pages_show():
    other = changed(steps=[{**LOOK, "observation": None}, PAY])
    assert "CUS" in features("digits of ids")
    assert "CUS" not in features("digits of ids", PAGE, other)


def test_which_ids_are_equal_does_not_depend_on_their_digits():
    other = {**LOOK, "observation": {"owner": "CUS-100777", "sum": 12.5, "open": True}}
    assert features("which ids are equal", changed(steps=[other, PAY])) == features(
        "which ids are equal"
    )


def test_a_page_without_steps_has_features_in_every_group():
    for group in GROUPS:
        empty = changed(steps=[], reply="", end_state=None)
        assert type(group.of(empty, PAGE)) is type(group.of(PAGE, empty))


def test_ids_and_numbers_of_a_value():
    assert ids_in(PAGE["steps"]) == ["ORD-123456", "CUS-900001"]
    assert list(numbers_in(PAGE["steps"])) == [12.5, 20.0]
