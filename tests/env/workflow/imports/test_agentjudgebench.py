"""The format of the release: our records go through it whole, and what does not fit is named."""

import json

import pytest

from faultpair.env.errors import RecordError
from faultpair.env.plans.records import Tier
from faultpair.env.records import Call
from faultpair.env.workflow.imports.agentjudgebench import (
    Generated,
    Released,
    from_line,
    read_release,
    to_line,
)

PLAN = (Call("count_crates", {"shelf_id": "SH-101"}),)
CALLS = [{"name": "count_crates", "arguments": {"shelf_id": "SH-101"}}]
FIELDS = [
    "id", "dag_type", "user_message", "query_medium", "query_hard", "available_tools",
    "expected_responses", "generated_tool_calls",
]  # fmt: skip


@pytest.fixture
def plain(record):
    """Return a function that makes a line as the release has it, with some fields changed."""

    def make(**changes):
        fields = json.loads(to_line(record()))
        return json.dumps({name: changes.get(name, fields[name]) for name in FIELDS}).encode()

    return make


def test_a_record_comes_back_as_it_was_written(record):
    assert from_line(to_line(record()), "here") == Released(record())


def test_the_fields_of_the_release_come_first_by_its_names(record):
    assert list(json.loads(to_line(record())))[:8] == FIELDS
    assert to_line(record()).endswith(b"}\n")


def test_a_call_has_a_name_and_arguments_and_a_reference_is_a_text(record):
    joined = json.loads(to_line(record()))["expected_responses"][2]
    assert joined == {
        "name": "sum_crates",
        "arguments": {"counts": ["$count_crates.crates", "$count_crates#2.crates"]},
    }


@pytest.mark.parametrize(
    "plans",
    [
        (Generated(PLAN),),
        (Generated(PLAN, Tier.HARD), Generated((), Tier.EASY)),
        (Generated(PLAN, generator="small"), Generated((), generator="large")),
        (Generated(PLAN, Tier.EASY, "small"), Generated((), Tier.EASY, "large")),
    ],
)
def test_generated_plans_come_back_with_what_is_known_of_them(record, plans):
    assert from_line(to_line(record(), plans), "here").generated == plans


def test_plans_that_a_line_could_not_keep_apart_are_refused(record):
    for plans in ([Generated(PLAN)] * 2, [Generated(PLAN), Generated(PLAN, Tier.HARD)]):
        with pytest.raises(RecordError, match="plans of WFL-00003 cannot be told apart"):
            to_line(record(), plans)


def test_a_line_of_somebody_elses_has_a_sector_without_functions(plain):
    instance = from_line(plain(id=12, dag_type="Fan-In"), "here").instance
    assert (instance.record_id, instance.instance_id) == ("12", "12-easy")
    assert (instance.difficulty, instance.sector, instance.given) == ("fan_in", "release", {})


def test_a_placeholder_of_another_make_stays_as_it_is(plain):
    text = "{% output of function with id 2 %}"
    calls = [{"name": "rate_load", "arguments": {"load": text, "limit": 5}}]
    assert from_line(plain(expected_responses=calls), "here").instance.plan[0].args["load"] == text


FORMS = {
    "nothing": (None, ()),
    "a list": (CALLS, (Generated(PLAN),)),
    "an empty plan": ([], (Generated(()),)),
    "by tier": ({"hard": CALLS}, (Generated(PLAN, Tier.HARD),)),
    "by generator": ({"small": CALLS, "large": None}, (Generated(PLAN, None, "small"),)),
    "by tier and generator": (
        {"easy": {"small": CALLS}},
        (Generated(PLAN, Tier.EASY, "small"),),
    ),
    "by generator and tier": (
        {"small": {"easy": CALLS}},
        (Generated(PLAN, Tier.EASY, "small"),),
    ),
    "arguments in a text": (
        [{"name": "count_crates", "arguments": '{"shelf_id": "SH-101"}'}],
        (Generated(PLAN),),
    ),
}


@pytest.mark.parametrize(("found", "plans"), FORMS.values(), ids=list(FORMS))
def test_generated_plans_may_stand_in_several_forms(plain, found, plans):
    assert from_line(plain(generated_tool_calls=found), "here").generated == plans


def test_generated_plans_may_be_absent(plain):
    fields = json.loads(plain())
    del fields["generated_tool_calls"]
    assert from_line(json.dumps(fields).encode(), "here").generated == ()


MALFORMED = {
    "an unknown topology": ({"dag_type": "star"}, "field dag_type: expected one of linear, "),
    "a missing query": ({"query_hard": None}, "field query_hard: Expected `str`, got `null`"),
    "calls that are none": ({"expected_responses": "x"}, "field expected_responses: Expected"),
    "a call without a name": (
        {"expected_responses": [{"arguments": {}}]},
        "field expected_responses[0]: ",
    ),
    "arguments that are no object": (
        {"expected_responses": [{"name": "a", "arguments": "[1]"}]},
        "field expected_responses[0].arguments: expected a JSON object, got ",
    ),
    "an empty id": ({"id": " "}, "field id: it is empty"),
    "a tool that comes twice": (
        {"available_tools": [{"name": "a"}, {"name": "b"}, {"name": "a"}]},
        "field available_tools[2].name: 'a' is in the pool a second time",
    ),
    "properties that are a number": (
        {"available_tools": [{"name": "a", "parameters": {"properties": 3}}]},
        "field available_tools[0].parameters.properties: expected an object, got 3",
    ),
    "a property that is no schema": (
        {"available_tools": [{"name": "a", "returns": {"properties": {"b": "c"}}}]},
        "field available_tools[0].returns.properties.b: expected the JSON schema of a value",
    ),
    "required that is a text": (
        {"available_tools": [{"name": "a", "parameters": {"required": "x"}}]},
        "field available_tools[0].parameters.required: expected a list of names, got 'x'",
    ),
    "a required name that is none": (
        {"available_tools": [{"name": "a", "parameters": {"required": [["x"]]}}]},
        "field available_tools[0].parameters.required: expected a list of names, got [['x']]",
    ),
    "a text for plans": (
        {"generated_tool_calls": "count_crates()"},
        "field generated_tool_calls: expected a list of calls, or an object",
    ),
    "a number for a plan": (
        {"generated_tool_calls": {"easy": {"small": 7}}},
        "field generated_tool_calls.easy.small: expected a list of calls",
    ),
    "one key too many": (
        {"generated_tool_calls": {"easy": {"small": {"again": CALLS}}}},
        "field generated_tool_calls.easy.small.again: expected calls of small",
    ),
    "a generated call without arguments": (
        {"generated_tool_calls": [{"name": "a"}]},
        "field generated_tool_calls: field [0]: ",
    ),
}


@pytest.mark.parametrize(("changes", "problem"), MALFORMED.values(), ids=list(MALFORMED))
def test_what_is_wrong_with_a_line_is_said_by_its_place(plain, changes, problem):
    with pytest.raises(RecordError) as refused:
        from_line(plain(**changes), "line 3")
    assert str(refused.value).startswith(f"line 3: {problem}")


def test_a_file_is_read_line_by_line(record, tmp_path):
    file = tmp_path / "release.jsonl"
    file.write_bytes(to_line(record()) + b"\n" + to_line(record(), [Generated(PLAN)]))
    assert [len(released.generated) for released in read_release(file)] == [0, 1]
    file.write_bytes(to_line(record()) + b"[]\n")
    with pytest.raises(RecordError, match="line 2: "):
        list(read_release(file))
