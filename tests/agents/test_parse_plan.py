"""Which answers hold a plan, and why the others hold none."""

import msgspec
import pytest

from faultpair.agents.parse_plan import Attrition, NoPlan, read_plan
from faultpair.env.records import Call

FIRST = Call("get_load", {"feeder": "FD-3", "hours": 4})
SECOND = Call("rate_load", {"load": "$get_load.load_kw"})
PLAN = (FIRST, SECOND)

OURS = (
    '[{"tool": "get_load", "args": {"feeder": "FD-3", "hours": 4}}, '
    '{"tool": "rate_load", "args": {"load": "$get_load.load_kw"}}]'
)
NAMED = OURS.replace('"tool"', '"name"').replace('"args"', '"arguments"')
AS_TEXT = (
    '[{"name": "get_load", "arguments": "{\\"feeder\\": \\"FD-3\\", \\"hours\\": 4}"}, '
    '{"name": "rate_load", "arguments": "{\\"load\\": \\"$get_load.load_kw\\"}"}]'
)
OPENAI = (
    '[{"id": "c1", "type": "function", "function": {"name": "get_load", '
    '"arguments": "{\\"feeder\\": \\"FD-3\\", \\"hours\\": 4}"}}, '
    '{"id": "c2", "type": "function", "function": {"name": "rate_load", '
    '"arguments": {"load": "$get_load.load_kw"}}}]'
)
TAGGED = (
    '<tool_call>\n{"name": "get_load", "arguments": {"feeder": "FD-3", "hours": 4}}\n</tool_call>\n'
    '<tool_call>\n{"name": "rate_load", "arguments": {"load": "$get_load.load_kw"}}\n</tool_call>'
)
CODE = '[get_load(feeder="FD-3", hours=4), rate_load(load="$get_load.load_kw")]'


@pytest.mark.parametrize(
    "text",
    [
        OURS,
        f"\n {OURS} \n",
        f"```json\n{OURS}\n```",
        f"<think>The load [first] {{then}} its rating.</think>\n\n{OURS}",
        NAMED,
        NAMED.replace("arguments", "parameters"),
        AS_TEXT,
        OPENAI,
        f'{{"tool_calls": {OPENAI}}}',
        f'{{"role": "assistant", "content": null, "tool_calls": {NAMED}}}',
        TAGGED,
        CODE,
        CODE[1:-1],
        f"```python\n{CODE}\n```",
        f"{CODE}<|im_end|>",
    ],
)
def test_a_plan_is_read_in_every_usual_form(text):
    assert read_plan(text) == PLAN


@pytest.mark.parametrize(
    "text",
    [
        '{"tool": "get_load", "args": {"feeder": "FD-3", "hours": 4}}',
        '{"name": "get_load", "arguments": "{\\"feeder\\": \\"FD-3\\", \\"hours\\": 4}"}',
        '{"type": "function", "function": {"name": "get_load", "arguments": '
        '{"feeder": "FD-3", "hours": 4}}}',
        'get_load(feeder="FD-3", hours=4)',
    ],
)
def test_one_call_needs_no_array(text):
    assert read_plan(text) == (FIRST,)


@pytest.mark.parametrize(
    "text",
    [
        '[{"tool": "list_all"}]',
        '[{"tool": "list_all", "args": null}]',
        '[{"name": "list_all", "arguments": ""}]',
        "[list_all()]",
    ],
)
def test_arguments_may_be_left_out(text):
    assert read_plan(text) == (Call("list_all", {}),)


def test_a_tool_that_no_pool_has_and_what_else_a_call_says_are_no_reason_to_refuse():
    text = '[{"id": 7, "tool": "no such tool", "args": {"a": [1, {"b": null}]}, "why": "so"}]'
    assert read_plan(text) == (Call("no such tool", {"a": [1, {"b": None}]}),)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("<think>Nothing fits.</think>", "empty"),
        ("[]", "empty"),
        ("```json\n[]\n```", "empty"),
        ('{"tool_calls": []}', "empty"),
        ("[]<|im_end|>", "empty"),
        ("I would look the load up first.", "not-json"),
        (f"Here is the plan:\n{OURS}", "not-json"),
        (f"{OURS}\n{OURS}", "not-json"),
        (OURS[:-1], "not-json"),
        (TAGGED + " That is all.", "not-json"),
        ("[get_load('FD-3')]", "not-json"),
        ("[get_load(feeder='FD-3'), 5]", "not-json"),
        ("[get_load(hours=" + "9" * 5_000 + ")]", "not-json"),
        ("[get_load(feeder='\\ud800')]", "not-json"),
        ("[" * 100_000, "not-json"),
        ("get_load(a=" + "[" * 5_000, "not-json"),
        ("null", "no-calls"),
        ("17", "no-calls"),
        ('"get_load"', "no-calls"),
        ("{}", "no-calls"),
        ('["get_load", "rate_load"]', "no-calls"),
        ('{"plan": "get the load"}', "no-calls"),
        ('[{"args": {"feeder": "FD-3"}}]', "no-calls"),
        ('[{"tool": ["get_load"], "args": {}}]', "no-calls"),
        ('[{"tool": "", "args": {}}]', "no-calls"),
        ('[{"tool": "get_load", "args": ["FD-3"]}]', "no-calls"),
        ('[{"tool": "get_load", "args": "FD-3"}]', "no-calls"),
        (f'{OURS[:-1]}, "and so on"]', "no-calls"),
    ],
)  # fmt: skip
def test_an_answer_without_a_plan_is_of_one_kind(text, kind):
    found = read_plan(text)
    assert isinstance(found, NoPlan)
    assert found.kind.value == kind
    assert found.reason


@pytest.mark.parametrize("text", ["", OURS[:-5], CODE[:-5], CODE, "get_load(a=1)", "<think>First"])
def test_what_was_cut_off_is_no_plan_unless_it_is_whole_json(text):
    assert read_plan(text, "length").kind is Attrition.CUT_OFF
    assert read_plan(OURS, "length") == PLAN


def test_a_reason_names_what_it_found_in_place_of_a_call():
    assert read_plan("[5]").reason == "a call is no object: 5"
    assert read_plan('[{"tool": "x", "args": 5}]').reason == "the arguments of x are no object"


@pytest.mark.parametrize(
    "text",
    [
        '[{"tool": "f", "args": {"n": 999999999999999999999999}}]',
        "[f(n=1e999, m=(1, 2), k=99999999999999999999)]",
    ],
)
def test_what_is_read_can_be_written_and_read_again(text):
    plan = read_plan(text)
    assert msgspec.json.decode(msgspec.json.encode(plan), type=tuple[Call, ...]) == plan


def test_code_is_never_run():
    (call,) = read_plan("[f(x=__import__('os').system('true'))]")
    assert call.args == {"x": "__import__('os').system('true')"}
